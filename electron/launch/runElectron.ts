import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { projectPath } from './project.ts';

/** Runs the app in Electron until it ends, and gives its exit code. A signal to us ends the app. */
export async function runElectron({ binary, ended }: { binary: string; ended: AbortSignal }): Promise<number> {
  const env = { ...process.env };
  delete env['ELECTRON_RUN_AS_NODE'];
  const child = spawn(binary, [projectPath()], { stdio: 'inherit', env });
  const stop = (): void => void child.kill();
  ended.addEventListener('abort', stop);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return ended.aborted ? 0 : (code ?? 1);
  } finally {
    ended.removeEventListener('abort', stop);
  }
}
