/** The store of a test. */
import { onTestFinished } from 'vitest';

import { databasePath } from '../core/store/frames.ts';
import type { Frame } from '../../src-core/contract/frames.ts';
import type { StoredLog } from '../../src-core/store/frameTypes.ts';
import { openStore as openTables, type OpenStoreOptions } from '../../src-core/store/openStore.ts';
import { connectStore } from '../../src-core/store/connectStore.ts';
import type { Store } from '../../src-core/store/types.ts';

/** A store as features use it. */
export function openStore(options: OpenStoreOptions): Store {
  return connectStore(openTables(options));
}

/** The same in a folder that is removed with the test. */
export function openTestStore(path = databasePath()): Store {
  const store = openStore({ path });
  onTestFinished(() => store.close());
  return store;
}

/** All frames of a log. */
export async function framesOf(log: StoredLog): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of log.frames()) frames.push(frame);
  return frames;
}
