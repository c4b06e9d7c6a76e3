import { execFile, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { delimiter } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

import { readOwnPath } from './ownPath.ts';

const run = promisify(execFile);
/** How long a start waits for the shell, and how long the shell may take for later ones, in ms. */
const waitMs = 5000;
const shellMs = 60_000;
const mark = '__toolwire_path__';
const asked = new Map<string, Promise<string[]>>();

/**
 * The directories of PATH in the user's login shell, which a program that was started from a desktop does not have on macOS
 * and Linux. None on Windows, if the shell fails, and 5 s after its start until it has answered, for which it has 60 s. A shell that has
 * answered is not asked again.
 */
export function readLoginPath(shell = process.env['SHELL'] ?? '', ms = waitMs): Promise<string[]> {
  if (process.platform === 'win32' || shell === '') return Promise.resolve([]);
  const known = asked.get(shell);
  if (known) return known;
  const { child, path } = askShell(shell);
  path.then(
    () => asked.set(shell, path),
    () => asked.delete(shell),
  );
  const late = wait(ms, [], { ref: false }).then((none) => {
    // A command that needs no path does not wait for it at its end.
    child.unref();
    (child.stdout as Socket).unref();
    (child.stderr as Socket).unref();
    return none;
  });
  const soon = Promise.race([path, late]).catch(() => []);
  asked.set(shell, soon);
  return soon;
}

function askShell(shell: string): { child: ChildProcess; path: Promise<string[]> } {
  const command = `printf '%s%s%s' ${mark} "$PATH" ${mark}`;
  const running = run(shell, ['-ilc', command], { env: { ...process.env, PATH: readOwnPath() } });
  const { child } = running;
  setTimeout(() => child.kill('SIGKILL'), shellMs).unref();
  // A profile may print anything, end with an error or wait for input.
  const path = running.then(({ stdout }) => {
    const directories = (stdout.split(mark)[1] ?? '').split(delimiter);
    return directories.filter((directory) => directory.startsWith('/'));
  });
  return { child, path };
}
