import type { DatabaseSync } from 'node:sqlite';

import type { JsonValue } from '../base/json.ts';
import type { RemovedStore } from './removedTypes.ts';
import type { StorageHealth } from './storageHealth.ts';

/** A row for each thing: a text of megabytes is written once, and read when it comes back. */
export function createRemovedStore(database: DatabaseSync, health: Pick<StorageHealth, 'readable'>): RemovedStore {
  const newest = database.prepare('SELECT id, place, ifnull(length(text), 0) AS length FROM removed ORDER BY seq DESC');
  const textOf = database.prepare('SELECT text FROM removed WHERE id = ?');
  const insert = database.prepare('INSERT INTO removed (id, place, text) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM removed WHERE id IN (SELECT value FROM json_each(?))');
  return {
    list: () =>
      newest.all().flatMap(({ id, place, length }) => {
        const read = health.readable('removed', String(id), () => ({ place: JSON.parse(String(place)) as JsonValue }));
        return read === undefined ? [] : [{ id: String(id), place: read.place, length: Number(length) }];
      }),
    text(id) {
      const text = textOf.get(id)?.['text'];
      return typeof text === 'string' ? text : undefined;
    },
    add: ({ id, place, text }) => void insert.run(id, JSON.stringify(place), text ?? null),
    remove(ids) {
      if (ids.length > 0) remove.run(JSON.stringify(ids));
    },
  };
}
