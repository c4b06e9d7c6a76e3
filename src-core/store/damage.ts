import type { DatabaseSync } from 'node:sqlite';

/** SQLite's result codes for a file that is damaged, and for one that is not a database. */
const damaged = new Set([11, 26]);

/** Suffix of a file beside a database found damaged in use: the next start checks all of it. */
export const suspectSuffix = '.suspect';

/** SQLite's primary result code; 0 if the error is not SQLite's. */
export function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

/** Whether SQLite reports that the file is damaged or not a database. */
export function isDamage(error: unknown): boolean {
  return damaged.has(codeOf(error));
}

/**
 * Looks for damage, table by table; in the logs, which may be gigabytes, only if `logsToo`.
 * @throws as SQLite does for a damaged file.
 */
export function lookForDamage(database: DatabaseSync, { logsToo }: { logsToo: boolean }): void {
  const logs = logsToo ? [] : ['wire_frames', 'capture_frames'];
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(logs));
  for (const { name } of tables) {
    const found = String(database.prepare(`PRAGMA quick_check("${String(name)}")`).get()?.['quick_check']);
    // One line for every page that is damaged; one of them will do.
    if (found !== 'ok') throw Object.assign(new Error(found.split('\n').at(-1)), { errcode: 11 });
  }
}
