import { describe, expect, test } from 'vitest';

import { countTokens } from '../../../../src-core/base/countTokens.ts';
import { planReply, type PlanReplyOptions } from '../../../../src-core/features/chat/planReply.ts';
import { createEarlierResults } from '../../../../src-core/engine/earlierResults.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { createWireNames } from '../../../../src-core/registry/wireNames.ts';
import { hostileTexts } from '../../../helpers/hostileTexts.ts';
import { openLab } from './labBench.ts';
import { block, stall } from './testModel.ts';

const words = 'plain words. '.repeat(3_000);

describe('a large reply', () => {
  test('is read in its parts, its calls run, and the model gets it back without its reasoning', async () => {
    const said = `<think>${words}</think>Well. ${block('lab_set', { volume: '5' })}`;
    const lab = openLab([{ text: said }]);
    const chat = lab.chat();
    const [step] = await lab.turn(chat);
    expect(step).toMatchObject({ state: 'ended', text: 'Well.', raw: said });
    expect(step?.reasoning).toContain('plain words.');
    expect(lab.sent).toEqual([{ volume: 5 }]);
    const told = lab.model.requests[1]!.messages.find(({ role }) => role === 'assistant')?.content;
    expect(told).toBe(`Well. ${block('lab_set', { volume: '5' })}`);
  });

  test('that was stopped is read as far as it came', async () => {
    const lab = openLab([stall(`${words}${block('lab_get')}`)]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Go' });
    await lab.until(() => lab.service.get({ sessionId: chat, limit: 1 }).stream !== undefined);
    lab.service.cancel({ sessionId: chat });
    await lab.idle(chat);
    expect(lab.steps(chat)).toMatchObject([{ stoppedBecause: 'cancelled', text: words.trim() }]);
    expect(lab.calls(chat)).toMatchObject([{ state: 'cancelled' }]);
  });

  test('has its first calls run and its first remarks kept, and the rest counted', async () => {
    const [, text = ''] = hostileTexts(200_000).find(([what]) => what === 'VCP calls')!;
    const lab = openLab([{ text }]);
    const [step] = await lab.turn(lab.chat());
    expect(step?.calls).toHaveLength(100);
    expect(step?.remarks).toHaveLength(100);
    const count = text.split('<<<[TOOL_REQUEST]>>>').length - 1;
    expect(step).toMatchObject({ skippedCalls: count - 100, skippedRemarks: count - 101 });
    expect(lab.model.requests[1]!.messages.at(-1)?.content).toContain(`(${count - 100} more calls of this reply`);
  });
});

describe('a reply that is not read', () => {
  const plan = (options: Partial<PlanReplyOptions> & Pick<PlanReplyOptions, 'reply'>) =>
    planReply({
      protocol: 'json',
      enabled: true,
      names: createWireNames([]),
      toolRegistryManager: createToolRegistryManager(),
      dangerousTools: [],
      suspicionOf: createEarlierResults().suspicionOf,
      newId: () => 'id',
      signal: new AbortController().signal,
      onError: (error) => {
        throw error;
      },
      ...options,
    });
  const text = '{'.repeat(1_000_000);

  test('within its limit is kept as it came, with the reason', async () => {
    const planned = await plan({ reply: { text, reasoning: ' Hm. ', toolCalls: [] }, limitMs: 20 });
    expect(planned.shown).toEqual({ protocol: 'json', text, reasoning: 'Hm.' });
    expect(planned.planned).toEqual([]);
    expect(planned.failure).toEqual({
      code: 'answer',
      message: 'The reply was not read, and its calls were not run: it takes more than 20 ms of processor time.',
    });
  });

  test('because its chat was closed is kept as it came', async () => {
    const stop = new AbortController();
    const planning = plan({ reply: { text, toolCalls: [] }, signal: stop.signal });
    stop.abort();
    const planned = await planning;
    expect(planned.shown).toEqual({ protocol: 'json', text });
    expect(planned).not.toHaveProperty('failure');
  });
});

test('a native call with too many values is refused, and the next one runs', async () => {
  const toolCalls = [
    { id: 'a', name: 'lab_set', argumentsText: `{"volume":[${'1,'.repeat(70_000)}1]}` },
    { id: 'b', name: 'lab_set', argumentsText: '{"volume":7}' },
  ];
  const lab = openLab([{ toolCalls }]);
  const chat = lab.chat({ protocol: 'native' });
  await lab.turn(chat);
  expect(lab.calls(chat)[0]).toMatchObject({
    result: { error: { code: 'invalid-arguments', message: expect.stringContaining('more than 20000 values') } },
  });
  expect(lab.sent).toEqual([{ volume: 7 }]);
});

test('a JSON value with too many values in a text call is a problem of its argument', async () => {
  const list = `[${'1,'.repeat(70_000)}1]`;
  const lab = openLab([{ text: block('lab_list', { items: list }) }], {
    methods: [{ name: 'list', inputSchema: { properties: { items: { type: 'array' } } } }],
  });
  const chat = lab.chat();
  await lab.turn(chat);
  expect(lab.calls(chat)[0]?.result?.error?.message).toContain('The JSON has more than 20000 values.');
});

test('tokens of a long text are estimated from parts of it', () => {
  const short = 'The lamp in the kitchen is on. '.repeat(1_000);
  expect(countTokens(short.repeat(30)) / countTokens(short)).toBeCloseTo(30, 0);
});
