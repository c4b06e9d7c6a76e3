/** Machines of a test on one network: a network namespace each, whose links to a bridge are set down and up. Linux, root and iproute2. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** A machine of the network. Its programs see only its own interfaces. */
export interface Machine {
  readonly address: string;
  /** Starts a program there, which ends with the test. */
  spawn(program: string, args: readonly string[]): ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> };
  /** Sets its link down: what is sent is lost, and no connection ends. */
  cut(): void;
  mend(): void;
}

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8', stdio: 'pipe' });

/** Why tests with network namespaces do not run here; undefined if they do. */
export const noNamespaces = whyNot();

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces need Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  if (spawnSync('ip', ['-V']).error !== undefined) return 'iproute2 is not installed (Debian: apt install iproute2)';
  const probe = `tw${process.pid}-probe`;
  const made = spawnSync('ip', ['netns', 'add', probe], { encoding: 'utf8' });
  if (made.status !== 0) return `network namespaces cannot be created: ${made.stderr.trim()}`;
  ip('netns', 'del', probe);
  return undefined;
}

let opened = 0;

/** An empty network. It is removed at the end of the test, with all programs in it. */
export function openNetwork(): { add: () => Machine } {
  removeStale();
  const prefix = `tw${process.pid}-${(opened += 1)}`;
  const hub = `${prefix}-hub`;
  const namespaces: string[] = [];
  onTestFinished(() => namespaces.forEach(remove));

  function addNamespace(name: string): void {
    ip('netns', 'add', name);
    namespaces.push(name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }

  addNamespace(hub);
  ip('-n', hub, 'link', 'add', 'bridge', 'type', 'bridge');
  ip('-n', hub, 'link', 'set', 'bridge', 'up');
  return {
    add() {
      const number = namespaces.length;
      const name = `${prefix}-${number}`;
      const port = `port${number}`;
      const address = `10.77.0.${number}`;
      addNamespace(name);
      ip('-n', hub, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      ip('-n', hub, 'link', 'set', port, 'master', 'bridge', 'up');
      ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      ip('-n', name, 'link', 'set', 'eth0', 'up');
      return {
        address,
        spawn(program, args) {
          const child = spawn('ip', ['netns', 'exec', name, program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
          const ended = once(child, 'exit');
          onTestFinished(async () => {
            child.kill('SIGKILL');
            await ended;
          });
          return child;
        },
        cut: () => void ip('-n', hub, 'link', 'set', port, 'down'),
        mend: () => void ip('-n', hub, 'link', 'set', port, 'up'),
      };
    },
  };
}

/** Removes what a test process has left that was killed. */
function removeStale(): void {
  for (const name of ip('netns', 'list').match(/^tw\d+-[\w-]+/gm) ?? []) {
    const pid = Number(/\d+/.exec(name)?.[0]);
    if (pid !== process.pid && !isRunning(pid)) remove(name);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function remove(name: string): void {
  for (const pid of ip('netns', 'pids', name).match(/\d+/g) ?? []) spawnSync('kill', ['-KILL', pid]);
  ip('netns', 'del', name);
}
