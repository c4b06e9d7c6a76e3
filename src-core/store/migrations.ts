import type { DatabaseSync } from 'node:sqlite';

/** Each brings the schema from its index to the next version. Never changed once released; only appended to. */
const migrations: readonly string[] = [
  `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE history (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     call_id TEXT NOT NULL UNIQUE,
     qualified_name TEXT NOT NULL,
     started_at INTEGER NOT NULL,
     status TEXT NOT NULL,
     record TEXT NOT NULL
   ) STRICT;
   CREATE INDEX history_by_method ON history (qualified_name, seq);`,
];

/**
 * Brings a database to this version's schema, all or nothing (`PRAGMA user_version`).
 * @throws where a newer Toolwire made it.
 */
export function migrate(database: DatabaseSync): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > migrations.length) {
    throw new Error(
      `a newer Toolwire made it (schema ${version}; this one knows ${migrations.length}). ` +
        'Update Toolwire, or give another --data-dir.',
    );
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    database.exec(`BEGIN IMMEDIATE; ${sql} PRAGMA user_version = ${index + 1}; COMMIT;`);
  }
}
