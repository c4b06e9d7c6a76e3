import type { DatabaseSync } from 'node:sqlite';

import type { Chores } from './chores.ts';
import { createFrameTable, frameBytes } from './frameTable.ts';
import type { Frame } from '../contract/frames.ts';
import { logIdOf, ownerOf, type StoredDevice, type WireTable, type WriteOutcome } from './frameTypes.ts';
import { createGoneFrames, type GoneFrames } from './goneFrames.ts';
import { unlessStorageFails } from './storageError.ts';
import type { StorageHealth } from './storageHealth.ts';
import { logTransaction, transaction } from './transaction.ts';

/** The most that one write lets go: some ms. A limit that was lowered takes several writes. */
const maxDropped = 4_000;
const maxDroppedBytes = 4_000_000;

/** What is let go beyond the limit, as a part of it, so that not every write has something to let go. */
const slack = 0.01;

/** Logs that are shared and have frames. */
const shared = 'FROM wire_devices WHERE aside IS NULL AND instr(device_id, char(10)) > 0 AND frames > 0';

type Size = { frames: number; bytes: number };

/** Frames of all devices in one table, the newest last; what each device's frames take stands beside its facts. */
export function createWireStore(
  database: DatabaseSync,
  chores: Pick<Chores, 'tidy' | 'add'>,
  health: Pick<StorageHealth, 'readable'>,
): WireTable {
  const logs = createLogs(database);
  const table = createFrameTable(database, 'wire_frames', logs.ownerOf);
  const shrink = createEviction(database, logs.grow);
  const describe = database.prepare(
    'INSERT INTO wire_devices (device_id, facts) VALUES (?, ?) ON CONFLICT (device_id) DO UPDATE SET facts = excluded.facts',
  );
  const aside = createLogsAside(database, {
    gone: createGoneFrames(database, { table: 'wire_frames', chores }),
    forget: logs.forget,
  });
  // Devices of earlier runs whose frames have all gone.
  unlessStorageFails(() => database.exec('DELETE FROM wire_devices WHERE frames <= 0'));
  /** Whether the last write left more than the limit. */
  let wasOver = false;

  function keep(frames: readonly Frame[]): void {
    const sizes = new Map<string, { log: number; frames: number; bytes: number }>();
    for (const frame of frames) {
      const id = logIdOf(frame);
      let owner = sizes.get(id);
      if (owner === undefined) {
        owner = { log: logs.meet(id), frames: 0, bytes: 0 };
        sizes.set(id, owner);
      }
      table.insert(owner.log, frame);
      owner.frames += 1;
      owner.bytes += frameBytes + (frame.text === undefined ? 0 : Buffer.byteLength(frame.text));
    }
    for (const { log, ...size } of sizes.values()) logs.grow(log, size);
  }

  return {
    ...createNumbers(database),
    write({ frames, devices, limit }) {
      const outcome = logTransaction(database, () => {
        for (const device of devices) describe.run(device.id, JSON.stringify(device));
        keep(frames);
        return shrink(limit);
      });
      if (wasOver && outcome !== 'more') chores.tidy();
      wasOver = outcome === 'more';
      return outcome;
    },
    ...createDevices(database, health),
    // No log has the number 0.
    log: (id, connection) => table.log(id === undefined ? undefined : (logs.known(id) ?? 0), connection),
    callFrames: table.callFrames,
    ...aside,
  };
}

/** Gives out the numbers of frames, a block at a time. */
function createNumbers(database: DatabaseSync): Pick<WireTable, 'reserve' | 'release'> {
  const reserve = database.prepare('UPDATE wire_numbers SET next = max(next, ?) + ? RETURNING next');
  const numbers = database.prepare('SELECT next FROM wire_numbers');
  const release = database.prepare('UPDATE wire_numbers SET next = ? WHERE next = ?');
  /** The first number that has not been given out, in this process. */
  let unused = 0;

  return {
    reserve(count) {
      const kept = unlessStorageFails(() =>
        logTransaction(database, () => Number(reserve.get(unused, count)?.['next'])),
      );
      // If the disk cannot be written, the numbers are kept with the next block that can.
      unused = kept ?? Math.max(unused, Number(numbers.get()?.['next'])) + count;
      return unused - count;
    },
    release(first, end) {
      if (unused === end) unused = first;
      unlessStorageFails(() => logTransaction(database, () => release.run(first, end)));
    },
  };
}

