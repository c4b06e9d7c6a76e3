import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import { suspectSuffix } from './damage.ts';
import { schemaVersion } from './migrations.ts';

const entry = new URL(import.meta.url.endsWith('.ts') ? './databaseWorker.ts' : './databaseWorker.js', import.meta.url);

/** Where SQLite keeps `user_version` in a file: four bytes, the highest first (sqlite.org/fileformat2.html §1.3). */
const versionAt = 60;

/**
 * Looks for damage in a database that was not closed, and brings one of an older Toolwire up to date, both in a thread of
 * their own: with 100,000 calls they take seconds. Nothing happens to one that was closed and is of this version. Gives a
 * notice where it was damaged and is moved aside.
 * @throws Error naming the file where it cannot be opened.
 */
export async function prepareDatabase(path: string): Promise<string | undefined> {
  // What is no file, the opening has words for.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile() || !(wasLeftOpen(path) || versionOf(path) < schemaVersion))
    return undefined;
  const worker = new Worker(entry, { workerData: { path }, env: {}, argv: [], execArgv: [], name: 'database' });
  return new Promise((resolve, reject) => {
    let notice: string | undefined;
    worker.once('message', (said: { notice?: string }) => (notice = said.notice));
    worker.once('error', reject);
    // Comes last, perhaps in the same turn as the message.
    worker.once('exit', () => resolve(notice));
  });
}

/** Whoever closes a database last takes its write-ahead log away. Another process that has it open now is no harm. */
function wasLeftOpen(path: string): boolean {
  return existsSync(`${path}-wal`) || existsSync(path + suspectSuffix);
}

function versionOf(path: string): number {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(4);
    readSync(file, bytes, 0, bytes.length, versionAt);
    return bytes.readUInt32BE();
  } finally {
    closeSync(file);
  }
}
