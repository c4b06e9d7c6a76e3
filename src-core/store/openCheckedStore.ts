import { openStore } from './openStore.ts';
import { prepareDatabase, type PreparedDatabase } from './prepareDatabase.ts';
import type { StoreTables } from './types.ts';

/**
 * Opens the store of a data directory (see `openStore`). If it was not closed the last time, looks for damage first, in
 * another thread.
 * @throws {Error} If it cannot be opened. The message names the file.
 */
export async function openCheckedStore(options: Parameters<typeof openStore>[0]): Promise<StoreTables> {
  let prepared: PreparedDatabase = {};
  let failure: Error | undefined;
  if (options.mayWrite !== false) {
    try {
      prepared = await prepareDatabase(options.path);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
  }
  const store = openStore({ ...options, ...prepared });
  // The check failed because the disk cannot be written. Otherwise the database is not safe to use.
  if (failure === undefined || store.health.state().untilRestart) return store;
  store.close();
  throw failure;
}