/** The logs, and what their frames take. */
function createLogs(database: DatabaseSync) {
  const meet = database.prepare('INSERT OR IGNORE INTO wire_devices (device_id) VALUES (?)');
  const logOf = database.prepare('SELECT log FROM wire_devices WHERE device_id = ?');
  const idOf = database.prepare('SELECT device_id FROM wire_devices WHERE log = ?');
  const grow = database.prepare('UPDATE wire_devices SET frames = frames + ?, bytes = bytes + ? WHERE log = ?');
  const owners = new Map<number, ReturnType<typeof ownerOf>>();

  function learn(log: number): ReturnType<typeof ownerOf> {
    const owner = ownerOf(String(idOf.get(log)?.['device_id'] ?? ''));
    owners.set(log, owner);
    return owner;
  }

  function known(id: string): number | undefined {
    const row = logOf.get(id);
    return row && Number(row['log']);
  }

  return {
    ownerOf: (log: number) => owners.get(log) ?? learn(log),
    known,
    /** The number of a log, which is added if there is none. */
    meet(id: string): number {
      meet.run(id);
      return known(id) ?? 0;
    },
    grow: (log: number, { frames, bytes }: Size) => void grow.run(frames, bytes, log),
    forget: (log: number) => owners.delete(log),
  };
}

/** What is known of the devices that have logs. */
function createDevices(
  database: DatabaseSync,
  health: Pick<StorageHealth, 'readable'>,
): Pick<WireTable, 'devices' | 'device' | 'ids' | 'conversations'> {
  const parts = database.prepare(`SELECT device_id ${shared} AND device_id > ? AND device_id < ? ORDER BY log DESC`);
  const withFrames = database.prepare(
    `SELECT log, facts, (SELECT max(seq) FROM wire_frames WHERE log = wire_devices.log) AS last
     FROM wire_devices WHERE frames > 0 AND facts IS NOT NULL AND aside IS NULL AND instr(device_id, char(10)) = 0
     ORDER BY last DESC`,
  );
  const ids = database.prepare('SELECT device_id FROM wire_devices WHERE facts IS NOT NULL');
  const factsOf = database.prepare('SELECT log, facts FROM wire_devices WHERE device_id = ?');

  const readFacts = (log: number, facts: unknown): StoredDevice | undefined =>
    health.readable('devices', log, () => JSON.parse(String(facts)) as StoredDevice);

  return {
    devices: () => withFrames.all().flatMap(({ log, facts }) => readFacts(Number(log), facts) ?? []),
    device(id) {
      const row = factsOf.get(id);
      return typeof row?.['facts'] === 'string' ? readFacts(Number(row['log']), row['facts']) : undefined;
    },
    ids: () => ids.all().map(({ device_id: id }) => String(id)),
    conversations() {
      const first = logIdOf({ source: 'realtime', connection: '' });
      return parts.all(first, `${first}\u{10ffff}`).map(({ device_id: id }) => String(id));
    },
  };
}

/**
 * Returns what deletes the oldest frames; those of logs that are set aside first, then those of shared logs if they have more than half
 * the limit: anybody can write to the gateway's, and devices must keep theirs.
 */
function createEviction(database: DatabaseSync, grow: (log: number, size: Size) => void) {
  const total = database.prepare('SELECT sum(bytes) AS bytes FROM wire_devices');
  const oldest = database.prepare(
    `SELECT seq, log, ${frameBytes} + ifnull(octet_length(text), 0) AS bytes FROM wire_frames ORDER BY seq LIMIT ${maxDropped}`,
  );
  const drop = database.prepare('DELETE FROM wire_frames WHERE seq <= ?');
  const oldestAside = database.prepare('SELECT log FROM wire_devices WHERE aside IS NOT NULL AND frames > 0 LIMIT 1');
  const oldestShared = database.prepare(
    `SELECT log ${shared} AND (SELECT sum(bytes) ${shared}) > ?
     ORDER BY (SELECT min(seq) FROM wire_frames WHERE log = wire_devices.log) LIMIT 1`,
  );
  const oldestOf = database.prepare(
    `SELECT seq, log, ${frameBytes} + ifnull(octet_length(text), 0) AS bytes FROM wire_frames WHERE log = ? ORDER BY seq LIMIT ${maxDropped}`,
  );
  const dropOf = database.prepare('DELETE FROM wire_frames WHERE log = ? AND seq <= ?');

  return (limit: number): WriteOutcome => {
    const bytes = Number(total.get()?.['bytes'] ?? 0);
    if (bytes <= limit) return 'kept';
    const wanted = bytes - limit + limit * slack;
    const gone = new Map<number, Size>();
    let freed = 0;
    let last = -1;
    const first = oldestAside.get()?.['log'] ?? oldestShared.get(limit / 2)?.['log'];
    for (const row of typeof first === 'number' ? oldestOf.iterate(first) : oldest.iterate()) {
      const [seq, log, size] = [Number(row['seq']), Number(row['log']), Number(row['bytes'])];
      const owner = gone.get(log) ?? { frames: 0, bytes: 0 };
      gone.set(log, { frames: owner.frames + 1, bytes: owner.bytes + size });
      last = seq;
      freed += size;
      if (freed >= Math.min(wanted, maxDroppedBytes)) break;
    }
    if (typeof first === 'number') dropOf.run(first, last);
    else drop.run(last);
    for (const [log, { frames, bytes: size }] of gone) grow(log, { frames: -frames, bytes: -size });
    return bytes - freed > limit ? 'more' : 'evicted';
  };
}

