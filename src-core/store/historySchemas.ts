import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

import { parseIntegersExactly } from '../base/exactNumber.ts';
import type { JsonSchema } from '../base/json.ts';

/** Characters of JSON; a schema that is longer is not kept. */
const maxSchemaLength = 512 * 1024;

/** Schemas that one sweep removes. */
const maxSwept = 200;

/** The schemas that calls were made against, each of them once. */
export interface HistorySchemas {
  /** The row of a schema, inserted if it is new; null for one that cannot be kept. */
  idOf(schema: JsonSchema): number | null;
  get(id: number): JsonSchema | undefined;
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
  // A tool's schema is the same object from call to call: it is written out once.
  const texts = new WeakMap<JsonSchema, { hash: string; text: string } | null>();

  function textOf(schema: JsonSchema): { hash: string; text: string } | null {
    const known = texts.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema);
    const made =
      text.length > maxSchemaLength ? null : { hash: createHash('sha256').update(text).digest('base64'), text };
    texts.set(schema, made);
    return made;
  }

  return {
    idOf(schema) {
      const known = textOf(schema);
      if (known === null) return null;
      // Asked each time: another process, or a sweep, may have taken it out.
      const row = find.get(known.hash);
      return Number(row ? row['id'] : insert.run(known.hash, known.text).lastInsertRowid);
    },
    get(id) {
      const row = one.get(id);
      return row && (parseIntegersExactly(String(row['schema'])) as JsonSchema);
    },
    sweep: () => sweep.run().changes === maxSwept,
  };
}
