import { expect, test } from 'vitest';

import type { CallRecord, WorkbenchTopic } from '../../../../src-core/contract/types.ts';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import { defaultToolCallConfig } from '../../../../src-core/base/calls.ts';
import { ToolError } from '../../../../src-core/base/errors.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { CallTracker } from '../../../../src-core/features/calls/callTracker.ts';
import type { InvokeOptions, ToolOutput, ToolRegistry } from '../../../../src-core/registry/types.ts';
import { makeTool } from '../../registry/testTool.ts';
import { handClock } from './runs/handClock.ts';

function fail(error: unknown): never {
  throw error;
}

test('lists of ended calls hear of ended calls only, not of what a call tells under way', async () => {
  const toolRegistryManager = createToolRegistryManager();
  const announced: WorkbenchTopic[] = [];
  const atProgress: WorkbenchTopic[][] = [];
  toolRegistryManager.register(
    makeTool('lab', [
      {
        name: 'wait',
        handler: (_args, { onProgress }) => {
          for (let progress = 1; progress <= 3; progress += 1) {
            onProgress?.({ progress, total: 3 });
            atProgress.push(announced.splice(0));
          }
          return 'done';
        },
      },
    ]),
  );
  const kept: CallRecord[] = [];
  const tracker = new CallTracker({
    toolRegistryManager,
    history: { begin: async () => {}, append: async (record) => void kept.push(record) },
    clock: handClock(),
    announce: (topic) => announced.push(topic),
    onError: fail,
  });
  await executeSingleRequest(
    { requestId: 'one', toolName: 'lab_wait', args: {} },
    {
      toolRegistryManager,
      caller: 'user',
      config: defaultToolCallConfig,
      newId: () => 'one',
      ...tracker.follow('executor'),
    },
  );
  expect(kept).toHaveLength(1);
  expect(atProgress.slice(1)).toEqual([['calls'], ['calls']]);
  expect(announced).toEqual(['history', 'calls']);
});

test('the beginning of a call is kept once it has run for 100 ms, without what it tells under way', async () => {
  const toolRegistryManager = createToolRegistryManager();
  const answer = Promise.withResolvers<string>();
  toolRegistryManager.register(
    makeTool('lab', [
      {
        name: 'wait',
        handler: (_args, { onProgress }) => {
          onProgress?.({ progress: 1, total: 3 });
          return answer.promise;
        },
      },
    ]),
  );
  const begun: CallRecord[] = [];
  const clock = handClock();
  const tracker = new CallTracker({
    toolRegistryManager,
    clock,
    announce: () => undefined,
    onError: fail,
    history: { begin: async (record) => void begun.push(record), append: async () => {} },
  });
  const call = (callId: string) =>
    executeSingleRequest(
      { requestId: callId, toolName: 'lab_wait', args: { key: 'value of k' } },
      {
        toolRegistryManager,
        caller: 'user',
        newId: () => callId,
        ...tracker.follow('cli', { secrets: { k: 'value of k' } }),
      },
    );
  const calls = [call('one'), call('two')];
  tracker.cancel('two', new ToolError('cancelled', 'Enough.'));
  await calls[1];
  clock.move(99);
  expect(begun).toEqual([]);
  clock.move(1);
  expect(begun).toMatchObject([{ callId: 'one', qualifiedName: 'lab_wait', origin: 'cli' }]);
  expect(begun[0]).not.toHaveProperty('progress');
  expect(begun[0]?.argsJson).not.toContain('value of k');

  const third = call('three');
  tracker.close();
  clock.move(1_000);
  expect(begun).toHaveLength(1);
  answer.resolve('done');
  await Promise.all([calls[0], third]);
  expect(clock.pending()).toBe(0);
});

test('a beginning that cannot be written is reported, and the call ends as usual', async () => {
  const toolRegistryManager = createToolRegistryManager();
  const answer = Promise.withResolvers<string>();
  toolRegistryManager.register(makeTool('lab', [{ name: 'wait', handler: () => answer.promise }]));
  const errors: unknown[] = [];
  const kept: CallRecord[] = [];
  const clock = handClock();
  const broken = new Error('no such table: begun_calls');
  const tracker = new CallTracker({
    toolRegistryManager,
    history: {
      begin: () => Promise.reject(broken),
      append: async (record) => void kept.push(record),
    },
    clock,
    announce: () => undefined,
    onError: (error, where) => errors.push([error, where]),
  });
  const call = executeSingleRequest(
    { requestId: 'one', toolName: 'lab_wait', args: {} },
    { toolRegistryManager, caller: 'user', newId: () => 'one', ...tracker.follow('cli') },
  );
  clock.move(100);
  await Promise.resolve();
  await Promise.resolve();
  expect(errors).toEqual([[broken, 'the history of the call "one"']]);
  answer.resolve('done');
  await call;
  expect(kept).toMatchObject([{ callId: 'one', result: { status: 'success' } }]);
});

test('a running call says that it waits for the user, and from when its limit counts again; neither is kept', async () => {
  const toolRegistryManager = createToolRegistryManager();
  const answer = Promise.withResolvers<ToolOutput>();
  const waits = Promise.withResolvers<InvokeOptions>();
  const invoke: ToolRegistry['invoke'] = (_name, _args, options) => {
    waits.resolve(options);
    return answer.promise;
  };
  toolRegistryManager.register({ ...makeTool('lab', [{ name: 'ask' }]), invoke });
  const kept: CallRecord[] = [];
  const tracker = new CallTracker({
    toolRegistryManager,
    history: { begin: async () => {}, append: async (record) => void kept.push(record) },
    clock: handClock(),
    announce: () => undefined,
    onError: fail,
  });
  const call = executeSingleRequest(
    { requestId: 'one', toolName: 'lab_ask', args: {} },
    { toolRegistryManager, caller: 'user', newId: () => 'one', ...tracker.follow('executor') },
  );
  const { onWait } = await waits.promise;
  onWait?.(true);
  expect(tracker.running()).toMatchObject([{ waitsForUser: true }]);
  onWait?.(false);
  expect(tracker.running()).toMatchObject([{ waitsForUser: false, waitedUntil: expect.any(Number) }]);
  answer.resolve({ value: 'done' });
  await call;
  expect(kept).toHaveLength(1);
  expect(Object.keys(kept[0] ?? {}).filter((name) => name.startsWith('wait'))).toEqual([]);
});
