/**
 * A tools/call to a device, by its registry and through the executor, against a bare JSON-RPC peer on `ws`. Both servers
 * live in this process, both peers in a thread each; short rounds alternate and the best of each counts, so that what
 * else the machine does disturbs both alike. For 64 in flight the device's limit is raised to 64: boards take one call
 * at a time, py-xiaozhi handles frames concurrently.
 */
import { bareBed, hubBed, measure } from './callBeds.ts';
import type { Bed } from './callBeds.ts';

const rounds = 40;
const callsPerRound = 2_000;
const warmUp = 10_000;
/** Of calls one at a time, and of those through the executor. */
const limits = { call: 1.3, executor: 1.5 };

async function compare(
  name: string,
  { sockets, lanes, gate, executor = false }: { sockets: number; lanes: number; gate?: number; executor?: boolean },
): Promise<Record<string, string | number>> {
  const bare = await bareBed(sockets);
  const hub = await hubBed({ sockets, concurrency: lanes / sockets, executor });
  const spread = ({ calls }: Bed) => Array.from({ length: lanes }, (_, lane) => calls[lane % calls.length]!);
  const lanesOf = { bare: spread(bare), hub: spread(hub) };
  const times = { bare: [] as number[], hub: [] as number[] };
  try {
    await measure(lanesOf.bare, warmUp);
    await measure(lanesOf.hub, warmUp);
    for (let round = 0; round < rounds; round += 1) {
      times.bare.push(await measure(lanesOf.bare, callsPerRound));
      times.hub.push(await measure(lanesOf.hub, callsPerRound));
    }
  } finally {
    await hub.close();
    await bare.close();
  }
  const best = { bare: Math.min(...times.bare), hub: Math.min(...times.hub) };
  return {
    case: name,
    'bare calls/s': Math.round(1_000 / best.bare),
    'hub calls/s': Math.round(1_000 / best.hub),
    ratio: Number((best.hub / best.bare).toFixed(2)),
    limit: gate ?? '',
  };
}

/** Round trips of a device call against a bare `ws` peer, one at a time and with 64 in flight. */
export async function run(): Promise<{ title: string; rows: Record<string, string | number>[]; pass: boolean }> {
  const rows = [
    await compare('one at a time', { sockets: 1, lanes: 1, gate: limits.call }),
    // The rows of 64 calls are for information: the hub handles one frame per turn of the event loop, the bare peer all of
    // them at once. 64 sockets leave nothing to gather, so each call pays for its own write and its own log.
    await compare('64 in flight on one connection', { sockets: 1, lanes: 64 }),
    await compare('64 connections, one in flight each', { sockets: 64, lanes: 64 }),
    await compare('one at a time, through the executor', {
      sockets: 1,
      lanes: 1,
      gate: limits.executor,
      executor: true,
    }),
    await compare('64 in flight, through the executor', { sockets: 1, lanes: 64, executor: true }),
  ];
  return {
    title: 'A device call, against a bare JSON-RPC peer on ws (64 in flight: to a device that takes so many)',
    rows,
    pass: rows.every((row) => row['limit'] === '' || Number(row['ratio']) <= Number(row['limit'])),
  };
}
