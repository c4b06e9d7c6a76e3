import { implement } from '@orpc/server';

import type { RemovedBin } from '../../features/trash/removedBin.ts';
import { removed as contract } from '../../contract/removed.ts';

/** Removed items that can be restored. */
export function removedRouter(bin: Pick<RemovedBin, 'list' | 'restore' | 'discard'>) {
  const os = implement(contract);
  return os.router({
    list: os.list.handler(() => bin.list()),
    restore: os.restore.handler(({ input }) => bin.restore(input.id)),
    discard: os.discard.handler(async ({ input }) => {
      await bin.discard((thing) => input.id === undefined || thing.id === input.id);
      return {};
    }),
  });
}
