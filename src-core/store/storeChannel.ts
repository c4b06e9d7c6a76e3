import { openCheckedStore } from './openCheckedStore.ts';
import { answerRequest, type StoreReply, type StoreRequest } from './storeServer.ts';
import type { OpenStoreChannel, StoreChannel } from './storeThread.ts';
import type { OpenStoreOptions } from './openStore.ts';
import type { StoreTables } from './types.ts';

/** The channel of tables that are open in the thread of the caller: the same requests and answers as from another one. */
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

/**
 * Opens the store in the thread of the caller, which a V8 check that failed in the store's own thread cannot end. Tests
 * set a clock, and reach the database with `onOpen`.
 */
export function openInProcess(tested: Pick<OpenStoreOptions, 'clock' | 'onOpen'> = {}): OpenStoreChannel {
  return async (options) => Promise.resolve(channelOf(openCheckedStore({ ...options, ...tested })));
}
