// oxlint-disable-next-line typescript/triple-slash-reference -- Other projects compile this file without the declaration.
/// <reference path="./crossSpawn.d.ts" />
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

import spawn from 'cross-spawn';

import { ProcessTree } from './processTree.ts';

const isWindows = process.platform === 'win32';
const graceMs = 2000;
const pollMs = 20;

/** Trees that may have a process, by their first one. They end with this process, if it ends before it has closed its connections. */
const liveTrees = new Map<number, ProcessTree>();
let watchesExit = false;

/** Starts a program without a shell, in its own process group, so that `endProcessTree` can end its descendants. */
export function startProcess(command: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, {
    ...options,
    detached: !isWindows,
    windowsHide: true,
    shell: false,
  });
  const { pid } = child;
  if (pid !== undefined) {
    const tree = new ProcessTree(pid);
    liveTrees.set(pid, tree);
    // The leader may have left others.
    child.once('exit', () => tree.isAlive() || liveTrees.delete(pid));
  }
  if (!watchesExit)
    process.once('exit', () => {
      for (const [pid, tree] of liveTrees) {
        tree.includeSessions();
        killTree(pid);
      }
    });
  watchesExit = true;
  return child;
}

/**
 * Ends a process with its descendants: closes its stdin, after 2 s sends SIGTERM, after 2 s more SIGKILL. A descendant in another group is
 * found as long as its parent lives: before the end begins, and before each signal. One in a session of its own is left if the process
 * ends by itself. On Windows `taskkill /T` ends the tree, and nothing is ended if the process ends by itself. Fulfilled once none of them is left, or SIGKILL was sent.
 */
export async function endProcessTree(child: ChildProcess): Promise<void> {
  const tree = child.pid === undefined || isWindows ? undefined : liveTrees.get(child.pid);
  tree?.refresh();
  child.stdin?.end();
  if (isWindows) return endWindowsTree(child);
  if (!tree || (await tree.isGoneWithin(graceMs))) return void liveTrees.delete(child.pid ?? 0);
  tree.refresh();
  if (child.exitCode === null && child.signalCode === null) tree.includeSessions();
  tree.signal('SIGTERM');
  await tree.isGoneWithin(graceMs);
  killOrphans(child.pid ?? 0);
}

/** Kills what is left of the tree of a process that has ended. */
export function killOrphans(pid: number): void {
  if (!isWindows && liveTrees.get(pid)?.isAlive()) killTree(pid);
  liveTrees.delete(pid);
}

/** Returns once the signal is sent: a process that exits waits for nothing. */
function killTree(pid: number): void {
  if (isWindows) return void spawn.sync('taskkill', killArguments(pid), { windowsHide: true, stdio: 'ignore' });
  const tree = liveTrees.get(pid);
  tree?.refresh();
  tree?.signal('SIGKILL');
}

async function endWindowsTree(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  for (let waited = 0; waited < graceMs && !hasExited(); waited += pollMs) await wait(pollMs);
  if (hasExited()) return;
  const killer = spawn('taskkill', killArguments(child.pid), { windowsHide: true, stdio: 'ignore' });
  await new Promise((resolve) => killer.once('close', resolve).once('error', resolve));
}

function killArguments(pid: number | undefined): string[] {
  return ['/pid', String(pid), '/T', '/F'];
}
