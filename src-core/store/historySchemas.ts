import type { DatabaseSync } from 'node:sqlite';

import type { StoredSchema } from './historyTypes.ts';

/** Schemas that one sweep removes. */
const maxSwept = 200;
/** Schemas whose rows are remembered. */
const maxKnown = 10_000;

/** The schemas that calls were made against, each of them once. */
export interface HistorySchemas {
  /** The row of a schema, inserted if it is new. */
  idOf(schema: StoredSchema): number;
  /** JSON text. */
  get(id: number): string | undefined;
  /** The changes of a transaction were undone. */
  forget(): void;
  /** Removes some schemas that no call uses any more; true if there may be others. */
  sweep(): boolean;
}

/** Keeps each schema once, by its hash: a tool of 10 kB that is called 10,000 times takes 10 kB. */
export function createHistorySchemas(database: DatabaseSync): HistorySchemas {
  const find = database.prepare('SELECT id FROM history_schemas WHERE hash = ?');
  const insert = database.prepare('INSERT INTO history_schemas (hash, schema) VALUES (?, ?)');
  const one = database.prepare('SELECT schema FROM history_schemas WHERE id = ?');
  const sweep = database.prepare(
    `DELETE FROM history_schemas WHERE id IN (
       SELECT id FROM history_schemas
       WHERE NOT EXISTS (SELECT 1 FROM history_calls WHERE schema_id = history_schemas.id) LIMIT ${maxSwept}
     )`,
  );
  const known = new Map<string, number>();
  return {
    idOf({ hash, text }) {
      const id = known.get(hash) ?? Number(find.get(hash)?.['id'] ?? insert.run(hash, text).lastInsertRowid);
      if (known.size === maxKnown) known.clear();
      known.set(hash, id);
      return id;
    },
    forget: () => known.clear(),
    get(id) {
      const row = one.get(id);
      return row && String(row['schema']);
    },
    sweep() {
      known.clear();
      return sweep.run().changes === maxSwept;
    },
  };
}
