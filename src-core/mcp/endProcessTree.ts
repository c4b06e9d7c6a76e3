// oxlint-disable-next-line typescript/triple-slash-reference -- Other projects compile this file without the declaration.
/// <reference path="./crossSpawn.d.ts" />
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

import spawn from 'cross-spawn';

const graceMs = 2000;
const pollMs = 20;

/** Groups that may have a process. They end with this process, if it ends before it has closed its connections. */
const liveGroups = new Set<number>();
let watchesExit = false;

/** Starts a program without a shell, in its own process group, so that `endProcessTree` can end its descendants. */
export function startProcess(command: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, {
    ...options,
    detached: process.platform !== 'win32',
    windowsHide: true,
    shell: false,
  });
  const { pid } = child;
  if (pid !== undefined) {
    liveGroups.add(pid);
    // The leader may have left others.
    child.once('exit', () => signalGroup(pid, 0) || liveGroups.delete(pid));
  }
  if (!watchesExit) process.once('exit', () => liveGroups.forEach(killTree));
  watchesExit = true;
  return child;
}

/**
 * Ends a process with its descendants: closes its stdin, after 2 s sends SIGTERM to the group, after 2 s more SIGKILL. On
 * Windows `taskkill /T` ends the tree. Fulfilled once none of the group is left, or SIGKILL was sent.
 */
export async function endProcessTree(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (child.pid === undefined) return;
  if (process.platform === 'win32') return endWindowsTree(child);
  if (await isGoneWithin(child.pid, graceMs)) return void liveGroups.delete(child.pid);
  signalGroup(child.pid, 'SIGTERM');
  await isGoneWithin(child.pid, graceMs);
  killOrphans(child.pid);
}

/** Kills what is left of the group of a process that has ended. */
export function killOrphans(pid: number): void {
  liveGroups.delete(pid);
  if (process.platform !== 'win32') signalGroup(pid, 'SIGKILL');
}

/** Returns once the signal is sent: a process that exits waits for nothing. */
function killTree(pid: number): void {
  if (process.platform === 'win32') spawn.sync('taskkill', killArguments(pid), { windowsHide: true, stdio: 'ignore' });
  else signalGroup(pid, 'SIGKILL');
}

async function endWindowsTree(child: ChildProcess): Promise<void> {
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  for (let waited = 0; waited < graceMs && !hasExited(); waited += pollMs) await wait(pollMs);
  if (hasExited()) return;
  const killer = spawn('taskkill', killArguments(child.pid), { windowsHide: true, stdio: 'ignore' });
  await new Promise((resolve) => killer.once('close', resolve).once('error', resolve));
}

function killArguments(pid: number | undefined): string[] {
  return ['/pid', String(pid), '/T', '/F'];
}

async function isGoneWithin(group: number, ms: number): Promise<boolean> {
  for (let waited = 0; waited < ms; waited += pollMs) {
    if (!signalGroup(group, 0)) return true;
    await wait(pollMs);
  }
  return !signalGroup(group, 0);
}

/** Whether the group has a process. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
