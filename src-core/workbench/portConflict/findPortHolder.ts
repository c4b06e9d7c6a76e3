import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { linuxHolder } from './linuxHolder.ts';
import { lsofHolder } from './lsofHolder.ts';
import { netstatPid } from './netstatPid.ts';
import type { PortHolder } from './portHolder.ts';
import { programName } from './programName.ts';
import { tasklistProgram } from './tasklistProgram.ts';

/** ms for each of the system's programs that we ask. */
const askMs = 2_000;
const maxOutputBytes = 4 * 1024 * 1024;

/**
 * Asks the system which program listens on a TCP port. What it does not tell is left out: rights may be missing, or the
 * program that we ask.
 */
export async function findPortHolder(port: number, platform: NodeJS.Platform = process.platform): Promise<PortHolder> {
  if (platform === 'linux') return linuxHolder(port);
  if (platform === 'darwin') return darwinHolder(port);
  if (platform === 'win32') return windowsHolder(port);
  return {};
}

async function darwinHolder(port: number): Promise<PortHolder> {
  const holder = lsofHolder(await ask('/usr/sbin/lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpcn']));
  if (holder.pid === undefined) return holder;
  // lsof cuts names, and of a script it has only the interpreter's.
  const ps = async (column: string) => (await ask('/bin/ps', ['-p', String(holder.pid), '-o', column])).trim();
  const [path, command] = await Promise.all([ps('comm='), ps('command=')]);
  const args = command.startsWith(path) ? command.slice(path.length).trim().split(' ') : [];
  const program = programName([path, ...args]);
  return program === undefined ? holder : { ...holder, program };
}

async function windowsHolder(port: number): Promise<PortHolder> {
  const system = (name: string) => join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', name);
  const pid = netstatPid(await ask(system('netstat.exe'), ['-ano']), port);
  if (pid === undefined) return {};
  const list = await ask(system('tasklist.exe'), ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']);
  const program = tasklistProgram(list);
  return { pid, ...(program === undefined ? {} : { program }) };
}

/** What a program of the system prints; nothing where it is missing, fails or takes too long. */
function ask(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: askMs, maxBuffer: maxOutputBytes, windowsHide: true }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}
