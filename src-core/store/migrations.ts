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
  // `log` says whose a frame is. The frames of both tables have the same columns.
  `CREATE TABLE wire_devices (
     log INTEGER PRIMARY KEY AUTOINCREMENT,
     device_id TEXT NOT NULL UNIQUE,
     facts TEXT,
     frames INTEGER NOT NULL DEFAULT 0,
     bytes INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE wire_numbers (next INTEGER NOT NULL) STRICT;
   INSERT INTO wire_numbers VALUES (1);
   CREATE TABLE wire_frames (
     seq INTEGER PRIMARY KEY,
     log INTEGER NOT NULL,
     at INTEGER NOT NULL,
     direction TEXT NOT NULL,
     kind TEXT NOT NULL,
     type TEXT NOT NULL,
     role TEXT,
     method TEXT,
     summary TEXT NOT NULL,
     rpc_id REAL,
     call_id TEXT,
     bytes INTEGER NOT NULL,
     duration_ms REAL,
     failed INTEGER,
     cut INTEGER,
     text TEXT
   ) STRICT;
   CREATE INDEX wire_frames_by_log ON wire_frames (log);
   CREATE TABLE captures (
     log INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     exported_at INTEGER NOT NULL,
     device TEXT NOT NULL,
     frames INTEGER NOT NULL DEFAULT 0,
     size INTEGER NOT NULL DEFAULT 0,
     bytes INTEGER NOT NULL DEFAULT 0,
     first_at INTEGER,
     last_at INTEGER,
     tool_count INTEGER NOT NULL DEFAULT 0,
     call_count INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE capture_frames (
     log INTEGER NOT NULL,
     seq INTEGER NOT NULL,
     at INTEGER NOT NULL,
     direction TEXT NOT NULL,
     kind TEXT NOT NULL,
     type TEXT NOT NULL,
     role TEXT,
     method TEXT,
     summary TEXT NOT NULL,
     rpc_id REAL,
     call_id TEXT,
     bytes INTEGER NOT NULL,
     duration_ms REAL,
     failed INTEGER,
     cut INTEGER,
     text TEXT
   ) STRICT;
   CREATE UNIQUE INDEX capture_frames_by_log ON capture_frames (log, seq);`,
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
