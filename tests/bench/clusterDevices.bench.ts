/**
 * Ten thousand simulated boards on two nodes: how long until both list and can call all of them, what they cost, and how often their
 * equal lists of tools cross. Nodes, broker and the load generator (`toolwire device --count`) are processes of their own.
 */
import { connect } from '@nats-io/transport-node';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

import { startNode, withBroker, type BenchNode } from './clusterBeds.ts';

const each = 5_000;
/** ms from the last hello until both nodes have the same devices; kB of a remote device; ms of a standstill. */
const limits = { equalMs: 3_000, remoteKb: 1.5, blockedMs: 1_000 };

interface Loaded {
  connected: number;
  ms: number;
  end(): Promise<void>;
}

async function load(node: BenchNode, first: number): Promise<Loaded> {
  const args = ['--count', String(each), '--first', String(first), '--per-second', '2000', '--json'];
  const child = spawn(process.execPath, ['dist/cli.js', 'device', '--url', node.otaUrl, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { connected, ms } = JSON.parse(line) as { connected: number; ms: number };
  return {
    connected,
    ms,
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** ms until both have so many devices, and the same ones. */
async function untilEqual(nodes: BenchNode[], count: number): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const counts = await Promise.all(nodes.map((node) => node.ask({ ask: 'count' })));
    const ms = Math.round(performance.now() - begun);
    if (counts.every((each) => each === count)) return ms;
    if (ms > 60_000) throw new Error(`${counts.join(' and ')} devices after 60 s`);
    await wait(50);
  }
}

export const run = (): Promise<{
  title: string;
  note: string;
  rows: Record<string, string | number>[];
  pass: boolean;
}> =>
  withBroker(async ({ url, folder }) => {
    const nodes = await Promise.all(['one', 'other'].map((name) => startNode(url, folder, name)));
    const [one, other] = nodes as [BenchNode, BenchNode];
    const observer = await connect({ servers: url });
    let transfers = 0;
    observer.subscribe('tw.bench.n.*.tools', { callback: () => void (transfers += 1) });
    const loads: Loaded[] = [];
    try {
      await wait(1_500);
      const rows: Record<string, string | number>[] = [];
      let pass = true;
      let total = 0;
      for (const [node, watched, name] of [
        [one, other, 'the first node'],
        [other, one, 'the second node, which has 5,000 remote ones'],
      ] as const) {
        const before = await Promise.all([node.state(), watched.state()]);
        const loaded = await load(node, total);
        loads.push(loaded);
        total += loaded.connected;
        const equalMs = await untilEqual(nodes, total);
        const after = await Promise.all([node.state(), watched.state()]);
        if (after[0].hash !== after[1].hash) throw new Error('The nodes list other devices.');
        const kb = (at: 0 | 1): number => Number((((after[at].heapMb - before[at].heapMb) * 1_000) / each).toFixed(1));
        rows.push({
          '5,000 devices connect to': name,
          'connected/s': Math.round((loaded.connected * 1_000) / loaded.ms),
          'equal after the last hello, ms': equalMs,
          'an own device, kB': kb(0),
          'a remote device, kB': kb(1),
          'longest standstill there, ms': after[1].blockedMs,
          'list of all, ms': after[1].listMs,
        });
        pass &&= loaded.connected === each && equalMs <= limits.equalMs && kb(1) <= limits.remoteKb;
      }
      await observer.flush();
      return {
        title: 'Ten thousand boards on two nodes of a cluster',
        note: `Boards of the firmware with 14 tools, from \`toolwire device --count\`. Their equal lists of tools crossed ${transfers} times, once from each node. Spec: both nodes equal within 3 s of the last hello; a remote device at most 1.5 kB.`,
        rows,
        pass: pass && transfers === 2,
      };
    } finally {
      await Promise.all(loads.map((loaded) => loaded.end()));
      await observer.close();
      await Promise.all(nodes.map((node) => node.end()));
    }
  });