/** Frames that one step of bringing a log back moves: some ms. */
const stepFrames = 1_000;

/** No device has an id with a line break: it comes in an HTTP header. */
const nameOf = (key: string): string => `removed\n${key}`;

/**
 * Logs of devices that are set aside: the log keeps its frames and only its owner's name is taken off it, so that 90,000 frames
 * take no longer than one. `forget` is called with each log whose owner has changed.
 */
function createLogsAside(
  database: DatabaseSync,
  { gone, forget }: { gone: GoneFrames; forget: (log: number) => void },
): Pick<WireTable, 'setAside' | 'putBack' | 'drop'> {
  const find = database.prepare('SELECT log, frames FROM wire_devices WHERE device_id = ?');
  const rename = database.prepare('UPDATE wire_devices SET device_id = ?, aside = ? WHERE log = ?');
  const copyFacts = database.prepare(
    'INSERT INTO wire_devices (device_id, facts) SELECT ?, facts FROM wire_devices WHERE log = ?',
  );
  const factsOf = database.prepare('SELECT facts FROM wire_devices WHERE log = ?');
  const setFacts = database.prepare('UPDATE wire_devices SET facts = ? WHERE log = ?');
  const remove = database.prepare('DELETE FROM wire_devices WHERE log = ?');
  const grow = database.prepare('UPDATE wire_devices SET frames = frames + ?, bytes = bytes + ? WHERE log = ?');
  const slice = database.prepare(
    `SELECT count(*) AS frames, sum(bytes) AS bytes, min(seq) AS first FROM (
       SELECT seq, ${frameBytes} + ifnull(octet_length(text), 0) AS bytes FROM wire_frames WHERE log = ? ORDER BY seq DESC LIMIT ${stepFrames}
     )`,
  );
  const move = database.prepare('UPDATE wire_frames SET log = ? WHERE log = ? AND seq >= ?');

  function logOf(id: string): { log: number; frames: number } | undefined {
    const row = find.get(id);
    return row && { log: Number(row['log']), frames: Number(row['frames']) };
  }

  /** Moves the newest frames, so that the log's beginning is returned last; true if none is left. */
  function moveSlice(from: number, to: number): boolean {
    const { frames, bytes, first } = slice.get(from) ?? {};
    const count = Number(frames ?? 0);
    if (count === 0) return true;
    move.run(to, from, Number(first));
    grow.run(count, Number(bytes), to);
    grow.run(-count, -Number(bytes), from);
    return count < stepFrames;
  }

  /** Moves a part of the shorter log to the longer one, which is the device's once nothing is left to move. */
  function merge(aside: number, live: number, isLonger: boolean, id: string): true | 'more' {
    const [from, to] = isLonger ? [live, aside] : [aside, live];
    if (!moveSlice(from, to)) return 'more';
    // The facts of a device come from its newer log, if that has any.
    setFacts.run(factsOf.get(live)?.['facts'] ?? factsOf.get(aside)?.['facts'] ?? null, to);
    remove.run(from);
    rename.run(id, null, to);
    forget(from);
    forget(to);
    return true;
  }

  return {
    putBack: (key, id) =>
      transaction(database, () => {
        const aside = logOf(nameOf(key));
        const live = logOf(id);
        if (aside === undefined) return false;
        if (live !== undefined) return merge(aside.log, live.log, aside.frames >= live.frames, id);
        rename.run(id, null, aside.log);
        forget(aside.log);
        return true;
      }),
    setAside: (id, { key, keepFacts }) =>
      transaction(database, () => {
        const found = logOf(id);
        if (found === undefined || (keepFacts && found.frames <= 0)) return;
        rename.run(nameOf(key), 1, found.log);
        if (keepFacts) copyFacts.run(id, found.log);
        forget(found.log);
      }),
    drop: (key) =>
      transaction(database, () => {
        const found = logOf(nameOf(key));
        if (found === undefined) return;
        remove.run(found.log);
        gone.add(found.log);
      }),
  };
}
