import type { DatabaseSync } from 'node:sqlite';

import { transaction } from './transaction.ts';

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
  // Searched values are in columns before "record", which holds the rest: a search never reads past a picture in it.
  `CREATE TABLE history_schemas (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, schema TEXT NOT NULL) STRICT;
   CREATE TABLE history_calls (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     call_id TEXT NOT NULL UNIQUE,
     qualified_name TEXT NOT NULL,
     source_kind TEXT NOT NULL,
     started_at INTEGER NOT NULL,
     status TEXT NOT NULL,
     schema_id INTEGER REFERENCES history_schemas (id),
     bytes INTEGER NOT NULL,
     args TEXT NOT NULL,
     result TEXT NOT NULL,
     record TEXT NOT NULL
   ) STRICT;
   INSERT INTO history_calls
     SELECT seq, call_id, qualified_name, ifnull(record ->> '$.source.kind', 'builtin'), started_at,
       iif(record -> '$.result.softFailure' IS NULL, status, 'soft-failure'), NULL, 300 + octet_length(record),
       ifnull(record -> '$.args', '{}'), ifnull(record ->> '$.result.result', ''),
       json_remove(record, '$.args', '$.result.result')
     FROM history;
   DROP TABLE history;
   CREATE INDEX history_calls_by_method ON history_calls (qualified_name, seq);
   CREATE INDEX history_calls_by_schema ON history_calls (schema_id) WHERE schema_id IS NOT NULL;
   CREATE TABLE history_size (bytes INTEGER NOT NULL) STRICT;
   INSERT INTO history_size SELECT ifnull(sum(bytes), 0) FROM history_calls;
   CREATE TRIGGER history_grows AFTER INSERT ON history_calls
     BEGIN UPDATE history_size SET bytes = bytes + new.bytes; END;
   CREATE TRIGGER history_shrinks AFTER DELETE ON history_calls
     BEGIN UPDATE history_size SET bytes = bytes - old.bytes; END;
   CREATE TABLE saved_runs (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     folder TEXT NOT NULL,
     file TEXT NOT NULL,
     at INTEGER NOT NULL,
     verdict TEXT NOT NULL,
     duration_ms REAL
   ) STRICT;
   CREATE INDEX saved_runs_by_call ON saved_runs (folder, file, seq);`,
  // Arguments of a chat's calls become JSON text, which no reader rounds.
  `UPDATE chat_entries SET record = json_set(record, '$.calls', (
     SELECT json_group_array(json(json_remove(
       json_set(value, '$.askedArgsJson', value ->> '$.askedArgs', '$.argsJson', value ->> '$.args'),
       '$.askedArgs', '$.args'
     ))) FROM json_each(record, '$.calls')
   )) WHERE json_array_length(record, '$.calls') > 0;`,
  // Removed things that can be restored. A log that is set aside has no device; the frames of a deleted one are removed
  // gradually.
  `CREATE TABLE removed (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     place TEXT NOT NULL,
     text TEXT
   ) STRICT;
   INSERT OR IGNORE INTO removed (id, place, text)
     SELECT each.value ->> '$.id', json_remove(each.value, '$.id', '$.text'), each.value ->> '$.text'
     FROM settings, json_each(iif(json_valid(settings.value), settings.value, '[]')) AS each
     WHERE settings.key = 'removed' AND json_type(settings.value) = 'array' AND each.type = 'object'
     ORDER BY each.id DESC;
   DELETE FROM settings WHERE key = 'removed';
   ALTER TABLE wire_devices ADD COLUMN aside INTEGER;
   CREATE TABLE gone_frames (frames TEXT NOT NULL, log INTEGER NOT NULL, PRIMARY KEY (frames, log)) STRICT;`,
  // A chat whose file is stored in parts is not whole until all of them are.
  'ALTER TABLE chats ADD COLUMN is_whole INTEGER NOT NULL DEFAULT 1;',
  // Calls that have begun and not ended. Those that are here at a start were interrupted.
  'CREATE TABLE begun_calls (call_id TEXT PRIMARY KEY, args TEXT NOT NULL, record TEXT NOT NULL) STRICT;',
  'CREATE INDEX wire_frames_by_call ON wire_frames (call_id) WHERE call_id IS NOT NULL;',
  // Method, status and headers of a message over HTTP, as JSON.
  'ALTER TABLE wire_frames ADD COLUMN http TEXT; ALTER TABLE capture_frames ADD COLUMN http TEXT;',
  // The tool that a run of a saved call has called: the last device of `{{$device}}`.
  `ALTER TABLE saved_runs ADD COLUMN tool TEXT;`,
  // The sum of the bytes is read from an index: a call is written to fewer pages.
  `DROP TRIGGER history_grows;
   DROP TRIGGER history_shrinks;
   DROP TABLE history_size;
   DROP INDEX history_calls_by_method;
   CREATE INDEX history_calls_by_method ON history_calls (qualified_name, seq, bytes);`,
  // Calls that were stored as a success although their data does not match the outputSchema.
  `UPDATE history_calls SET status = 'mismatch'
   WHERE status = 'success' AND iif(json_valid(record), json_array_length(record, '$.result.outputIssues'), 0) > 0;`,
];

/** What `PRAGMA user_version` says of a database of this version. */
export const schemaVersion = migrations.length;

/**
 * Brings a database to this version's schema (`PRAGMA user_version`), or to an earlier one that is named, all or
 * nothing. One of several processes does it, and the others wait up to their busy timeout.
 * @throws {Error} If a newer Toolwire made it.
 */
export function migrate(database: DatabaseSync, upTo = schemaVersion): void {
  if (isUpToDate(database, upTo)) return;
  transaction(database, () => {
    // Asked once more: another process may have done it while this one waited for the lock.
    if (isUpToDate(database, upTo)) return;
    for (const sql of migrations.slice(versionOf(database), upTo)) database.exec(sql);
    database.exec(`PRAGMA user_version = ${upTo}`);
  });
}

/**
 * Whether there is nothing for `migrate` to do.
 * @throws {Error} If a newer Toolwire made it.
 */
export function isUpToDate(database: DatabaseSync, upTo = schemaVersion): boolean {
  const version = versionOf(database);
  if (version <= schemaVersion) return version >= upTo;
  throw new Error(
    `a newer Toolwire made it (schema ${version}; this one knows ${schemaVersion}). ` +
      'Update Toolwire, or give another --data-dir.',
  );
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
