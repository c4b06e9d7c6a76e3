import type { DatabaseSync } from 'node:sqlite';

import { frameBytes } from './frameTable.ts';
import type { WireTable } from './frameTypes.ts';
import type { GoneFrames } from './goneFrames.ts';
import { transaction } from './transaction.ts';

/** Frames that one step of bringing a log back moves: some ms. */
const stepFrames = 1_000;

/** No device has an id with a line break: it comes in an HTTP header. */
const nameOf = (key: string): string => `removed\n${key}`;

/**
 * Logs of devices that are set aside: the log keeps its frames and only its owner's name is taken off it, so that 90,000 frames
 * take no longer than one. `forget` is called with each log whose owner has changed.
 */
export function createLogsAside(
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
