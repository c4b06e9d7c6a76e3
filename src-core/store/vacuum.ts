import type { DatabaseSync } from 'node:sqlite';

import { logTransaction } from './transaction.ts';

/** Pages of 4 kB that one step frees. */
const stepPages = 256;

/** Free pages that stay in the file for what comes next: so many, and such a part of all. */
const sparePages = 1_024;
const sparePart = 1 / 8;

/**
 * Gives free pages back to the disk, a step at a time; true while there are more than are worth keeping. One that was made
 * before `auto_vacuum` was set does so from the start after it has too many on (`compact`).
 */
export function createVacuum(database: DatabaseSync): () => boolean {
  const free = database.prepare('PRAGMA freelist_count');
  const all = database.prepare('PRAGMA page_count');
  const mode = database.prepare('PRAGMA auto_vacuum');
  const incremental = 2;

  return () => {
    if (mode.get()?.['auto_vacuum'] !== incremental) return false;
    const tooMany = tooManyFree(Number(free.get()?.['freelist_count']), Number(all.get()?.['page_count']));
    if (tooMany <= 0) return false;
    const pages = Math.ceil(Math.min(tooMany, stepPages));
    logTransaction(database, () => database.exec(`PRAGMA incremental_vacuum(${pages})`));
    return tooMany > stepPages;
  };
}

/** How many free pages a database has beyond those worth keeping; zero or less if it has not too many. */
export function tooManyFree(free: number, all: number): number {
  return free - Math.max(sparePages, all * sparePart);
}

/**
 * Rewrites a database without its free pages, so that `createVacuum` can free pages from then on. Takes seconds for
 * hundreds of MB, needs as much free disk space as all of it, and blocks writers meanwhile: for a separate thread,
 * while no other process has the database open.
 * @throws {Error} If another process has it open after all, or the disk is full; then it is unchanged.
 */
export function compact(database: DatabaseSync): void {
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
}
