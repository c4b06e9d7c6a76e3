/**
 * A call of a device at another node, beside a call of the same kind of device at this node, a bare JSON-RPC peer on `ws` and a bare
 * round trip through the broker. Both nodes and the broker are processes of their own; devices and bare peers live in threads of this one.
 */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { connect } from '@nats-io/transport-node';

import { bareBed, type Bed } from './callBeds.ts';
import { connectBoards, startNode, withBroker, type BenchNode } from './clusterBeds.ts';
import { measureCalls, type CallFigures } from './measureCalls.ts';

const boards = 64;
/** Rounds alternate between the paths, and the best of each counts: what else the machine does disturbs all alike. */
const rounds = 5;
const sequentialCalls = 500;
const atOnceMs = 1_500;
/** Of a call through one hop; spec: to a bare round trip, ms over a local call, and calls a second. */
const limits = { toBare: 3.5, moreMs: 0.3, perSecond: 15_000 };

/** ms of processor time of each process, and of this one: devices, or both ends of a bare round trip. */
type Spent = Record<'caller' | 'owner' | 'broker' | 'here', number>;

interface Path {
  name: string;
  /** The processes that have a part in it. */
  parts: (keyof Spent)[];
  calls: (how: { lanes: number } & ({ count: number } | { ms: number })) => Promise<CallFigures>;
}

/** The best round, with the processor time of its calls, µs each. */
interface Best extends CallFigures {
  each: Spent;
}

interface Outcome {
  title: string;
  note: string;
  rows: Record<string, string | number>[];
  pass: boolean;
}

export async function run(): Promise<Outcome> {
  return withBroker(async ({ url, folder, pid }) => {
    const owner = await startNode(url, folder, 'owner');
    const caller = await startNode(url, folder, 'caller');
    const devices = [
      connectBoards(owner.webSocketUrl, boards, 0),
      connectBoards(caller.webSocketUrl, boards, boards * 2),
    ];
    const bare = await bareBed(boards);
    const hop = await hopBed(url);
    try {
      while ((await caller.ask({ ask: 'count' })) !== 2 * boards) await wait(50);
      const ofBed = ({ calls }: Bed): Path['calls'] => {
        return ({ lanes, ...until }) => measureCalls(calls.slice(0, lanes), until);
      };
      const ofNode = (remote: boolean): Path['calls'] => {
        return (how) => caller.ask({ ask: 'calls', remote, ...how }) as Promise<CallFigures>;
      };
      const paths: Path[] = [
        { name: 'bare ws', parts: ['here'], calls: ofBed(bare) },
        { name: 'bare hop (NATS)', parts: ['broker', 'here'], calls: ofBed(hop) },
        { name: 'local device', parts: ['caller', 'here'], calls: ofNode(false) },
        { name: 'device of another node', parts: ['caller', 'owner', 'broker', 'here'], calls: ofNode(true) },
      ];
      const spent = spentBy({ caller, owner, pid });
      // Many at once first: V8 has optimized the code then, as in a node that runs for long.
      for (const { calls } of paths) await calls({ lanes: boards, ms: atOnceMs });
      const many = await bestOf(paths, spent, { lanes: boards, ms: atOnceMs });
      for (const { calls } of paths) await calls({ lanes: 1, count: sequentialCalls });
      const one = await bestOf(paths, spent, { lanes: 1, count: sequentialCalls });
      return outcomeOf(paths, one, many);
    } finally {
      for (const worker of devices) await worker.terminate();
      await hop.close();
      await bare.close();
      await caller.end();
      await owner.end();
    }
  });
}

