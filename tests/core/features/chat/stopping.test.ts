import { describe, expect, test } from 'vitest';

import { ToolError } from '../../../../src-core/base/errors.ts';
import { openChatBench } from './chatBench.ts';
import { block, createTestModel, stall } from './testModel.ts';
import type { TestStep } from './testModel.ts';

function bench(steps: TestStep[], path?: string) {
  const model = createTestModel(steps);
  const signals: AbortSignal[] = [];
  const opened = openChatBench({
    models: { test: model },
    methods: [
      { name: 'get' },
      {
        name: 'hang',
        handler: (_, { signal }) => {
          signals.push(signal);
          return new Promise(() => undefined);
        },
      },
    ],
    ...(path !== undefined && { path }),
  });
  return { ...opened, model, signals };
}

const codes = (lab: ReturnType<typeof bench>, chat: string): (string | undefined)[] =>
  lab.calls(chat).map(({ result }) => result?.error?.code ?? result?.status);

describe('a turn that is stopped', () => {
  test('while the model thinks keeps what it said, and closes the calls in it', async () => {
    const lab = bench([stall(`Well. ${block('lab_get')}`, [])]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.until(() => lab.service.get({ sessionId: chat, limit: 1 }).stream !== undefined);
    expect(lab.service.cancel({ sessionId: chat })).toEqual({ cancelled: true });
    await lab.idle(chat);
    expect(lab.steps(chat)).toMatchObject([{ state: 'ended', stoppedBecause: 'cancelled', text: 'Well.' }]);
    expect(lab.calls(chat)).toMatchObject([{ state: 'cancelled' }]);
    expect(codes(lab, chat)).toEqual(['cancelled']);
    expect(lab.service.cancel({ sessionId: chat })).toEqual({ cancelled: false });
  });

  test('closes native calls that had come, too', async () => {
    const lab = bench([stall('', [{ id: 'a', name: 'lab_get', argumentsText: '{}' }])]);
    const chat = lab.chat({ protocol: 'native' });
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.until(() => lab.model.requests.length === 1);
    lab.service.cancel({ sessionId: chat });
    await lab.idle(chat);
    await lab.turn(chat, 'And now?');
    expect(lab.model.requests[1]!.messages).toMatchObject([
      { role: 'user', content: 'Go' },
      { role: 'assistant', toolCalls: [{ id: 'a' }] },
      { role: 'tool', toolCallId: 'a', content: 'The turn was stopped. It did not run.' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  test('while calls wait for approval', async () => {
    const lab = bench([{ text: `${block('lab_get')}\n${block('lab_hang')}` }]);
    const chat = lab.chat({ mode: 'manual' });
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.waiting(chat, 2);
    lab.service.cancel({ sessionId: chat });
    await lab.idle(chat);
    expect(codes(lab, chat)).toEqual(['cancelled', 'cancelled']);
    expect(lab.steps(chat)).toMatchObject([{ stoppedBecause: 'cancelled' }]);
  });

  test.each([true, false])('while a tool hangs, parallel %s', async (parallelExecution) => {
    const lab = bench([{ text: `${block('lab_get')}\n${block('lab_hang')}\n${block('lab_get', { a: '1' })}` }]);
    const chat = lab.chat({ config: { parallelExecution } });
    lab.service.send({ sessionId: chat, text: 'Go' });
    const done = parallelExecution ? 2 : 1;
    await lab.until(() => lab.calls(chat).filter(({ state }) => state === 'done').length === done);
    await lab.until(() => lab.signals.length === 1);
    expect(lab.calls(chat)[1]).toMatchObject({ state: 'running', callId: expect.any(String) });
    expect(lab.tracker.running()).toHaveLength(1);
    lab.service.cancel({ sessionId: chat });
    await lab.idle(chat);
    expect(codes(lab, chat)).toEqual(['success', 'cancelled', parallelExecution ? 'success' : 'cancelled']);
    expect(lab.signals[0]!.aborted).toBe(true);
    expect(lab.tracker.running()).toEqual([]);
    expect(lab.model.requests).toHaveLength(1);
  });

  test('a call that is cancelled alone leaves the rest to run', async () => {
    const lab = bench([{ text: `${block('lab_hang')}\n${block('lab_get')}` }]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.until(() => lab.tracker.running().length === 1);
    lab.tracker.cancel(lab.calls(chat)[0]!.callId!, new ToolError('cancelled', 'By hand.'));
    await lab.idle(chat);
    expect(codes(lab, chat)).toEqual(['cancelled', 'success']);
    expect(lab.steps(chat).at(-1)).toMatchObject({ stoppedBecause: 'done' });
  });

  test('can be resumed; the model is told what was cancelled', async () => {
    const lab = bench([{ text: block('lab_hang') }]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.until(() => lab.signals.length === 1);
    lab.service.cancel({ sessionId: chat });
    await lab.idle(chat);
    lab.service.resume({ sessionId: chat });
    await lab.idle(chat);
    expect(lab.model.requests[1]!.messages.at(-1)!.content).toContain('was cancelled');
    expect(lab.steps(chat).at(-1)).toMatchObject({ text: 'Done.', stoppedBecause: 'done' });
  });
});

describe('a chat whose turn runs', () => {
  test('takes no other message until it has ended', async () => {
    const lab = bench([stall()]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    expect(() => lab.service.send({ sessionId: chat, text: 'Go on' })).toThrow('A turn is running in this chat.');
    expect(() => lab.service.resume({ sessionId: chat })).toThrow('A turn is running in this chat.');
    expect(lab.entries(chat)).toHaveLength(2);
    lab.service.cancel({ sessionId: chat });
    await lab.idle(chat);
    expect(await lab.turn(chat, 'Go on')).toHaveLength(2);
  });

  test('can be deleted: the turn ends first', async () => {
    const lab = bench([{ text: block('lab_hang') }]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.until(() => lab.signals.length === 1);
    await lab.service.remove({ sessionId: chat });
    expect(lab.service.list()).toEqual([]);
    expect(lab.signals[0]!.aborted).toBe(true);
    expect(() => lab.service.get({ sessionId: chat, limit: 1 })).toThrow('This chat does not exist');
    expect(lab.errors).toEqual([]);
  });

  test('shows as interrupted after Toolwire has closed, with every call closed', async () => {
    const lab = bench([{ text: `${block('lab_get')}\n${block('lab_hang')}` }]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.until(() => lab.signals.length === 1);
    await lab.close();
    expect(() => bench([], lab.path).service.get({ sessionId: chat, limit: 9 })).not.toThrow();
    const again = bench([], lab.path);
    expect(again.steps(chat)).toMatchObject([{ state: 'ended', stoppedBecause: 'interrupted' }]);
    expect(codes(again, chat)).toEqual(['success', 'cancelled']);
    expect(again.service.list()).toMatchObject([{ running: false }]);
    expect(lab.errors).toEqual([]);
  });

  test('keeps what had streamed when Toolwire closes', async () => {
    const lab = bench([stall('Once upon a time')]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.close();
    expect(bench([], lab.path).steps(chat)).toMatchObject([
      { text: 'Once upon a time', stoppedBecause: 'interrupted' },
    ]);
  });

  test('after closing nothing begins any more', async () => {
    const lab = bench([]);
    const chat = lab.chat();
    await lab.closeChats();
    expect(() => lab.service.send({ sessionId: chat, text: 'Go' })).toThrow('Toolwire is closing.');
    expect(lab.entries(chat)).toEqual([]);
  });
});
