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
  `CREATE TABLE chats (
     id TEXT PRIMARY KEY,
     updated_at INTEGER NOT NULL,
     running INTEGER NOT NULL,
     revision INTEGER NOT NULL,
     record TEXT NOT NULL
   ) STRICT;
   CREATE TABLE chat_entries (
     chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     id TEXT NOT NULL,
     revision INTEGER NOT NULL,
     record TEXT NOT NULL,
     PRIMARY KEY (chat_id, position),
     UNIQUE (chat_id, id)
   ) STRICT;
   CREATE INDEX chat_entries_by_change ON chat_entries (chat_id, revision);
   CREATE TABLE chat_steps (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
     record TEXT NOT NULL
   ) STRICT;
   CREATE INDEX chat_steps_by_chat ON chat_steps (chat_id);`,
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
