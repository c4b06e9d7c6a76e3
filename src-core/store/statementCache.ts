import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepares each SQL text once: for statements that come in many variants, few of which are ever needed. */
export function createStatementCache(database: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
