import { describe, expect, test } from 'vitest';

import type { ChatMessage } from '../../../../src-core/contract/chatMessages.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { readToolResults } from '../../protocols/vcp/readToolResults.ts';
import { makeTool } from '../../registry/testTool.ts';
import { openLab, volume } from './labBench.ts';
import { block } from './testModel.ts';

const roles = (messages: readonly ChatMessage[]): string[] => messages.map(({ role }) => role);

describe('VCP in text', () => {
  test('asks, runs the calls, feeds the results back, asks again', async () => {
    const written = `I set it.\n${block('lab_set', { volume: '50' }, 'r1')}\nAnd look:\n${block('lab_get')}`;
    const lab = openLab([{ text: written, usage: { inputTokens: 7, outputTokens: 3 } }, { text: 'It is 5.' }]);
    const chat = lab.chat({ systemPrompt: 'You are brief.' });
    const [first, second] = await lab.turn(chat, 'Set it to 50');
    expect(first).toMatchObject({
      step: 1,
      state: 'ended',
      modelName: 'Test model',
      protocol: 'vcp',
      finishReason: 'stop',
      text: 'I set it.\n\nAnd look:',
      raw: written,
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    expect(first!.stoppedBecause).toBeUndefined();
    expect(second).toMatchObject({ step: 2, state: 'ended', text: 'It is 5.', calls: [], stoppedBecause: 'done' });
    expect(second!.raw).toBeUndefined();
    expect(first!.calls).toMatchObject([
      {
        requestId: 'r1',
        toolName: 'lab_set',
        qualifiedName: 'lab_set',
        toolId: 'lab',
        methodName: 'set',
        askedArgsJson: '{"volume":"50"}',
        argsJson: '{"volume":50}',
        state: 'done',
        approvedBy: 'auto',
        result: { status: 'success', result: 'set' },
      },
      { toolName: 'lab_get', state: 'done', result: { status: 'success', result: '{"volume":5}' } },
    ]);
    const { start, end } = first!.calls[0]!.range!;
    expect(parseVcp(written.slice(start, end)).requests).toHaveLength(1);
    expect(lab.sent).toEqual([{ volume: 50 }]);

    const [system, user] = lab.model.requests[0]!.messages;
    expect(roles(lab.model.requests[0]!.messages)).toEqual(['system', 'user']);
    expect(system!.content).toMatch(/^You are brief\.\n\nYou can call the tools .*<<<\[TOOL_DEFINITION\]>>>/s);
    expect(user!.content).toBe('Set it to 50');
    expect(lab.model.requests[0]!.tools).toBeUndefined();
    const { messages } = lab.model.requests[1]!;
    expect(roles(messages)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[2]!.content).toBe(written);
    expect(readToolResults(messages[3]!.content)).toMatchObject([
      { requestId: 'r1', toolName: 'lab_set', status: 'success', result: 'set' },
      { toolName: 'lab_get', result: '{"volume":5}' },
    ]);
  });

  test('calls in code, in reasoning or in an echo do not run, and the entry says why', async () => {
    const call = block('lab_set', { volume: '1' });
    const lab = openLab([
      { text: `<think>perhaps ${call}</think>\n\`\`\`\n${call}\n\`\`\`\nDone?`, reasoning: 'Own.' },
    ]);
    const [only] = await lab.turn(lab.chat());
    expect(lab.sent).toEqual([]);
    expect(only).toMatchObject({ calls: [], stoppedBecause: 'done' });
    expect(only!.text).toBe(`\`\`\`\n${call}\n\`\`\`\nDone?`);
    expect(only!.reasoning).toBe(`Own.\n\n<think>perhaps ${call}</think>`);
    expect(only!.remarks?.map(({ code }) => code).sort()).toEqual(['fenced', 'in-reasoning']);
  });

  test('reasoning does not go back to the model', async () => {
    const lab = openLab([{ text: `<think>hm</think>\nNow.\n${block('lab_get')}` }]);
    await lab.turn(lab.chat());
    expect(lab.model.requests[1]!.messages[2]!.content).toBe(`Now.\n${block('lab_get')}`);
  });

  test('the calls of a serial block run in their order, each with its own result', async () => {
    const serial = block('lab', { command1: 'set', volume1: '1', command2: 'fail', command3: 'set', volume3: '3' });
    const lab = openLab([{ text: serial }]);
    await lab.turn(lab.chat({ config: { parallelExecution: true } }));
    const [chat] = lab.service.list();
    expect(lab.calls(chat!.id).map(({ command, result }) => [command, result?.status])).toEqual([
      ['set', 'success'],
      ['fail', 'error'],
      ['set', 'success'],
    ]);
    expect(new Set(lab.calls(chat!.id).map(({ range }) => range?.start)).size).toBe(1);
    expect(lab.sent).toEqual([{ volume: 1 }, { volume: 3 }]);
    expect(readToolResults(lab.model.requests[1]!.messages.at(-1)!.content)).toHaveLength(3);
  });

  test('a model may give two calls one id: both run, and both results go back under it', async () => {
    const twice = `${block('lab_set', { volume: '1' }, 'x')}\n${block('lab_set', { volume: '2' }, 'x')}`;
    const lab = openLab([{ text: twice }]);
    const [first] = await lab.turn(lab.chat());
    expect(first!.calls.map(({ requestId }) => requestId)).toEqual(['x', 'x']);
    expect(new Set(first!.calls.map(({ id }) => id)).size).toBe(2);
    expect(lab.sent).toEqual([{ volume: 1 }, { volume: 2 }]);
  });
});

describe('what goes wrong with a call is told to the model', () => {
  const failing: [string, string, string][] = [
    ['a tool that is not there', block('lamp_set'), 'unknown-tool'],
    ['a method that is not there', block('lab_sett'), 'unknown-method'],
    ['arguments that do not fit', block('lab_set', { volume: '900' }), 'invalid-arguments'],
    ['a tool that throws', block('lab_fail'), 'tool-error'],
    ['a tool that is off', block('off_get'), 'tool-disabled'],
    ['a method for people only', block('off_private'), 'not-agent-callable'],
  ];
  test.each(failing)('%s', async (_, text, code) => {
    const lab = openLab([{ text }]);
    lab.toolRegistryManager.register(makeTool('off', [{ name: 'get' }, { name: 'private', agentCallable: false }]));
    const off = code === 'tool-disabled';
    const [first, second] = await lab.turn(lab.chat({ config: off ? { toolToggles: { off: false } } : {} }));
    expect(first!.calls).toMatchObject([{ state: 'done', result: { status: 'error', error: { code } } }]);
    expect(second).toMatchObject({ stoppedBecause: 'done' });
    expect(readToolResults(lab.model.requests[1]!.messages.at(-1)!.content)).toMatchObject([{ status: 'error' }]);
    if (off) expect(lab.model.requests[0]!.messages[0]!.content).not.toContain('「始」off「末」');
  });
});

describe('JSON in text', () => {
  test('is offered, read and answered in JSON', async () => {
    const call = '<tool_call>\n{"id":"j1","name":"lab_set","arguments":{"volume":7}}\n</tool_call>';
    const lab = openLab([{ text: call }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'json' }));
    expect(lab.sent).toEqual([{ volume: 7 }]);
    expect(first).toMatchObject({ protocol: 'json', text: '', raw: call, calls: [{ requestId: 'j1' }] });
    const [system, , assistant, results] = lab.model.requests[1]!.messages;
    expect(system!.content).toContain('<tools>');
    expect(assistant!.content).toBe(call);
    expect(results).toMatchObject({ role: 'user', content: expect.stringContaining('<tool_response>') });
  });
});

describe('native calls', () => {
  test('go out as tools and come back as tool messages, several in one reply', async () => {
    const toolCalls = [
      { id: 'a', name: 'lab_set', argumentsText: '{"volume":7}' },
      { id: 'b', name: 'lab_get', argumentsText: '' },
    ];
    const lab = openLab([{ text: 'Both.', reasoning: 'Why not.', toolCalls }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native', systemPrompt: 'Brief.' }));
    const [one, two] = lab.model.requests;
    expect(one!.messages).toEqual([
      { role: 'system', content: 'Brief.' },
      { role: 'user', content: 'Hello' },
    ]);
    expect(one!.tools?.map(({ name }) => name)).toEqual(['lab_set', 'lab_get', 'lab_fail']);
    expect(one!.tools?.[0]).toMatchObject({ description: 'Does set.', parameters: volume });
    expect(first!.calls).toMatchObject([
      {
        requestId: 'a',
        argumentsText: '{"volume":7}',
        askedArgsJson: '{"volume":7}',
        argsJson: '{"volume":7}',
        state: 'done',
      },
      { requestId: 'b', argumentsText: '', argsJson: '{}' },
    ]);
    expect(two!.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: 'Both.',
        reasoning: 'Why not.',
        toolCalls: [toolCalls[0], { ...toolCalls[1], argumentsText: '{}' }],
      },
      { role: 'tool', toolCallId: 'a', name: 'lab_set', content: 'set' },
      { role: 'tool', toolCallId: 'b', name: 'lab_get', content: '{"volume":5}' },
    ]);
  });

  test('arguments that are not JSON are kept as written, and go back as {}, which servers take', async () => {
    const broken = { id: 'a', name: 'lab_set', argumentsText: '{"volume": 9' };
    const lab = openLab([{ toolCalls: [broken] }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native' }));
    expect(first!.calls).toMatchObject([{ argumentsText: '{"volume": 9', result: { status: 'error' } }]);
    expect(lab.model.requests[1]!.messages.at(-2)).toMatchObject({ toolCalls: [{ ...broken, argumentsText: '{}' }] });
  });

  test('names with dots travel under another name and arrive under their own', async () => {
    const lab = openLab([
      ({ tools = [] }) => ({ toolCalls: tools.slice(-2).map(({ name }) => ({ id: name, name, argumentsText: '{}' })) }),
    ]);
    lab.toolRegistryManager.register(makeTool('dev', [{ name: 'self.lamp.on' }, { name: 'self_lamp_on' }]));
    const [first] = await lab.turn(lab.chat({ protocol: 'native' }));
    expect(first!.calls.map(({ qualifiedName }) => qualifiedName)).toEqual(['dev_self.lamp.on', 'dev_self_lamp_on']);
    const names = lab.model.requests[0]!.tools!.slice(-2).map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(lab.model.requests[1]!.messages.at(-1)).toMatchObject({ content: 'self_lamp_on', name: names[1] });
  });

  test.each([
    ['{"volume": 5', 'The arguments are not valid JSON'],
    ['[5]', 'The arguments are an array'],
    ['"5"', 'The arguments are a string'],
  ])(
    'arguments that are not an object (%s) are told to the model, and the loop goes on',
    async (argumentsText, message) => {
      const lab = openLab([{ toolCalls: [{ id: 'a', name: 'lab_set', argumentsText }] }, { text: 'Sorry.' }]);
      const [first, second] = await lab.turn(lab.chat({ protocol: 'native' }));
      expect(first!.calls).toMatchObject([
        {
          argumentsText,
          askedArgsJson: '{}',
          state: 'done',
          result: { status: 'error', error: { code: 'invalid-arguments' } },
        },
      ]);
      expect(lab.model.requests[1]!.messages.at(-1)!.content).toContain(message);
      expect(second).toMatchObject({ text: 'Sorry.', stoppedBecause: 'done' });
      expect(lab.sent).toEqual([]);
    },
  );

  test('a name that was never given out is an unknown tool', async () => {
    const lab = openLab([{ toolCalls: [{ id: 'a', name: 'make_coffee', argumentsText: '{}' }] }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native' }));
    expect(first!.calls).toMatchObject([{ toolName: 'make_coffee', result: { error: { code: 'unknown-tool' } } }]);
    expect(lab.model.requests[1]!.messages.at(-1)).toMatchObject({ role: 'tool', name: 'make_coffee' });
  });

  test('of a model in a text chat run all the same, and go back to it as text', async () => {
    const lab = openLab([{ toolCalls: [{ id: 'a', name: 'lab_set', argumentsText: '{"volume":7}' }] }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'vcp' }));
    expect(first).toMatchObject({ protocol: 'native', calls: [{ state: 'done' }] });
    expect(lab.sent).toEqual([{ volume: 7 }]);
    const { messages } = lab.model.requests[1]!;
    expect(roles(messages)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(parseVcp(messages[2]!.content).requests).toMatchObject([
      { requestId: 'a', toolName: 'lab_set', args: { volume: '7' } },
    ]);
  });
});

describe('serial and parallel', () => {
  function gatedBench(config: { parallelExecution: boolean }) {
    const running: string[] = [];
    const most = { now: 0 };
    const gate = Promise.withResolvers<undefined>();
    const lab = openLab([{ text: `${block('slow_a')}\n${block('slow_b')}` }]);
    const method = (name: string) => ({
      name,
      async handler() {
        running.push(name);
        most.now = Math.max(most.now, running.length);
        if (running.length === 2) gate.resolve(undefined);
        if (config.parallelExecution) await gate.promise;
        running.splice(running.indexOf(name), 1);
        return name;
      },
    });
    lab.toolRegistryManager.register(makeTool('slow', [method('a'), method('b')]));
    return { ...lab, most, chatId: lab.chat({ config }) };
  }

  test.each([
    [false, 1],
    [true, 2],
  ])('parallelExecution %s', async (parallelExecution, together) => {
    const lab = gatedBench({ parallelExecution });
    const [first] = await lab.turn(lab.chatId);
    expect(first!.calls.map(({ result }) => result?.result)).toEqual(['a', 'b']);
    expect(lab.most.now).toBe(together);
  });
});
