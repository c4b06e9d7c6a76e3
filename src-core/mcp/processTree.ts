import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 20;

interface Row {
  pid: number;
  parent: number;
  group: number;
  isZombie: boolean;
  /** It has started a session of its own (`setsid`): it is meant to run on after its parent. */
  leadsSession: boolean;
  /** With the pid, it identifies a process: another one may get its pid. */
  startedAt: string;
}

/**
 * The process group of its first process, and descendants in other groups of the same session. A descendant that has started a session of
 * its own, such as a browser that a server has opened, is not part of it. Not on Windows.
 */
export class ProcessTree {
  readonly #group: number;
  /** Descendants in other groups, by pid: when each was started. They stay known when their parents have ended. */
  readonly #otherGroups = new Map<number, string>();

  constructor(group: number) {
    this.#group = group;
  }

  /** Finds the descendants in other groups, as long as their parents live. */
  refresh(): void {
    const rows = readProcesses().filter(({ isZombie }) => !isZombie);
    const found = rows.filter(
      ({ pid, group, startedAt }) => group === this.#group || this.#otherGroups.get(pid) === startedAt,
    );
    const isNew = (row: Row): boolean => !row.leadsSession && !found.some(({ pid }) => pid === row.pid);
    // It grows with the children of its items.
    for (const { pid } of found) found.push(...rows.filter((row) => row.parent === pid && isNew(row)));
    this.#otherGroups.clear();
    for (const { pid, group, startedAt } of found) if (group !== this.#group) this.#otherGroups.set(pid, startedAt);
  }

  signal(signal: NodeJS.Signals): void {
    for (const pid of this.#targets()) send(pid, signal);
  }

  isAlive(): boolean {
    return this.#targets().some((pid) => send(pid, 0));
  }

  async isGoneWithin(ms: number): Promise<boolean> {
    for (let waited = 0; waited < ms; waited += pollMs) {
      if (!this.isAlive()) return true;
      await wait(pollMs);
    }
    return !this.isAlive();
  }

  #targets(): number[] {
    return [-this.#group, ...this.#otherGroups.keys()];
  }
}

/** Whether there is such a process, or a process of the group. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** All processes; none if they cannot be listed. */
function readProcesses(): Row[] {
  try {
    return process.platform === 'linux' ? readProc() : readPs();
  } catch {
    return [];
  }
}

function readProc(): Row[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(Number).flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name of the program, in parentheses, may have any character.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [parent = 0, group = 0, session = 0] = fields.slice(1, 4).map(Number);
      const [isZombie, leadsSession] = [fields[0] === 'Z', session === pid];
      return [{ pid, parent, group, isZombie, leadsSession, startedAt: fields[19] ?? '' }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function readPs(): Row[] {
  const args = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='];
  const lines = execFileSync('ps', args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).split('\n');
  return lines.flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [pid = 0, parent = 0, group = 0] = fields.map(Number);
    const [state, ...startedAt] = fields.slice(3);
    if (state === undefined) return [];
    const [isZombie, leadsSession] = [state.startsWith('Z'), state.includes('s')];
    return [{ pid, parent, group, isZombie, leadsSession, startedAt: startedAt.join(' ') }];
  });
}
