/** What the benches of clusters share: a broker, nodes in processes of their own, and boards. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { natsServer } from '../helpers/findNatsServer.ts';
import { freePort } from '../helpers/freePort.ts';
import type { NodeQuestion, NodeState } from './clusterNode.ts';
import type { DevicePeerData } from './devicePeer.ts';

/** Runs with a folder and a broker that end with it. */
export async function withBroker<Result>(
  use: (given: { url: string; port: number; folder: string; pid: number }) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const port = await freePort();
  // As docs/cluster.md says: a stopped node must not delay the others.
  const config = join(folder, 'nats.conf');
  writeFileSync(
    config,
    `listen: "127.0.0.1:${port}"
write_deadline: "2s"
max_pending: 4MB
`,
  );
  const child = spawn(natsServer ?? 'nats-server', ['--config', config], { stdio: 'ignore' });
  await wait(300);
  try {
    return await use({ url: `nats://127.0.0.1:${port}`, port, folder, pid: child.pid ?? 0 });
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface BenchNode {
  readonly otaUrl: string;
  readonly webSocketUrl: string;
  ask(question: NodeQuestion): Promise<unknown>;
  state(): Promise<NodeState>;
  signal(name: NodeJS.Signals): void;
  end(): Promise<void>;
}

/** A node of the cluster `bench` in a process of its own. */
export async function startNode(url: string, folder: string, name: string): Promise<BenchNode> {
  const child = fork(new URL('./clusterNode.ts', import.meta.url), [join(folder, name), url, name], {
    execArgv: ['--expose-gc'],
  });
  const [device] = (await once(child, 'message')) as [{ otaUrl: string; webSocketUrl: string }];
  let last: Promise<unknown> = Promise.resolve();
  const askNow = async (question: NodeQuestion): Promise<unknown> => {
    child.send(question);
    const [{ answer }] = (await once(child, 'message')) as [{ answer: unknown }];
    return answer;
  };
  const ask = (question: NodeQuestion): Promise<unknown> => (last = last.then(() => askNow(question)));
  return {
    ...device,
    ask,
    state: () => ask({ ask: 'state' }) as Promise<NodeState>,
    signal: (signal) => void child.kill(signal),
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Boards that answer at once, in a thread. */
export function connectBoards(url: string, boards: number, first: number): Worker {
  const data: DevicePeerData = { url, sockets: boards, first, kind: 'xiaozhi', serverName: 'bench', gathers: true };
  return new Worker(new URL('./devicePeer.ts', import.meta.url), { workerData: data });
}
