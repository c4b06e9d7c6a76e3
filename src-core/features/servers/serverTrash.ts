import { RequestError } from '../../base/requestError.ts';
import type { Trash } from '../trash/open.ts';
import { logIdOf } from '../../store/frameTypes.ts';
import type { Store } from '../../store/types.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Pins } from './pins.ts';
import type { ServerBook } from './serverBook.ts';
import type { SignIns } from './signIn.ts';
import type { SignInTimelines } from './signInTimeline.ts';

/** MCP servers in the trash. Configuration, secrets, approval and accepted definitions stay in their place until the server is deleted permanently. */
export function createServerTrash(options: {
  book: ServerBook;
  trash: { bin: Pick<Trash['bin'], 'handle' | 'put' | 'list' | 'discard'> };
  pins: Pick<Pins, 'forget'>;
  signIns: Pick<SignIns, 'forget'>;
  timelines: Pick<SignInTimelines, 'forget'>;
  frames: Pick<FrameLog, 'setAside' | 'putBack'>;
  store: { wire: Pick<Store['wire'], 'drop'> };
}): {
  remove(id: string, stop: () => Promise<void>): Promise<void>;
  /** Resolves when no server is being removed. */
  settled(): Promise<unknown>;
} {
  const { book, pins, signIns, timelines, frames } = options;
  const { bin } = options.trash;
  const logOf = (connection: string): string => logIdOf({ source: 'mcp', connection });

  bin.handle('server', {
    async restore({ id: key, of }) {
      book.restore(of);
      await frames.putBack(key, logOf(of)).catch((error: unknown) => {
        // It has no log, or the limit for logs has deleted it; the server is restored without one.
        if (!(error instanceof RequestError)) throw error;
      });
    },
    async discard({ id: key, of }) {
      await signIns.forget(of, { binding: true });
      timelines.forget(of);
      await book.remove(of);
      pins.forget(of);
      await options.store.wire.drop(key);
    },
  });
  const leaving = new Set<Promise<void>>();
  async function remove(id: string, stop: () => Promise<void>): Promise<void> {
    const { name } = book.get(id);
    // A cleared log could not be shown if its server were gone.
    for (const thing of bin.list().filter(({ kind, of }) => kind === 'serverLog' && of === id))
      await bin.discard({ id: thing.id });
    const key = bin.put({ kind: 'server', name, of: id });
    // Nothing starts it again from now on.
    await stop();
    await frames.setAside(logOf(id), { key, keepFacts: false });
  }

  return {
    remove(id, stop) {
      const leaves = remove(id, stop);
      leaving.add(leaves);
      return leaves.finally(() => leaving.delete(leaves));
    },
    settled: () => Promise.allSettled(leaving),
  };
}
