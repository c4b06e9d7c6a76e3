/** The store's thread, and what remains usable after its end. */
import { expect, onTestFinished, test } from 'vitest';

import { connectStore } from '../../../src-core/store/storeClient.ts';
import { StorageError } from '../../../src-core/store/storageError.ts';
import type { StoreRequest } from '../../../src-core/store/storeServer.ts';
import { openStoreThread, type StoreChannel } from '../../../src-core/store/storeThread.ts';
import { databasePath } from './frames.ts';

/** Ends the thread: a log cannot be sent to another thread. */
const deadly: StoreRequest = { table: 'wire', method: 'log', args: ['lamp'] };
const refused = /^The store cannot be used \(.+\)\. Start Toolwire again\.$/;

async function open(): Promise<{ channel: StoreChannel; errors: unknown[] }> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const channel = await openStoreThread({ path: databasePath(), mayWrite: true, onError, waitMs: 500 });
  onTestFinished(() => channel.close());
  return { channel, errors };
}

test('a call that the engine waits for is refused if the thread ends during it, and so is every later one', async () => {
  const { channel } = await open();
  expect(channel.callSync(deadly)).toMatchObject({
    error: { message: expect.stringMatching(refused) as string, fault: 'failed' },
    health: { fault: 'failed', untilRestart: true },
  });
  const store = connectStore(channel);
  expect(() => store.settings.set('theme', 'dark')).toThrow(StorageError);
  expect(() => store.chats.list()).toThrow(refused);
});

test('every waiting request is rejected if the thread ends, and the health says that nothing is kept', async () => {
  const { channel, errors } = await open();
  const store = connectStore(channel);
  const told: unknown[] = [];
  store.health.onChange = () => told.push(store.health.state());
  const ending = channel.call(deadly);
  const waiting = [store.history.names(), store.wire.ids(), store.savedRuns.list('/f', 'a', 1)];
  for (const result of await Promise.allSettled(waiting)) {
    const { reason } = result as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(StorageError);
    expect((reason as Error).message).toMatch(refused);
  }
  await expect(ending).resolves.toHaveProperty('error');
  expect(told).toContainEqual(expect.objectContaining({ fault: 'failed', untilRestart: true }));
  expect(errors).toHaveLength(1);
  await expect(store.history.names()).rejects.toThrow(refused);
});

test('a closed store refuses requests', async () => {
  const { channel, errors } = await open();
  const store = connectStore(channel);
  const closing = store.close();
  expect(() => store.chats.list()).toThrow('The store cannot be used (the store is closed).');
  await closing;
  await expect(store.history.names()).rejects.toThrow('the store is closed');
  expect(errors).toEqual([]);
});
