import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import { suspectSuffix } from './damage.ts';
import { schemaVersion } from './migrations.ts';
import { tooManyFree } from './vacuum.ts';

const entry = new URL(import.meta.url.endsWith('.ts') ? './databaseWorker.ts' : './databaseWorker.js', import.meta.url);

/** Where SQLite keeps a number in a file: four bytes, the highest first (sqlite.org/fileformat2.html §1.3). */
const places = { pages: 28, freePages: 36, version: 60, incrementalVacuum: 64 };

/**
 * Looks for damage in a database that was not closed, brings one of an older Toolwire up to date, and compacts one that
 * has many free pages and dates from before these could be freed. All of it runs in a separate thread, as it takes
 * seconds with 100,000 calls. Any other database is left unchanged.
 * @throws {Error} Names the file, if it cannot be opened.
 */
export async function prepareDatabase(path: string): Promise<PreparedDatabase> {
  // If it is not a file, opening it reports the error.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {};
  const leftOpen = wasLeftOpen(path);
  const { pages, freePages, version, incrementalVacuum } = headerOf(path);
  const lookForDamage = leftOpen || version < schemaVersion;
  // If it was left open, another process may still have it open, and could not write meanwhile.
  const isToBeSmaller = !leftOpen && incrementalVacuum === 0 && tooManyFree(freePages, pages) > 0;
  if (!lookForDamage && !isToBeSmaller) return {};
  const workerData = { path, lookForDamage, isToBeSmaller } satisfies DatabaseWork;
  const worker = new Worker(entry, { workerData, env: {}, argv: [], execArgv: [], name: 'database' });
  return new Promise((resolve, reject) => {
    let prepared: PreparedDatabase = {};
    worker.once('message', (said: PreparedDatabase) => (prepared = said));
    worker.once('error', reject);
    // Comes last, perhaps in the same turn as the message.
    worker.once('exit', () => resolve(prepared));
  });
}

/** What came of it. */
export interface PreparedDatabase {
  /** Set if it was damaged and moved aside, or could not be made smaller: says so in words. */
  notice?: string;
  /** The file to which a damaged database was moved. */
  movedAside?: string;
}

/** What the thread is to do with a database. */
export interface DatabaseWork {
  path: string;
  lookForDamage: boolean;
  isToBeSmaller: boolean;
}

/** The last process to close a database deletes its write-ahead log. Another process that has it open now is harmless. */
function wasLeftOpen(path: string): boolean {
  return existsSync(`${path}-wal`) || existsSync(path + suspectSuffix);
}

function headerOf(path: string): Record<keyof typeof places, number> {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(100);
    readSync(file, bytes, 0, bytes.length, 0);
    const at = (place: number): number => bytes.readUInt32BE(place);
    return {
      pages: at(places.pages),
      freePages: at(places.freePages),
      version: at(places.version),
      incrementalVacuum: at(places.incrementalVacuum),
    };
  } finally {
    closeSync(file);
  }
}
