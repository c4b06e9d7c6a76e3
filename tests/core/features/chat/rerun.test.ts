import { expect, test } from 'vitest';

import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { openLab } from './labBench.ts';
import { block, createTestModel } from './testModel.ts';

test('one message runs again with another model and protocol, beside the first', async () => {
  const written = `Sure.\n${block('lab_set', { volume: '5' }, 'r1')}`;
  const first = createTestModel([{ text: written }, { text: 'Set.' }, { text: 'First answer.' }], 'First');
  const second = createTestModel([{ text: 'Second answer.' }], 'Second');
  const lab = openLab([], { models: { test: first, other: second } });
  const chat = lab.chat({ mode: 'manual', systemPrompt: 'Brief.' });
  lab.service.send({ sessionId: chat, text: 'Set it' });
  await lab.waiting(chat);
  const decision = { action: 'approve', always: true } as const;
  lab.service.decide({ sessionId: chat, callId: lab.calls(chat)[0]!.id, decision });
  await lab.idle(chat);
  await lab.turn(chat, 'And now?');
  const before = lab.entries(chat);
  const message = before.findLast(({ role }) => role === 'user')!;

  const rerun = { sessionId: chat, entryId: message.id, modelId: 'other', protocol: 'native' } as const;
  const { sessionId } = lab.service.rerun(rerun);
  await lab.idle(sessionId);
  expect(lab.entries(chat)).toEqual(before);
  const copy = lab.service.get({ sessionId, limit: 100 });
  expect(copy.session).toMatchObject({
    title: 'Set it',
    origin: { sessionId: chat, entryId: message.id },
    approved: [],
    options: { modelId: 'other', protocol: 'native', mode: 'manual', systemPrompt: 'Brief.' },
  });
  expect(copy.entries.map(({ id }) => id).slice(0, 4)).toEqual(before.map(({ id }) => id).slice(0, 4));
  expect(copy.entries.at(-1)).toMatchObject({ text: 'Second answer.', modelName: 'Second', protocol: 'native' });

  // What was written in VCP goes to the other model in its own way.
  expect(second.requests[0]!.messages).toEqual([
    { role: 'system', content: 'Brief.' },
    { role: 'user', content: 'Set it' },
    { role: 'assistant', content: 'Sure.', toolCalls: [{ id: 'r1', name: 'lab_set', argumentsText: '{"volume":5}' }] },
    { role: 'tool', toolCallId: 'r1', name: 'lab_set', content: 'set' },
    { role: 'assistant', content: 'Set.' },
    { role: 'user', content: 'And now?' },
  ]);
  expect(first.requests[2]!.messages.slice(1).map(({ content }) => content)).toEqual([
    ...['Set it', written, expect.stringContaining('TOOL_RESULT'), 'Set.', 'And now?'],
  ]);
});

test('native calls become VCP or JSON; keys that VCP cannot carry stay JSON', async () => {
  const toolCalls = [
    { id: 'a', name: 'lab_set', argumentsText: '{"volume":5}' },
    { id: 'b', name: 'lab_get', argumentsText: '{"wörd":1}' },
    { id: 'c', name: 'lab_set', argumentsText: '{' },
  ];
  const lab = openLab([{ text: 'Sure.', toolCalls }]);
  const chat = lab.chat({ protocol: 'native' });
  await lab.turn(chat, 'Set it');
  await lab.turn(chat, 'Thanks');
  const { id: entryId } = lab.entries(chat).findLast(({ role }) => role === 'user')!;
  const asked = lab.model.requests.length;
  for (const protocol of ['vcp', 'json'] as const) {
    const { sessionId } = lab.service.rerun({ sessionId: chat, entryId, protocol });
    await lab.idle(sessionId);
  }
  const [vcp, json] = lab.model.requests.slice(asked).map(({ messages }) => messages);
  expect(parseVcp(vcp![2]!.content).requests).toMatchObject([
    { requestId: 'a', toolName: 'lab_set', args: { volume: '5' } },
    { requestId: 'c', toolName: 'lab_set', args: {} },
  ]);
  expect(vcp![2]!.content).toContain('{"id":"b","name":"lab_get","arguments":{"wörd":1}}');
  expect(json![2]!.content.match(/<tool_call>/g)).toHaveLength(3);
  expect(json![3]!.content.match(/<tool_response>/g)).toHaveLength(3);
});

test('two-field calls of VCP become one name elsewhere', async () => {
  const lab = openLab([{ text: `${block('lab', { command: 'get' })}\n${block('lamp', { command: 'on' })}` }]);
  const chat = lab.chat();
  await lab.turn(chat);
  lab.service.updateOptions({ sessionId: chat, options: { protocol: 'native' } });
  const [, assistant] = lab.service.prompt({ sessionId: chat, text: 'x' }).messages;
  expect(assistant).toMatchObject({ toolCalls: [{ name: 'lab_get' }, { name: 'lamp_on' }] });
  lab.service.updateOptions({ sessionId: chat, options: { protocol: 'json' } });
  expect(lab.service.prompt({ sessionId: chat, text: 'x' }).messages[2]!.content).toContain('"name":"lab_get"');
});

test('only a message of the user runs again, with an existing model', async () => {
  const lab = openLab([]);
  const chat = lab.chat();
  const [step] = await lab.turn(chat);
  const entryId = lab.entries(chat)[0]!.id;
  expect(() => lab.service.rerun({ sessionId: chat, entryId: step!.id })).toThrow('Only your own messages');
  expect(() => lab.service.rerun({ sessionId: chat, entryId: 'gone' })).toThrow('no such message');
  expect(() => lab.service.rerun({ sessionId: chat, entryId, modelId: 'gone' })).toThrow('There is no model "gone"');
  expect(lab.service.list()).toHaveLength(1);
});
