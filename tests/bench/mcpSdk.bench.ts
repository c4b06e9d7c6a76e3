/**
 * A device's tools listed and called: by our client of a device in its hub, by the official MCP client and by a bare
 * JSON-RPC peer, each over a WebSocket of `ws` on this side, with the same frames to the same device in one other thread.
 * Short rounds take turns and each round's figures are set against the official client's of the same turn, whatever else
 * the machine does; the median of these ratios counts, the first turns do not.
 */
import { measure } from './callBeds.ts';
import type { Call } from './callBeds.ts';
import { bareListing, hubListing, listBare, listBySdk, listedTools } from './listingBeds.ts';
import { bareBed, ourBed, sdkBed } from './mcpSdkBeds.ts';
import type { CallBed } from './mcpSdkBeds.ts';
import { startDevice } from './mcpSdkPeer.ts';
import type { BenchDevice } from './mcpSdkPeer.ts';

type Row = Record<string, string | number>;
type Side = 'ours' | 'executor' | 'sdk' | 'bare';

/** What one side needs for one call or listing, in µs. */
interface Cost {
  time: number;
  /** Processor time of this thread. */
  processor: number;
}

const turns = 60;
const warmUpTurns = 10;
const callsPerRound = 1_000;
const connectionsPerRound = 10;
/** How many times as long as a call of the bare peer one of ours may take, one at a time. */
const limit = 1.3;

const note =
  'Ours is `DeviceToolClient` in its hub, with the time-out that the official client sets by default and the log in memory; ' +
  'what the store’s recorder adds stands under “Wire logs”. All three speak the same frames, by `ws` on this side, to ' +
  `one device in another thread that makes its answers by hand. ${turns} turns of short rounds, after ${warmUpTurns} for ` +
  'warming up: medians, and of the ratios the median over the turns. µs: processor time of this side’s thread for one ' +
  'call, the system’s part included. “Bare” keeps no time, checks nothing and logs nothing: no client on `ws` makes many ' +
  'more calls one at a time than it does, since the rest is the system, `ws` and the way to the device and back. The bare peer ' +
  'and the official client handle all frames that have arrived in one turn of the event loop, ours one per turn, so that a ' +
  'burst of frames blocks nothing: calls in flight are not limited.';

/** `round` gives the ms of one call. */
async function costOf(count: number, round: () => Promise<number>): Promise<Cost> {
  const before = process.threadCpuUsage();
  const time = (await round()) * 1_000;
  const { user, system } = process.threadCpuUsage(before);
  return { time, processor: (user + system) / count };
}

/** Every side's costs, one for each turn. Each turn begins with another side. */
async function takeTurns(rounds: Partial<Record<Side, () => Promise<Cost>>>): Promise<Partial<Record<Side, Cost[]>>> {
  const costs: Partial<Record<Side, Cost[]>> = {};
  const sides = Object.entries(rounds) as [Side, () => Promise<Cost>][];
  for (let turn = 0; turn < warmUpTurns + turns; turn += 1) {
    sides.push(sides.shift()!);
    for (const [side, round] of sides) {
      const cost = await round();
      if (turn >= warmUpTurns) (costs[side] ??= []).push(cost);
    }
  }
  return costs;
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? NaN;
}

/** One line, of `side` against the official client. */
function row(what: string, costs: Partial<Record<Side, Cost[]>>, side: Side, atMost?: number): Row {
  const { sdk = [], bare = [], [side]: ours = [] } = costs;
  const perSecond = (all: Cost[]): number => Math.round(1_000_000 / median(all.map(({ time }) => time)));
  const processor = (all: Cost[]): string => median(all.map((cost) => cost.processor)).toFixed(1);
  const ratio = (above: Cost[], below: Cost[], of: keyof Cost): number =>
    Number(median(above.map((cost, turn) => cost[of] / (below[turn]?.[of] ?? NaN))).toFixed(2));
  return {
    what,
    'ours, a second': perSecond(ours),
    'MCP SDK, a second': perSecond(sdk),
    'bare, a second': perSecond(bare),
    'ours, µs': processor(ours),
    'MCP SDK, µs': processor(sdk),
    'bare, µs': processor(bare),
    'SDK ÷ ours, µs': ratio(sdk, ours, 'processor'),
    'ours ÷ SDK, a second': ratio(sdk, ours, 'time'),
    'bare ÷ ours, a second': ratio(ours, bare, 'time'),
    'at most': atMost ?? '',
  };
}

async function calls(device: BenchDevice, name: string, lanes: number, atMost?: number): Promise<Row[]> {
  const beds: Record<Side, CallBed> = {
    ours: await ourBed(device, lanes, 'client'),
    executor: await ourBed(device, lanes, 'executor'),
    sdk: await sdkBed(device),
    bare: await bareBed(device),
  };
  const roundOf = ({ call }: CallBed) => {
    const all = Array.from({ length: lanes }, (): Call => call);
    return () => costOf(callsPerRound, () => measure(all, callsPerRound));
  };
  try {
    const { ours, executor, sdk, bare } = beds;
    const rounds = { ours: roundOf(ours), executor: roundOf(executor), sdk: roundOf(sdk), bare: roundOf(bare) };
    const costs = await takeTurns(rounds);
    return [row(name, costs, 'ours', atMost), row(`${name}, through the executor`, costs, 'executor')];
  } finally {
    for (const bed of Object.values(beds)) await bed.close();
  }
}

async function listing(device: BenchDevice): Promise<Row> {
  const ours = await hubListing(device);
  const roundOf =
    ({ next }: { next: () => Promise<number> }) =>
    () =>
      costOf(connectionsPerRound, async () => {
        let sum = 0;
        for (let count = 0; count < connectionsPerRound; count += 1) sum += await next();
        return sum / connectionsPerRound;
      });
  try {
    const [sdk, bare] = [bareListing(device, listBySdk), bareListing(device, listBare)];
    const costs = await takeTurns({ ours: roundOf(ours), sdk: roundOf(sdk), bare: roundOf(bare) });
    return row(`hello to ${listedTools} tools (µs: with the connection)`, costs, 'ours');
  } finally {
    await ours.close();
  }
}

/** The same device's tools listed and called by us, by the official MCP client and by the least there is. */
export async function run(): Promise<{ title: string; note: string; rows: Row[]; pass: boolean }> {
  const device = await startDevice(listedTools);
  try {
    const rows = [
      ...(await calls(device, 'tools/call, one at a time', 1, limit)),
      ...(await calls(device, 'tools/call, 64 in flight', 64)),
      await listing(device),
    ];
    return {
      title: 'A device against the official MCP TypeScript client (2.4.0)',
      note,
      rows,
      pass: rows.every(
        (each) => each['at most'] === '' || Number(each['bare ÷ ours, a second']) <= Number(each['at most']),
      ),
    };
  } finally {
    await device.close();
  }
}
