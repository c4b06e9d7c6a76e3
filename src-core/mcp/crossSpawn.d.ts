/** `child_process.spawn` that can also start `.cmd` files of Windows without a shell. */
declare module 'cross-spawn' {
  import type { spawn } from 'node:child_process';

  const crossSpawn: typeof spawn;
  export default crossSpawn;
}
