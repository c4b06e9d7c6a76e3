import type { DatabaseSync } from 'node:sqlite';

import type { Chores } from './chores.ts';
import { logTransaction } from './transaction.ts';

/** Frames that one step deletes, and bytes of their texts: some ms. */
const stepFrames = 1_000;
const stepBytes = 4_000_000;

type FrameTableName = 'wire_frames' | 'capture_frames';

/** Frames of logs that are gone: nobody finds them any more, and they are deleted a slice at a time, over restarts too. */
export interface GoneFrames {
  /** The log's frames are nobody's from now on. Within the transaction that takes the log away. */
  add(log: number): void;
}

/** Makes the list of one table, and begins with what an earlier run has left. */
export function createGoneFrames(
  database: DatabaseSync,
  { table, chores }: { table: FrameTableName; chores: Pick<Chores, 'add'> },
): GoneFrames {
  const insert = database.prepare('INSERT OR IGNORE INTO gone_frames (frames, log) VALUES (?, ?)');
  const next = database.prepare('SELECT log FROM gone_frames WHERE frames = ? LIMIT 1');
  const finish = database.prepare('DELETE FROM gone_frames WHERE frames = ? AND log = ?');
  const oldest = database.prepare(
    `SELECT rowid AS place, ifnull(octet_length(text), 0) AS bytes FROM ${table} WHERE log = ? LIMIT ${stepFrames}`,
  );
  const remove = database.prepare(`DELETE FROM ${table} WHERE rowid IN (SELECT value FROM json_each(?))`);

  function step(): boolean {
    const log = next.get(table)?.['log'];
    if (typeof log !== 'number') return false;
    logTransaction(database, () => {
      const rows: number[] = [];
      let bytes = 0;
      for (const row of oldest.iterate(log)) {
        rows.push(Number(row['place']));
        bytes += Number(row['bytes']);
        if (bytes >= stepBytes) break;
      }
      if (rows.length === 0) finish.run(table, log);
      else remove.run(JSON.stringify(rows));
    });
    return true;
  }

  if (next.get(table) !== undefined) chores.add(step);
  return {
    add(log) {
      insert.run(table, log);
      chores.add(step);
    },
  };
}
