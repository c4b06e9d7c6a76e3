/**
 * What it costs to keep every frame, and how fast a window gets 100,000 of them. Recording is measured in a tools/call to a
 * device, against the same hub without a recorder; rounds take turns, and the best of each counts. All but the batches is
 * processor time of this thread, which is what a recorder takes from the engine, whatever else the machine does.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

import { systemClock } from '../../src-core/base/clock.ts';
import { defaultSettings } from '../../src-core/contract/defaultSettings.ts';
import { createEventBus } from '../../src-core/features/context.ts';
import { createDeviceHub } from '../../src-core/features/devices/deviceHub.ts';
import { createListener } from '../../src-core/server/createListener.ts';
import type { Frame } from '../../src-core/contract/frames.ts';
import { openStore } from '../helpers/testStore.ts';
import type { Store } from '../../src-core/store/types.ts';
import { createToolRegistryManager } from '../../src-core/registry/toolRegistryManager.ts';
import { openFrames } from '../../src-core/features/frames/service.ts';
import { openFrameLog } from '../../src-core/features/frames/frameLog.ts';
import type { DevicePeerData } from './devicePeer.ts';

type Row = Record<string, string | number>;

const rounds = 12;
const callsPerRound = 5_000;
const kept = 100_000;

const raise = (error: unknown): never => {
  throw error;
};

/** A hub with one device; with a store, every frame is recorded. Gives µs per call of a round. */
async function deviceBed(store: Store | undefined, lanes: number) {
  const listener = createListener({ port: 0, onError: raise });
  const toolRegistryManager = createToolRegistryManager();
  const frames = store && (await openFrameLog({ store: store.wire, limitMb: 64, onError: raise }));
  const hub = createDeviceHub({
    listener,
    toolRegistryManager,
    maxConcurrentCalls: () => lanes,
    ...(frames && { frames }),
  });
  const { port } = await listener.listen();
  const ready = new Promise<void>((resolve) => void toolRegistryManager.onChange(() => resolve()));
  const peerData: DevicePeerData = {
    url: `ws://127.0.0.1:${port}/xiaozhi/v1/`,
    sockets: 1,
    kind: 'xiaozhi',
    serverName: 'bench',
  };
  const peer = new Worker(new URL('./devicePeer.ts', import.meta.url), { workerData: peerData });
  await ready;
  const [registry] = toolRegistryManager.getAllTools();
  let lastCall = 0;
  const { signal } = new AbortController();
  const call = () =>
    registry!.invoke(
      'self.set',
      { volume: 50 },
      { signal, timeoutMs: 30_000, callId: `call-${(lastCall += 1)}`, onStart: () => undefined },
    );
  return {
    async round(): Promise<number> {
      const start = threadMs();
      const lane = async () => {
        for (let count = 0; count < callsPerRound / lanes; count += 1) await call();
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      return ((threadMs() - start) * 1_000) / callsPerRound;
    },
    async close(): Promise<void> {
      await hub.close();
      frames?.close();
      await peer.terminate();
      await listener.close();
    },
  };
}

async function recording(store: Store, lanes: number, limit: number): Promise<Row> {
  const [without, with_] = [await deviceBed(undefined, lanes), await deviceBed(store, lanes)];
  const best = { without: Infinity, with: Infinity };
  for (let round = 0; round < rounds; round += 1) {
    best.without = Math.min(best.without, await without.round());
    best.with = Math.min(best.with, await with_.round());
  }
  await without.close();
  await with_.close();
  const what = `a call with its two frames recorded, ${lanes} in flight, µs`;
  return row(what, best.with, 'not recorded', best.without, limit);
}

function frames(): Frame[] {
  const said = '{"audio_speaker":{"volume":70},"network":{"type":"wifi","ssid":"书房"}}';
  return Array.from({ length: kept }, (_, index) => {
    const isAnswer = index % 2 === 1;
    const payload = isAnswer
      ? { jsonrpc: '2.0', id: index, result: { content: [{ type: 'text', text: said }], isError: false } }
      : { jsonrpc: '2.0', id: index, method: 'tools/call', params: { name: 'self.audio_speaker.set_volume' } };
    const text = JSON.stringify({ session_id: '6f1f6c0a-2c3b-4b0e-9a55-0d5f0a0e6c11', type: 'mcp', payload });
    return {
      source: 'device',
      connection: `device-${index % 4}`,
      seq: 1_000_000 + index,
      at: 1.7e12 + index,
      kind: 'text',
      type: 'mcp',
      direction: isAnswer ? 'in' : 'out',
      role: isAnswer ? 'answer' : 'request',
      method: 'tools/call',
      summary: 'tools/call self.audio_speaker.set_volume',
      rpcId: index,
      callId: `call-${index >> 1}`,
      bytes: text.length,
      text,
      ...(isAnswer && { durationMs: 0.7 }),
    };
  });
}

/** Writes by batches as the recorder does; ms of each. */
async function fill(store: Store): Promise<number[]> {
  const all = frames();
  const times: number[] = [];
  for (let at = 0; at < kept; at += 500) {
    const start = performance.now();
    store.wire.write({ frames: all.slice(at, at + 500), devices: [], limit: Infinity });
    times.push(performance.now() - start);
  }
  return times.sort((one, other) => one - other);
}

async function reading(store: Store, path: string): Promise<Row[]> {
  const { service: logs } = await openFrames({
    store,
    events: createEventBus(),
    settings: () => defaultSettings,
    clock: systemClock,
    onError: raise,
    trash: { bin: { handle: () => undefined, put: () => '' }, captures: store.captures },
  });
  const raw = new DatabaseSync(path);
  const pages = async () => {
    const rows = [];
    for (let afterSeq = 0; rows.length < kept; afterSeq = rows.at(-1)!.seq) {
      rows.push(...(await logs.page({ source: 'device', afterSeq, limit: 20_000 })).rows);
    }
    return rows;
  };
  const all = await pages();
  const like = raw.prepare(`SELECT count(*) AS found FROM wire_frames WHERE text LIKE '%wohnzimmer%'`);
  const page = await best(pages);
  const json = await best(() => JSON.stringify(all));
  const search = await best(() => logs.search({ source: 'device', text: 'wohnzimmer' }));
  const floor = await best(() => like.get());
  const hits = await best(() => logs.search({ source: 'device', text: '书房' }));
  const one = await best(() => logs.page({ source: 'device', connection: 'device-1', limit: 20_000 }));
  raw.close();
  return [
    row('100,000 rows in pages of 20,000, ms', page, 'JSON.stringify of them', json, 5),
    row('a page of 20,000 rows of one device, ms', one, 'a fifth of that', json / 5, 6),
    row('a search in 100,000 frames, no hit, ms', search, 'SQLite’s own scan', floor, 5),
    row('a search in 100,000 frames, 50,000 hits, ms', hits, 'SQLite’s own scan', floor, 5),
  ];
}

/** Processor time of this thread so far, ms. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function best(run: () => unknown): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const start = threadMs();
    await run();
    least = Math.min(least, threadMs() - start);
  }
  return least;
}

function row(what: string, measured: number, peer: string, floor: number, limit: number): Row {
  return {
    what,
    measured: measured.toFixed(1),
    against: `${peer}: ${floor.toFixed(1)}`,
    ratio: Number((measured / floor).toFixed(2)),
    limit,
  };
}

/** Wire logs: recorded, paged and searched. */
export async function run(): Promise<{ title: string; rows: Row[]; pass: boolean }> {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const [recorded, shown] = [join(dir, 'recorded.db'), join(dir, 'shown.db')];
  const stores = [openStore({ path: recorded }), openStore({ path: shown })] as const;
  try {
    const rows = [await recording(stores[0], 1, 2), await recording(stores[0], 64, 3)];
    const batches = await fill(stores[1]);
    rows.push(...(await reading(stores[1], shown)));
    const middle = batches[batches.length >> 1] ?? 0;
    const last = batches[Math.floor(batches.length * 0.99)] ?? 0;
    rows.push({
      what: 'a batch of 500 frames written, ms',
      measured: `p50 ${middle.toFixed(1)}, p99 ${last.toFixed(1)}`,
    });
    rows.push({ what: '100,000 frames on disk, MB', measured: (statSync(shown).size / 1e6).toFixed(0) });
    return {
      title: 'Wire logs: every frame kept, 100,000 of them shown',
      rows,
      pass: rows.every(({ ratio, limit }) => ratio === undefined || Number(ratio) <= Number(limit)),
    };
  } finally {
    for (const store of stores) await store.close();
    rmSync(dir, { recursive: true });
  }
}
