import { writeFileSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** SQLite's result codes for a file that is damaged, and for one that is no database. */
const damaged = new Set([11, 26]);

/** Stands beside a database that was found damaged in use: at the next start all of it is looked through. */
export const suspectSuffix = '.suspect';

/** SQLite's primary result code; 0 where the error is none of SQLite's. */
export function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

/** Whether this is SQLite saying that the file is damaged, or none of its own. */
export function isDamage(error: unknown): boolean {
  return damaged.has(codeOf(error));
}

/**
 * Looks for damage, table by table; in the logs, which may be gigabytes, only where `logsToo`.
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

/** Has every statement prepared from now on say what to do where it finds the file damaged, and the next start look. */
export function watchForDamage(database: DatabaseSync, path: string): void {
  const explain = (error: unknown): unknown => {
    if (!isDamage(error)) return error;
    writeFileSync(path + suspectSuffix, '', { mode: 0o600 });
    const why = error instanceof Error ? error.message : String(error);
    return new Error(`${path} is damaged (${why}). Start Toolwire again: it is moved aside then.`, { cause: error });
  };
  const watched =
    <A extends unknown[], R>(method: (...given: A) => R) =>
    (...given: A): R => {
      try {
        return method(...given);
      } catch (error) {
        throw explain(error);
      }
    };
  const prepare = watched(database.prepare.bind(database));
  const watchedStatement = (sql: string): StatementSync => {
    const statement = prepare(sql);
    const iterate = statement.iterate.bind(statement);
    return Object.assign(statement, {
      run: watched(statement.run.bind(statement)),
      get: watched(statement.get.bind(statement)),
      all: watched(statement.all.bind(statement)),
      *iterate(...values: Parameters<typeof iterate>) {
        try {
          yield* iterate(...values);
        } catch (error) {
          throw explain(error);
        }
      },
    });
  };
  Object.assign(database, { prepare: watchedStatement, exec: watched(database.exec.bind(database)) });
}
