import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ErrorReporter } from '../base/reportError.ts';
import type { JsonValue } from '../base/json.ts';
import { openCheckedStore } from './openCheckedStore.ts';
import type { OpenStoreOptions } from './openStore.ts';
import type { StorageState } from '../contract/types.ts';
import { answerRequest, type StoreReply, type StoreRequest } from './storeServer.ts';
import type { StoreTables } from './types.ts';

/** What is known once the database is open. */
export interface OpenedStore {
  settings: Record<string, JsonValue>;
  health: StorageState;
  notice: string | undefined;
}

/** The way to an open store. Requests are answered in their order. */
export interface StoreChannel {
  readonly opened: OpenedStore;
  /** Resolves in a later turn of the event loop, so that a series of requests lets other work run in between. */
  call(request: StoreRequest): Promise<StoreReply>;
  callSync(request: StoreRequest): StoreReply;
  /** Called after each change of the state of the disk. */
  onHealth: (state: StorageState) => void;
  close(): Promise<void>;
}

/** How a store is opened. */
export type OpenStoreChannel = (options: {
  path: string;
  mayWrite: boolean;
  onError: ErrorReporter;
}) => Promise<StoreChannel>;

/** The channel of tables that are open. Requests and answers are copied. */
export function channelOf(tables: StoreTables): StoreChannel {
  const answer = (request: StoreRequest): StoreReply =>
    structuredClone(answerRequest(tables, structuredClone(request)));
  const { notice } = tables;
  const channel: StoreChannel = {
    opened: { settings: tables.settings.all(), health: tables.health.state(), notice },
    onHealth: () => undefined,
    call: (request) => nextTurn(answer(request)),
    callSync: answer,
    async close() {
      tables.close();
    },
  };
  tables.health.onChange = () => channel.onHealth(tables.health.state());
  return channel;
}

/**
 * Returns a function that opens a store. Tests set a clock, and reach the database with `onOpen`.
 * @throws {Error} If it cannot be opened. The message names the file.
 */
export function openInProcess(tested: Pick<OpenStoreOptions, 'clock' | 'onOpen'> = {}): OpenStoreChannel {
  return async (options) => channelOf(await openCheckedStore({ ...options, ...tested }));
}
