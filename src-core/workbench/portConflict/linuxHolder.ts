import { readdir, readFile, readlink } from 'node:fs/promises';
import type { PortHolder } from './portHolder.ts';
import { listeningInodes } from './procNetTcp.ts';
import { programName } from './programName.ts';

/** Who listens on a port, of `/proc`. Programs of other users hide their sockets: nothing is told of them. */
export async function linuxHolder(port: number): Promise<PortHolder> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readOr(`/proc/net/${name}`, '')));
  const sockets = new Set(tables.flatMap((table) => listeningInodes(table, port)).map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return {};
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    if (!(await holds(pid, sockets))) continue;
    const command = (await readOr(`/proc/${pid}/cmdline`, '')).split('\0');
    const program = programName(command, await readlink(`/proc/${pid}/cwd`).catch(() => '/'));
    return { pid: Number(pid), ...(program === undefined ? {} : { program }) };
  }
  return {};
}

async function holds(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  // Gone meanwhile, or another user's.
  const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')));
  return targets.some((target) => sockets.has(target));
}

function readOr(path: string, otherwise: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => otherwise);
}
