import type { DatabaseSync } from 'node:sqlite';

import { logTransaction } from './transaction.ts';

/** Pages of 4 kB that one step gives back. */
const stepPages = 256;

/** Free pages that stay in the file for what comes next: so many, and such a part of all. */
const sparePages = 1_024;
const sparePart = 1 / 8;

/**
 * Gives free pages back to the disk, a step at a time; true while there are more than are worth keeping. A database that was
 * made before `auto_vacuum` was set keeps its size, and fills its free pages again.
 */
export function createVacuum(database: DatabaseSync): () => boolean {
  const free = database.prepare('PRAGMA freelist_count');
  const all = database.prepare('PRAGMA page_count');
  const mode = database.prepare('PRAGMA auto_vacuum');
  const incremental = 2;

  return () => {
    if (mode.get()?.['auto_vacuum'] !== incremental) return false;
    const spare = Math.max(sparePages, Number(all.get()?.['page_count']) * sparePart);
    const tooMany = Number(free.get()?.['freelist_count']) - spare;
    if (tooMany <= 0) return false;
    const pages = Math.ceil(Math.min(tooMany, stepPages));
    logTransaction(database, () => database.exec(`PRAGMA incremental_vacuum(${pages})`));
    return tooMany > stepPages;
  };
}
