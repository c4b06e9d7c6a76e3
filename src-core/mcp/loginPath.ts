import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const shellMs = 5000;
const mark = '__toolwire_path__';
const asked = new Map<string, Promise<string[]>>();

/**
 * The directories of PATH in the user's login shell, which a program that was started from a desktop does not have on macOS
 * and Linux. None on Windows, or if the shell fails or does not answer within 5 s; a shell that has answered is not asked again.
 */
export function readLoginPath(shell = process.env['SHELL'] ?? ''): Promise<string[]> {
  if (process.platform === 'win32' || shell === '') return Promise.resolve([]);
  const known = asked.get(shell);
  if (known) return known;
  const reading = askShell(shell).catch(() => {
    // The first start after the computer has started may be slow.
    asked.delete(shell);
    return [];
  });
  asked.set(shell, reading);
  return reading;
}

async function askShell(shell: string): Promise<string[]> {
  const command = `printf '%s%s%s' ${mark} "$PATH" ${mark}`;
  // A profile may print anything, end with an error or wait for input.
  const { stdout } = await run(shell, ['-ilc', command], { timeout: shellMs, killSignal: 'SIGKILL' });
  const path = stdout.split(mark)[1] ?? '';
  return path.split(delimiter).filter((directory) => directory.startsWith('/'));
}
