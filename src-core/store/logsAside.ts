import type { DatabaseSync } from 'node:sqlite';

import { frameBytes } from './frameTable.ts';
import type { WireTable } from './frameTypes.ts';
import type { GoneFrames } from './goneFrames.ts';
import { transaction } from './transaction.ts';

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
  const takes = database.prepare(
    `SELECT count(*) AS frames, ifnull(sum(${frameBytes} + ifnull(octet_length(text), 0)), 0) AS bytes
     FROM wire_frames WHERE log = ?`,
  );
  const move = database.prepare('UPDATE wire_frames SET log = ? WHERE log = ?');

  function logOf(id: string): { log: number; frames: number } | undefined {
    const row = find.get(id);
    return row && { log: Number(row['log']), frames: Number(row['frames']) };
  }

  /** Moves the frames of the shorter log to the longer one, which is the device's from now on. */
  function merge(aside: number, live: number, isLonger: boolean): number {
    const [from, to] = isLonger ? [live, aside] : [aside, live];
    const { frames = 0, bytes = 0 } = takes.get(from) ?? {};
    move.run(to, from);
    grow.run(frames, bytes, to);
    // The facts of a device come from its newer log, if that has any.
    setFacts.run(factsOf.get(live)?.['facts'] ?? factsOf.get(aside)?.['facts'] ?? null, to);
    remove.run(from);
    forget(from);
    return to;
  }

  return {
    putBack: (key, id) =>
      transaction(database, () => {
        const aside = logOf(nameOf(key));
        const live = logOf(id);
        if (aside === undefined) return false;
        const log = live === undefined ? aside.log : merge(aside.log, live.log, aside.frames >= live.frames);
        rename.run(id, null, log);
        forget(log);
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
