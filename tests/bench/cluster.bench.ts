/**
 * A call of a device at another node, against a bare JSON-RPC peer on `ws` and against a call of the same kind of device at this node.
 * The other node and the broker are processes of their own; the devices live in threads.
 */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

import { createWorkbench, type Workbench } from '../../src-core/workbench.ts';
import { natsServer } from '../helpers/findNatsServer.ts';
import { bareBed } from './callBeds.ts';
import { connectBoards } from './clusterBeds.ts';
import { median } from './compareInTurns.ts';

const boards = 64;
const calls = 1_000;
const warmUp = 500;
/** Of a call through one hop, to a bare round trip; spec: at most 3.5, and 0.3 ms more than a local call. */
const limits = { toBare: 3.5, moreMs: 0.3, perSecond: 15_000 };

type Call = () => Promise<unknown>;

async function sequential(call: Call): Promise<{ p50: number; p99: number }> {
  for (let count = 0; count < warmUp; count += 1) await call();
  const times: number[] = [];
  for (let count = 0; count < calls; count += 1) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  return { p50: median(times), p99: times[Math.floor(times.length * 0.99)] ?? NaN };
}

async function perSecond(lanes: Call[]): Promise<number> {
  const begun = performance.now();
  let made = 0;
  await Promise.all(
    lanes.map(async (call) => {
      while (performance.now() - begun < 3_000) {
        await call();
        made += 1;
      }
    }),
  );
  return Math.round((made * 1_000) / (performance.now() - begun));
}

async function startBroker(): Promise<{ url: string; stop: () => void }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const child = spawn(natsServer ?? 'nats-server', ['--addr', '127.0.0.1', '--port', String(port)], {
    stdio: 'ignore',
  });
  await wait(300);
  return { url: `nats://127.0.0.1:${port}`, stop: () => void child.kill() };
}

const options = (url: string, nodeName: string) => ({ url, name: 'bench', nodeName, nkeyFile: '', caFile: '' });

export async function run(): Promise<{
  title: string;
  note: string;
  rows: Record<string, string | number>[];
  pass: boolean;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const broker = await startBroker();
  const owner = spawn(
    process.execPath,
    [
      ...['dist/cli.js', 'serve', '--port', '0', '--device-port', '0', '--no-open', '--json'],
      ...[
        '--data-dir',
        join(folder, 'owner'),
        '--cluster',
        broker.url,
        '--cluster-name',
        'bench',
        '--node-name',
        'owner',
      ],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
  const { device } = JSON.parse(line) as { device: { webSocketUrl: string } };
  const here = await createWorkbench({
    dataDir: join(folder, 'caller'),
    devicePort: 0,
    shell: 'terminal',
    cluster: options(broker.url, 'caller'),
    onError: (error) => console.error(error),
  });
  const bare = await bareBed(boards);
  const workers = [
    connectBoards(device.webSocketUrl, boards, 0),
    connectBoards(here.info().device.webSocketUrl, boards, 128),
  ];
  try {
    const lanesOf = async (isRemote: boolean): Promise<Call[]> => {
      for (;;) {
        const ids = here.services.devices
          .list()
          .filter(({ node, registryId }) => registryId !== undefined && (node !== undefined) === isRemote)
          .map(({ registryId }) => registryId ?? '');
        if (ids.length === boards) return ids.map((id) => callOf(here, id));
        await wait(50);
      }
    };
    const remote = await lanesOf(true);
    const local = await lanesOf(false);
    const bareOne = await sequential(bare.calls[0]!);
    const localOne = await sequential(local[0]!);
    const remoteOne = await sequential(remote[0]!);
    const rates = {
      bare: await perSecond(bare.calls),
      local: await perSecond(local),
      remote: await perSecond(remote),
    };
    const ms = (value: number): number => Number(value.toFixed(3));
    const ratio = remoteOne.p50 / bareOne.p50;
    const more = remoteOne.p50 - localOne.p50;
    return {
      title: 'A call through one hop of a cluster, against a bare JSON-RPC peer on ws and a local device',
      note: 'Through the executor and the history of both nodes. Spec: p50 at most 3.5 × the bare peer and 0.3 ms over a local call, 15,000 calls a second with 64 in flight.',
      rows: [
        { path: 'bare ws', 'p50 ms': ms(bareOne.p50), 'p99 ms': ms(bareOne.p99), '64 in flight, calls/s': rates.bare },
        {
          path: 'local device',
          'p50 ms': ms(localOne.p50),
          'p99 ms': ms(localOne.p99),
          '64 in flight, calls/s': rates.local,
        },
        {
          path: 'device of another node',
          'p50 ms': ms(remoteOne.p50),
          'p99 ms': ms(remoteOne.p99),
          '64 in flight, calls/s': rates.remote,
          'to bare': ms(ratio),
          'over local, ms': ms(more),
        },
      ],
      pass: ratio <= limits.toBare && more <= limits.moreMs && rates.remote >= limits.perSecond,
    };
  } finally {
    for (const worker of workers) await worker.terminate();
    await bare.close();
    await here.close();
    owner.kill();
    await once(owner, 'exit');
    broker.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

let made = 0;
function callOf({ services }: Workbench, toolName: string): Call {
  return async () => {
    const input = { callId: `bench-${(made += 1)}`, toolName, command: 'self.set', argsJson: '{"volume":50}' };
    const { status, result } = await services.calls.execute({ ...input, origin: 'executor' });
    if (status !== 'success') throw new Error(result);
  };
}
