import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 20;

interface Row {
  pid: number;
  parent: number;
  group: number;
  isZombie: boolean;
  /** It has started a session of its own (`setsid`), as a browser that a server opens. */
  leadsSession: boolean;
  /** With the pid, it identifies a process: another one may get its pid. */
  startedAt: string;
}

/**
 * The process group of its first process, and its descendants in other groups. Those in a session of their own, such as a browser that a
 * server has opened, are left if the first process ends by itself. Not on Windows.
 */
export class ProcessTree {
  readonly #group: number;
  /** Descendants in other groups, by pid: when each was started. They stay known when their parents have ended. */
  readonly #otherGroups = new Map<number, string>();
  readonly #otherSessions = new Map<number, string>();
  #includesSessions = false;

  constructor(group: number) {
    this.#group = group;
  }

  /** Finds the descendants in other groups, as long as their parents live. */
  refresh(): void {
    const rows = readProcesses().filter(({ isZombie }) => !isZombie);
    const isKnown = ({ pid, group, startedAt }: Row): boolean =>
      group === this.#group || [this.#otherGroups, this.#otherSessions].some((known) => known.get(pid) === startedAt);
    const found = rows.filter(isKnown);
    const inSessions = new Set(found.filter(({ pid }) => this.#otherSessions.has(pid)));
    // Both grow with the children of their items.
    for (const parent of found) {
      const children = rows.filter((row) => row.parent === parent.pid && !found.includes(row));
      found.push(...children);
      for (const child of children) if (child.leadsSession || inSessions.has(parent)) inSessions.add(child);
    }
    this.#otherGroups.clear();
    this.#otherSessions.clear();
    for (const row of found) {
      if (row.group === this.#group) continue;
      (inSessions.has(row) ? this.#otherSessions : this.#otherGroups).set(row.pid, row.startedAt);
    }
  }

  /** From now on, those in a session of their own are part of it, too: its first process does not end by itself. */
  includeSessions(): void {
    this.#includesSessions = true;
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
    return [-this.#group, ...this.#otherGroups.keys(), ...(this.#includesSessions ? this.#otherSessions.keys() : [])];
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
