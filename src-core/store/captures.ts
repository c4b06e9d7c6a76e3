import type { DatabaseSync } from 'node:sqlite';

import type { Chores } from './chores.ts';
import { createFrameTable, frameBytes } from './frameTable.ts';
import type { Frame } from '../contract/frames.ts';
import type { CaptureTable, StoredCapture } from './frameTypes.ts';
import { createGoneFrames } from './goneFrames.ts';
import type { StorageHealth } from './storageHealth.ts';
import { transaction } from './transaction.ts';

/** Imported captures, and their frames in a table of their own: no limit of the devices' logs lets them go. */
export function createCaptureStore(
  database: DatabaseSync,
  chores: Pick<Chores, 'add'>,
  health: Pick<StorageHealth, 'readable'>,
): CaptureTable {
  const newest = database.prepare('SELECT * FROM captures ORDER BY log DESC');
  const one = database.prepare('SELECT * FROM captures WHERE log = ?');
  const create = database.prepare(
    'INSERT INTO captures (name, created_at, exported_at, device) VALUES (?, ?, ?, ?) RETURNING log',
  );
  const count = database.prepare(
    `UPDATE captures SET frames = frames + ?, size = ?, bytes = bytes + ?, first_at = ifnull(first_at, ?),
     last_at = ifnull(?, last_at), tool_count = ?, call_count = ? WHERE log = ?`,
  );
  const rename = database.prepare('UPDATE captures SET name = ? WHERE log = ?');
  const remove = database.prepare('DELETE FROM captures WHERE log = ?');
  const total = database.prepare('SELECT sum(bytes) AS bytes FROM captures');
  const gone = createGoneFrames(database, { table: 'capture_frames', chores });
  type Owner = Pick<Frame, 'source' | 'connection'>;
  const owners = new Map<number, Owner>();
  const table = createFrameTable(database, 'capture_frames', (log) => owners.get(log) ?? learn(log));

  function learn(log: number): Owner {
    const { origin, device } = get(String(log)) ?? {};
    const owner: Owner = { source: origin ?? 'device', connection: device?.deviceId ?? '' };
    owners.set(log, owner);
    return owner;
  }

  const read = (row: Record<string, unknown>): StoredCapture | undefined =>
    health.readable('captures', Number(row['log']), () => toCapture(row));

  function get(id: string): StoredCapture | undefined {
    const row = one.get(numberOf(id));
    return row && read(row);
  }

  return {
    list: () => newest.all().flatMap((row) => read(row) ?? []),
    get,
    create: ({ name, createdAt, exportedAt, device, origin, about }) =>
      transaction(database, () =>
        String(create.get(name, createdAt, exportedAt, JSON.stringify({ ...device, origin, about }))?.['log']),
      ),
    append(id, { frames, size, toolCount, callCount }) {
      const log = numberOf(id);
      transaction(database, () => {
        let bytes = 0;
        for (const frame of frames) {
          table.insert(log, frame);
          bytes += frameBytes + (frame.text === undefined ? 0 : Buffer.byteLength(frame.text));
        }
        const [firstAt = null, lastAt = null] = [frames[0]?.at, frames.at(-1)?.at];
        count.run(frames.length, size, bytes, firstAt, lastAt, toolCount, callCount, log);
      });
    },
    rename: (id, name) => void transaction(database, () => rename.run(name, numberOf(id))),
    remove(id) {
      const log = numberOf(id);
      transaction(database, () => {
        remove.run(log);
        gone.add(log);
      });
    },
    log: (id, connection) => table.log(numberOf(id), connection),
    bytes: () => Number(total.get()?.['bytes'] ?? 0),
  };
}

/** 0, which no capture has, for what is no id of ours. */
function numberOf(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

function toCapture(row: Record<string, unknown>): StoredCapture {
  const { first_at: firstAt, last_at: lastAt } = row;
  const { origin, about, ...device } = JSON.parse(String(row['device'])) as StoredCapture['device'] &
    Pick<StoredCapture, 'origin' | 'about'>;
  return {
    id: String(row['log']),
    name: String(row['name']),
    createdAt: Number(row['created_at']),
    exportedAt: Number(row['exported_at']),
    device,
    ...(origin !== undefined && { origin }),
    ...(about !== undefined && { about }),
    frames: Number(row['frames']),
    size: Number(row['size']),
    ...(typeof firstAt === 'number' && { firstAt }),
    ...(typeof lastAt === 'number' && { lastAt }),
    toolCount: Number(row['tool_count']),
    callCount: Number(row['call_count']),
  };
}
