import { describe, expect, test } from 'vitest';

import { ChatModelError } from '../../../../src-core/features/models/chatModel.ts';
import type { ChatMessage } from '../../../../src-core/contract/chatMessages.ts';
import type { ChatModel } from '../../../../src-core/features/models/chatModel.ts';
import { openLab } from './labBench.ts';
import { block, createTestModel } from './testModel.ts';
import type { TestStep } from './testModel.ts';

const roles = (messages: readonly ChatMessage[]): string[] => messages.map(({ role }) => role);

describe('a step that fails', () => {
  test('ends the turn with what was said, and its calls are closed', async () => {
    const exchange = {
      request: { method: 'POST', url: 'http://x/', headers: {}, body: { a: 1 } },
      response: { status: 500, headers: {}, body: 'no' },
      durationMs: 3,
    };
    const lab = openLab([
      ({ onPart }) => {
        onPart?.({ type: 'text', text: `Well, ${block('lab_set', { volume: '1' })}` });
        throw new ChatModelError('stream', 'The stream broke off.', { details: { at: 3 }, exchange });
      },
    ]);
    const chat = lab.chat();
    const [only] = await lab.turn(chat);
    expect(only).toMatchObject({
      stoppedBecause: 'error',
      text: 'Well,',
      failure: { code: 'stream', message: 'The stream broke off.', details: { at: 3 } },
      calls: [{ state: 'cancelled', result: { error: { code: 'cancelled' } } }],
    });
    expect(lab.sent).toEqual([]);
    expect(lab.service.exchange({ id: only!.stepId! }).exchange).toEqual(exchange);
    expect(lab.errors).toEqual([]);
  });

  test('is asked again by resume; what broke off without a call is not part of the talk', async () => {
    const broken: TestStep = ({ onPart }) => {
      onPart?.({ type: 'text', text: 'We' });
      throw new ChatModelError('timeout', 'Too slow.');
    };
    const lab = openLab([broken, { text: 'Well.' }]);
    const chat = lab.chat();
    await lab.turn(chat);
    lab.service.resume({ sessionId: chat });
    await lab.idle(chat);
    expect(roles(lab.model.requests[1]!.messages)).toEqual(['system', 'user']);
    expect(lab.steps(chat).map(({ text }) => text)).toEqual(['We', 'Well.']);
    expect(() => lab.service.resume({ sessionId: chat })).toThrow('The last turn has ended.');
    await lab.turn(chat, 'Thanks');
    expect(lab.model.requests[2]!.messages.slice(1).map(({ content }) => content)).toEqual([
      'Hello',
      'Well.',
      'Thanks',
    ]);
  });

  test('what broke off and was answered is part of the talk', async () => {
    const broken: TestStep = ({ onPart }) => {
      onPart?.({ type: 'text', text: 'Once upon' });
      throw new ChatModelError('timeout', 'Too slow.');
    };
    const lab = openLab([broken]);
    const chat = lab.chat();
    await lab.turn(chat);
    await lab.turn(chat, 'Shorter');
    const said = lab.model.requests[1]!.messages.slice(1).map(({ content }) => content);
    expect(said).toEqual(['Hello', 'Once upon', 'Shorter']);
  });

  test('of a model that rejects with anything else is ours: it is reported, not shown', async () => {
    const lab = openLab([() => Promise.reject(new Error('secret inside'))]);
    const [only] = await lab.turn(lab.chat());
    expect(only!.failure).toEqual({ code: 'internal', message: expect.stringContaining('its log says why') });
    expect(lab.errors.map(String)).toEqual(['Error: secret inside']);
  });

  test('because its model is gone says so', async () => {
    const models: Record<string, ChatModel> = {};
    models['test'] = createTestModel([
      () => {
        delete models['test'];
        return { text: block('lab_get') };
      },
    ]);
    const lab = openLab([], { models });
    const chat = lab.chat();
    const steps = await lab.turn(chat);
    expect(steps).toMatchObject([
      { calls: [{ state: 'done' }] },
      { modelName: 'test', stoppedBecause: 'error', failure: { code: 'model', message: 'There is no model "test".' } },
    ]);
    expect(() => lab.service.send({ sessionId: chat, text: 'Hello?' })).toThrow('There is no model "test".');
    expect(lab.entries(chat)).toHaveLength(3);
  });
});

describe('options', () => {
  test('a change takes effect with the next request, also in the middle of a turn', async () => {
    const lab = openLab([
      () => {
        const [chat] = lab.service.list();
        lab.service.updateOptions({ sessionId: chat!.id, options: { protocol: 'native', temperature: 1 } });
        return { text: `Look.\n${block('lab_set', { volume: '7' }, 'r1')}` };
      },
    ]);
    const steps = await lab.turn(lab.chat());
    expect(steps.map(({ protocol }) => protocol)).toEqual(['vcp', 'native']);
    const { messages, temperature, tools } = lab.model.requests[1]!;
    expect(temperature).toBe(1);
    expect(tools).toHaveLength(3);
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'Look.',
        toolCalls: [{ id: 'r1', name: 'lab_set', argumentsText: '{"volume":7}' }],
      },
      { role: 'tool', toolCallId: 'r1', name: 'lab_set', content: 'set' },
    ]);
  });

  test('go to the model, and are taken away by null', async () => {
    const lab = openLab([]);
    const chat = lab.chat({ temperature: 0.5, maxTokens: 100 });
    await lab.turn(chat);
    lab.service.updateOptions({ sessionId: chat, options: { temperature: null, maxTokens: null } });
    await lab.turn(chat);
    expect(lab.model.requests.map(({ temperature, maxTokens }) => [temperature, maxTokens])).toEqual([
      [0.5, 100],
      [undefined, undefined],
    ]);
  });
});
