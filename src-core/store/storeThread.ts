import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

import type { ErrorReporter } from '../base/reportError.ts';
import type { JsonValue } from '../base/json.ts';
import type { StorageState } from './storageState.ts';
import { restoreError, type StoredError, type StoreReply, type StoreRequest } from './storeServer.ts';

/** What the thread gets at its start. */
export interface StoreThreadData {
  path: string;
  mayWrite: boolean;
  flag: Int32Array<SharedArrayBuffer>;
  syncPort: MessagePort;
}

/** A message to the thread. A request without `id` is one that the engine's thread waits for. */
export type ToStore = { id?: number; request: StoreRequest } | 'close';

/** What the thread knows once the database is open. */
export interface OpenedStore {
  settings: Record<string, JsonValue>;
  health: StorageState;
  notice: string | undefined;
}

/** A message from the thread. */
export type FromStore =
  | { opened: OpenedStore }
  | { failed: StoredError }
  | { id: number; reply: StoreReply }
  | { health: StorageState }
  | { unexpected: StoredError; where: string | undefined };

/** The open store of another thread. Requests are answered in their order. */
export interface StoreChannel {
  readonly opened: OpenedStore;
  call(request: StoreRequest): Promise<StoreReply>;
  callSync(request: StoreRequest): StoreReply;
  /** Called after each change of the state of the disk. */
  onHealth: (state: StorageState) => void;
  /** Resolves when everything that was sent before is written and the database is closed. Safe to call twice. */
  close(): Promise<void>;
}

/** How a store is opened; tests open one in their own thread. */
export type OpenStoreChannel = (options: {
  path: string;
  mayWrite: boolean;
  onError: ErrorReporter;
}) => Promise<StoreChannel>;

/** ms that the engine's thread waits for an answer. */
const maxWaitMs = 30_000;

const entry = new URL(import.meta.url.endsWith('.ts') ? './storeWorker.ts' : './storeWorker.js', import.meta.url);

/**
 * Starts the store's thread, and resolves once the database is open.
 * @throws {Error} Names the file, if it cannot be opened.
 */
export const openStoreThread = (({ path, mayWrite, onError, waitMs = maxWaitMs }) => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2: syncPort } = new MessageChannel();
  const workerData = { path, mayWrite, flag, syncPort } satisfies StoreThreadData;
  const options = { workerData, transferList: [syncPort], env: {}, argv: [], execArgv: [], name: 'store' };
  const worker = new Worker(entry, options);
  const waiting = new Map<number, (reply: StoreReply) => void>();
  const opening = Promise.withResolvers<StoreChannel>();
  const ended = Promise.withResolvers<undefined>();
  let lastId = 0;
  let isClosing = false;
  let failure: Error | undefined;

  const channel = (opened: OpenedStore): StoreChannel => ({
    opened,
    onHealth: () => undefined,
    call(request) {
      if (failure !== undefined) return Promise.resolve(refusal(failure, opened));
      const { promise, resolve } = Promise.withResolvers<StoreReply>();
      lastId += 1;
      waiting.set(lastId, resolve);
      worker.postMessage({ id: lastId, request } satisfies ToStore);
      return promise;
    },
    callSync(request) {
      if (failure !== undefined) return refusal(failure, opened);
      Atomics.store(flag, 0, 0);
      worker.postMessage({ request } satisfies ToStore);
      if (Atomics.wait(flag, 0, 0, waitMs) !== 'timed-out') return receiveMessageOnPort(port1)?.message as StoreReply;
      failure = new Error('its thread does not answer');
      void worker.terminate();
      return refusal(failure, opened);
    },
    async close() {
      if (!isClosing) worker.postMessage('close' satisfies ToStore);
      isClosing = true;
      failure ??= new Error('the store is closed');
      await ended.promise;
    },
  });

  let open: StoreChannel | undefined;
  worker.on('message', (message: FromStore) => {
    if ('opened' in message) opening.resolve((open = channel(message.opened)));
    else if ('failed' in message) opening.reject(restoreError(message.failed));
    else if ('health' in message) open?.onHealth(message.health);
    else if ('unexpected' in message) onError(restoreError(message.unexpected), message.where ?? 'the store');
    else {
      waiting.get(message.id)?.(message.reply);
      waiting.delete(message.id);
    }
  });
  worker.once('error', (error: Error) => (failure ??= error));
  worker.once('exit', () => {
    port1.close();
    failure ??= new Error('the store is closed');
    opening.reject(failure);
    if (!isClosing && open !== undefined) {
      onError(failure, 'the thread of the store');
      open.onHealth(refusal(failure, open.opened).health);
    }
    for (const answer of waiting.values()) answer(refusal(failure, open?.opened));
    waiting.clear();
    ended.resolve(undefined);
  });
  return opening.promise;
}) satisfies (options: Parameters<OpenStoreChannel>[0] & { waitMs?: number }) => Promise<StoreChannel>;

/** The answer of a thread that has ended: nothing is read or written until Toolwire starts again. */
function refusal(failure: Error, opened: OpenedStore | undefined): Extract<StoreReply, { error: StoredError }> {
  // An error that cannot be sent from thread to thread arrives without its message.
  const message = failure.message || 'its thread has ended';
  const reason = `The store cannot be used (${message}). Start Toolwire again.`;
  const health = {
    dir: opened?.health.dir ?? '',
    fault: 'failed',
    reason: message,
    untilRestart: true,
    unreadable: {},
  };
  return { error: { message: reason, fault: 'failed' }, health: health as StorageState };
}
