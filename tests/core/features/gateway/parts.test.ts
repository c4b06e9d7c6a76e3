/** The parts behind the Gateway pane: questions with a patience, what is kept. */
import { expect, test, vi } from 'vitest';

import { createCallQuestions } from '../../../../src-core/features/calls/callQuestions.ts';
import { loadKeptGateway, saveKeptGateway } from '../../../../src-core/features/gateway/keptGateway.ts';
import type { SettingsStore } from '../../../../src-core/store/types.ts';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import type { JsonValue } from '../../../../src-core/base/json.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { makeTool } from '../../registry/testTool.ts';

test('a question without an answer within a minute is refused', async () => {
  const clock = createManualClock();
  const toolRegistryManager = createToolRegistryManager();
  const questions = createCallQuestions({ clock, toolRegistryManager, onChange: () => undefined });
  const call = {
    callId: 'c',
    caller: 'gateway',
    identity: '',
    args: { n: 1 },
    signal: new AbortController().signal,
  } as const;
  const answer = questions.ask({ toolName: 'lamp_off', args: {} }, call);
  expect(questions.list()).toEqual([
    {
      callId: 'c',
      toolId: 'lamp_off',
      methodName: '',
      argsJson: '{"n":1}',
      askedAt: clock.wall(),
      expiresAt: clock.wall() + 60_000,
    },
  ]);
  clock.advance(60_000);
  await expect(answer).rejects.toThrow('the user made no decision. The question was not answered within 60 s.');
  expect(questions.list()).toEqual([]);
  expect(() => questions.decide({ callId: 'c', allowed: true })).toThrow(/no longer waits/);
});

test('a question waits longer while somebody is at work on it, ten minutes at most', async () => {
  const clock = createManualClock();
  const questions = createCallQuestions({
    clock,
    toolRegistryManager: createToolRegistryManager(),
    onChange: () => undefined,
  });
  const ended: unknown[] = [];
  const ask = (callId: string): void => {
    const call = { callId, caller: 'gateway', identity: '', args: {}, signal: new AbortController().signal } as const;
    questions.ask({ toolName: 'lamp_off', args: {} }, call).catch((error: Error) => ended.push(error.message));
  };
  const asked = clock.wall();
  ask('edited');
  clock.advance(59_999);
  questions.attend('edited');
  expect(questions.list()).toMatchObject([{ callId: 'edited', askedAt: asked, expiresAt: asked + 119_999 }]);
  clock.advance(59_999);
  expect(questions.list()).toHaveLength(1);
  clock.advance(1);
  await vi.waitUntil(() => ended.length === 1);
  expect(ended).toEqual([expect.stringContaining('The question was not answered within 120 s.')]);

  ask('left open');
  for (let minutes = 0; minutes < 10; minutes += 0.5) {
    questions.attend('left open');
    clock.advance(30_000);
  }
  await vi.waitUntil(() => ended.length === 2);
  expect(ended[1]).toContain('The question was not answered within 600 s.');
  questions.attend('left open');
  expect(questions.list()).toEqual([]);
});

test('a yes may come with other arguments, number for number, once they fit', async () => {
  const toolRegistryManager = createToolRegistryManager();
  const inputSchema = { type: 'object', properties: { id: { type: 'integer' } } };
  toolRegistryManager.register(makeTool('lamp', [{ name: 'set', inputSchema }]));
  const questions = createCallQuestions({ clock: createManualClock(), toolRegistryManager, onChange: () => undefined });
  const sent: string[] = [];
  const result = executeSingleRequest(
    { toolName: 'lamp_set', args: { id: 1 } },
    {
      toolRegistryManager,
      caller: 'gateway',
      newId: () => 'c',
      onBeforeExecute: questions.ask,
      config: { requireConfirmation: true },
      onCallEnd: ({ args }) => sent.push(JSON.stringify(args)),
    },
  );
  await vi.waitUntil(() => questions.list().length === 1);
  const word = { callId: 'c', allowed: true };
  for (const argsJson of ['{', '[]', '{"id":"no"}'])
    expect(() => questions.decide({ ...word, argsJson })).toThrow(
      expect.objectContaining({ code: 'invalid-arguments' }),
    );
  expect(questions.list()).toHaveLength(1);
  questions.decide({ ...word, argsJson: '{"id": 9007199254740993}' });
  await result;
  expect(sent).toEqual(['{"id":9007199254740993}']);
});

test('restores stored settings; replaces and reports invalid ones', () => {
  const values = new Map<string, JsonValue>();
  const store: SettingsStore = { get: (key) => values.get(key), set: (key, value) => void values.set(key, value) };
  const errors: unknown[] = [];
  const load = () => loadKeptGateway(store, (error) => errors.push(error));
  expect(load()).toEqual({ enabled: false, settings: {} });
  saveKeptGateway(store, { enabled: true, modelId: 'm', settings: { port: 9_500 } });
  expect(load()).toEqual({ enabled: true, modelId: 'm', settings: { port: 9_500 } });
  values.set('gateway', { enabled: true, settings: { port: 9_500, ofTheFuture: true } });
  expect(load()).toEqual({ enabled: true, settings: { port: 9_500 } });
  expect(errors).toEqual([]);
  values.set('gateway', 'broken');
  expect(load()).toEqual({ enabled: false, settings: {} });
  expect(errors).toHaveLength(1);
});
