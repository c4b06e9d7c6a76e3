/** The thread that owns the database: it opens it, answers requests in their order, and closes it. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';

import { openCheckedStore } from './openCheckedStore.ts';
import { answerRequest, describeError, type StoreRequest } from './storeServer.ts';
import type { FromStore, StoreThreadData, ToStore } from './storeThread.ts';
import type { StoreTables } from './types.ts';

const { path, mayWrite, flag, syncPort } = workerData as StoreThreadData;
const port = parentPort as MessagePort;
const tell = (message: FromStore): void => port.postMessage(message);

function open(): StoreTables | undefined {
  try {
    return openCheckedStore({
      path,
      mayWrite,
      onError: (error, where) => tell({ unexpected: describeError(error), where }),
    });
  } catch (error) {
    tell({ failed: describeError(error) });
    return undefined;
  }
}

function serve(store: StoreTables): void {
  store.health.onChange = () => tell({ health: store.health.state() });
  tell({ opened: { settings: store.settings.all(), health: store.health.state(), notice: store.notice } });
  port.on('message', (message: ToStore) => {
    if (message === 'close') {
      store.close();
      port.close();
    } else if (message.id === undefined) answerNow(store, message.request);
    else tell({ id: message.id, reply: answerRequest(store, message.request) });
  });
}

function answerNow(store: StoreTables, request: StoreRequest): void {
  syncPort.postMessage(answerRequest(store, request));
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

const store = open();
if (store === undefined) port.close();
else serve(store);
