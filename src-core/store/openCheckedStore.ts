import { openStore } from './openStore.ts';
import { prepareDatabase } from './prepareDatabase.ts';
import type { Store } from './types.ts';

/**
 * Opens the store of a data folder (see `openStore`), after a look for damage where it was not closed the last time. The
 * thread that asks is not held up meanwhile.
 * @throws Error naming the file where it cannot be opened.
 */
export async function openCheckedStore(options: Parameters<typeof openStore>[0]): Promise<Store> {
  const notice = await prepareDatabase(options.path);
  const store = openStore(options);
  return notice === undefined ? store : { ...store, notice };
}
