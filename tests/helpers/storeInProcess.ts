/** The store of a test in its own thread: the same requests and answers, without a worker. */
import { onTestFinished } from 'vitest';

import { databasePath } from '../core/store/frames.ts';
import type { FrameLog, StoredFrame } from '../../src-core/store/frameTypes.ts';
import { openCheckedStore } from '../../src-core/store/openCheckedStore.ts';
import { openStore as openTables, type OpenStoreOptions } from '../../src-core/store/openStore.ts';
import { connectStore } from '../../src-core/store/storeClient.ts';
import { answerRequest, type StoreReply, type StoreRequest } from '../../src-core/store/storeServer.ts';
import type { OpenStoreChannel, StoreChannel } from '../../src-core/store/storeThread.ts';
import type { Store, StoreTables } from '../../src-core/store/types.ts';

/** The channel of tables that are open already. */
export function channelOf(tables: StoreTables): StoreChannel {
  const answer = (request: StoreRequest): StoreReply =>
    structuredClone(answerRequest(tables, structuredClone(request)));
  const { notice } = tables;
  const channel: StoreChannel = {
    opened: { settings: tables.settings.all(), health: tables.health.state(), notice },
    onHealth: () => undefined,
    call: (request) => Promise.resolve(answer(request)),
    callSync: answer,
    close() {
      tables.close();
      return Promise.resolve();
    },
  };
  tables.health.onChange = () => channel.onHealth(tables.health.state());
  return channel;
}

/** Opens the store that a workbench uses, with a clock and a database that the test can reach. */
export function openInProcess(tested: Pick<OpenStoreOptions, 'clock' | 'onOpen'>): OpenStoreChannel {
  return (options) => Promise.resolve(channelOf(openCheckedStore({ ...options, ...tested })));
}

/** A store as features use it. */
export function openStore(options: OpenStoreOptions): Store {
  return connectStore(channelOf(openTables(options)));
}

/** The same in a folder that is removed with the test. */
export function openTestStore(path = databasePath()): Store {
  const store = openStore({ path });
  onTestFinished(() => store.close());
  return store;
}

/** All frames of a log. */
export async function framesOf(log: FrameLog): Promise<StoredFrame[]> {
  const frames: StoredFrame[] = [];
  for await (const frame of log.frames()) frames.push(frame);
  return frames;
}