/** Round trips of a message as long as a call's, to a thread that answers at once: one subscription for all answers. */
async function hopBed(url: string): Promise<Bed> {
  const peer = new Worker(new URL('./natsPeer.ts', import.meta.url), { workerData: { url } });
  await once(peer, 'message');
  const connection = await connect({ servers: url, noEcho: true });
  const waiting = new Map<string, () => void>();
  connection.subscribe('bench.inbox.*', {
    callback: (_, { subject }) => {
      const key = subject.slice('bench.inbox.'.length);
      waiting.get(key)?.();
      waiting.delete(key);
    },
  });
  await connection.flush();
  const payload = Buffer.alloc(300, 'x');
  let sent = 0;
  const call = (): Promise<void> =>
    new Promise((resolve) => {
      const key = String((sent += 1));
      waiting.set(key, resolve);
      connection.publish('bench.echo', payload, { reply: `bench.inbox.${key}` });
    });
  return {
    calls: Array.from({ length: boards }, () => call),
    async close() {
      await connection.close();
      await peer.terminate();
    },
  };
}

function spentBy({ caller, owner, pid }: { caller: BenchNode; owner: BenchNode; pid: number }) {
  return async (): Promise<Spent> => {
    const { user, system } = process.cpuUsage();
    return {
      caller: Number(await caller.ask({ ask: 'cpu' })),
      owner: Number(await owner.ask({ ask: 'cpu' })),
      broker: brokerMs(pid),
      here: (user + system) / 1_000,
    };
  };
}

/** NaN where the system has no /proc. */
function brokerMs(pid: number): number {
  try {
    const [, facts = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = facts.split(' ').slice(11, 13);
    // Linux counts in hundredths of a second for every program.
    return (Number(user) + Number(system)) * 10;
  } catch {
    return NaN;
  }
}

async function bestOf(
  paths: Path[],
  spent: () => Promise<Spent>,
  how: Parameters<Path['calls']>[0],
): Promise<Map<string, Best>> {
  const best = new Map<string, Best>();
  for (let round = 0; round < rounds; round += 1)
    for (const { name, calls } of paths) {
      const before = await spent();
      const figures = await calls(how);
      const after = await spent();
      const each = { ...after };
      for (const key of ['caller', 'owner', 'broker', 'here'] as const)
        each[key] = ((after[key] - before[key]) * 1_000) / figures.calls;
      const known = best.get(name);
      if (known === undefined || figures.p50 < known.p50) best.set(name, { ...figures, each });
    }
  return best;
}

function outcomeOf(paths: Path[], one: Map<string, Best>, many: Map<string, Best>): Outcome {
  const ms = (value: number): number => Number(value.toFixed(3));
  const processes = ['caller', 'owner', 'broker', 'here'] as const;
  const spentIn = ({ each }: Best, parts: Path['parts']): string =>
    processes.map((key) => (parts.includes(key) ? Math.round(each[key]) : '–')).join(' / ');
  const p50 = (name: string): number => one.get(name)?.p50 ?? NaN;
  const remote = 'device of another node';
  const [toBare, more] = [p50(remote) / p50('bare ws'), p50(remote) - p50('local device')];
  const rows = paths.map(({ name, parts }) => {
    const [single, atOnce] = [one.get(name)!, many.get(name)!];
    return {
      path: name,
      'p10 ms': ms(single.p10),
      'p50 ms': ms(single.p50),
      'p99 ms': ms(single.p99),
      'to bare': ms(single.p50 / p50('bare ws')),
      'µs each: caller / owner / broker / devices': spentIn(single, parts),
      '64 in flight, calls/s': atOnce.perSecond,
      'µs each at 64': spentIn(atOnce, parts),
      'over local, ms': name === remote ? ms(more) : '',
    };
  });
  return {
    title: 'A call through one hop of a cluster, beside its parts',
    note: `Through the executor, the log and the history of both nodes. µs of processor time; a bare round trip spends it in one process. Best of ${rounds} rounds. Spec: p50 at most 3.5 × the bare peer and 0.3 ms over a local call, 15,000 calls a second with 64 in flight.`,
    rows,
    pass: toBare <= limits.toBare && more <= limits.moreMs && (many.get(remote)?.perSecond ?? 0) >= limits.perSecond,
  };
}
