/** `child_process.spawn` that can also start `.cmd` files of Windows without a shell. */
declare module 'cross-spawn' {
  import type { spawn, spawnSync } from 'node:child_process';

  const crossSpawn: typeof spawn & { sync: typeof spawnSync };
  export default crossSpawn;
}
