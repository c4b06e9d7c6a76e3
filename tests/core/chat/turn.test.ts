import { describe, expect, test } from 'vitest';

import { ChatModelError } from '../../../src-core/models/chatModel.ts';
import type { ChatMessage, ChatModel } from '../../../src-core/models/chatModel.ts';
import { parseVcp } from '../../../src-core/protocols/vcp/parseVcp.ts';
import { readToolResults } from '../../../src-core/protocols/vcp/readToolResults.ts';
import { makeTool } from '../tools/testTool.ts';
import { openChatBench } from './chatBench.ts';
import { block, createTestModel } from './testModel.ts';
import type { TestStep } from './testModel.ts';

const volume = { properties: { volume: { type: 'integer', minimum: 0, maximum: 100 } }, required: ['volume'] };

function bench(steps: TestStep[], options: Parameters<typeof openChatBench>[0] = {}) {
  const sent: unknown[] = [];
  const model = createTestModel(steps);
  const opened = openChatBench({
    models: { test: model },
    methods: [
      { name: 'set', inputSchema: volume, handler: (args) => (sent.push({ ...args }), 'set') },
      { name: 'get', handler: () => ({ volume: 5 }) },
      { name: 'fail', handler: () => Promise.reject(new Error('The lamp is broken.')) },
    ],
    ...options,
  });
  return { ...opened, model, sent };
}

const roles = (messages: readonly ChatMessage[]): string[] => messages.map(({ role }) => role);

describe('VCP in text', () => {
  test('asks, runs the calls, feeds the results back, asks again', async () => {
    const written = `I set it.\n${block('lab_set', { volume: '50' }, 'r1')}\nAnd look:\n${block('lab_get')}`;
    const lab = bench([{ text: written, usage: { inputTokens: 7, outputTokens: 3 } }, { text: 'It is 5.' }]);
    const chat = lab.chat({ systemPrompt: 'You are brief.' });
    const [first, second] = await lab.turn(chat, 'Set it to 50');
    expect(first).toMatchObject({
      ...{ step: 1, state: 'ended', modelName: 'Test model', protocol: 'vcp', finishReason: 'stop' },
      ...{ text: 'I set it.\n\nAnd look:', raw: written, usage: { inputTokens: 7, outputTokens: 3 } },
    });
    expect(first!.stoppedBecause).toBeUndefined();
    expect(second).toMatchObject({ step: 2, state: 'ended', text: 'It is 5.', calls: [], stoppedBecause: 'done' });
    expect(second!.raw).toBeUndefined();
    expect(first!.calls).toMatchObject([
      {
        ...{ requestId: 'r1', toolName: 'lab_set', qualifiedName: 'lab_set', toolId: 'lab', methodName: 'set' },
        ...{ askedArgs: { volume: '50' }, args: { volume: 50 }, state: 'done', approvedBy: 'auto' },
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
    const lab = bench([{ text: `<think>perhaps ${call}</think>\n\`\`\`\n${call}\n\`\`\`\nDone?`, reasoning: 'Own.' }]);
    const [only] = await lab.turn(lab.chat());
    expect(lab.sent).toEqual([]);
    expect(only).toMatchObject({ calls: [], stoppedBecause: 'done' });
    expect(only!.text).toBe(`\`\`\`\n${call}\n\`\`\`\nDone?`);
    expect(only!.reasoning).toBe(`Own.\n\n<think>perhaps ${call}</think>`);
    expect(only!.remarks?.map(({ code }) => code).sort()).toEqual(['fenced', 'in-reasoning']);
  });

  test('reasoning does not go back to the model', async () => {
    const lab = bench([{ text: `<think>hm</think>\nNow.\n${block('lab_get')}` }]);
    await lab.turn(lab.chat());
    expect(lab.model.requests[1]!.messages[2]!.content).toBe(`Now.\n${block('lab_get')}`);
  });

  test('the calls of a serial block run in their order, each with its own result', async () => {
    const serial = block('lab', { command1: 'set', volume1: '1', command2: 'fail', command3: 'set', volume3: '3' });
    const lab = bench([{ text: serial }]);
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
    const lab = bench([{ text: twice }]);
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
    const lab = bench([{ text }]);
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
    const lab = bench([{ text: call }]);
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
    const lab = bench([{ text: 'Both.', reasoning: 'Why not.', toolCalls }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native', systemPrompt: 'Brief.' }));
    const [one, two] = lab.model.requests;
    expect(one!.messages).toEqual([
      { role: 'system', content: 'Brief.' },
      { role: 'user', content: 'Hello' },
    ]);
    expect(one!.tools?.map(({ name }) => name)).toEqual(['lab_set', 'lab_get', 'lab_fail']);
    expect(one!.tools?.[0]).toMatchObject({ description: 'Does set.', parameters: volume });
    expect(first!.calls).toMatchObject([
      { requestId: 'a', argumentsText: '{"volume":7}', askedArgs: { volume: 7 }, args: { volume: 7 }, state: 'done' },
      { requestId: 'b', argumentsText: '', args: {} },
    ]);
    expect(two!.messages.slice(2)).toEqual([
      { role: 'assistant', content: 'Both.', reasoning: 'Why not.', toolCalls },
      { role: 'tool', toolCallId: 'a', name: 'lab_set', content: 'set' },
      { role: 'tool', toolCallId: 'b', name: 'lab_get', content: '{"volume":5}' },
    ]);
  });

  test('names with dots travel under another name and arrive under their own', async () => {
    const lab = bench([
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
    ['{"volume": 5', 'The arguments are no JSON'],
    ['[5]', 'The arguments are an array'],
    ['"5"', 'The arguments are a string'],
  ])(
    'arguments that are no object (%s) are told to the model, and the loop goes on',
    async (argumentsText, message) => {
      const lab = bench([{ toolCalls: [{ id: 'a', name: 'lab_set', argumentsText }] }, { text: 'Sorry.' }]);
      const [first, second] = await lab.turn(lab.chat({ protocol: 'native' }));
      expect(first!.calls).toMatchObject([
        {
          argumentsText,
          askedArgs: {},
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
    const lab = bench([{ toolCalls: [{ id: 'a', name: 'make_coffee', argumentsText: '{}' }] }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native' }));
    expect(first!.calls).toMatchObject([{ toolName: 'make_coffee', result: { error: { code: 'unknown-tool' } } }]);
    expect(lab.model.requests[1]!.messages.at(-1)).toMatchObject({ role: 'tool', name: 'make_coffee' });
  });

  test('of a model in a text chat run all the same, and go back to it as text', async () => {
    const lab = bench([{ toolCalls: [{ id: 'a', name: 'lab_set', argumentsText: '{"volume":7}' }] }]);
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
    const gate = Promise.withResolvers<void>();
    const lab = bench([{ text: `${block('slow_a')}\n${block('slow_b')}` }]);
    const method = (name: string) => ({
      name,
      async handler() {
        running.push(name);
        most.now = Math.max(most.now, running.length);
        if (running.length === 2) gate.resolve();
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

describe('limits', () => {
  test('maxIterations counts the requests to the model; the calls of the last one still run', async () => {
    let at = 0;
    const forever: TestStep = () => ({ text: block('lab_set', { volume: String((at += 1)) }) });
    const lab = bench([forever, forever, forever, forever]);
    const chat = lab.chat({ config: { maxIterations: 2 } });
    const steps = await lab.turn(chat);
    expect(steps.map(({ stoppedBecause }) => stoppedBecause)).toEqual([undefined, 'max-iterations']);
    expect(lab.sent).toEqual([{ volume: 1 }, { volume: 2 }]);
    lab.service.resume({ sessionId: chat });
    await lab.idle(chat);
    expect(lab.model.requests).toHaveLength(4);
    expect(readToolResults(lab.model.requests[2]!.messages.at(-1)!.content)).toHaveLength(1);
  });

  test('the same call again and again is refused, then ends the turn', async () => {
    const same: TestStep = { text: block('lab_set', { volume: '5' }) };
    const lab = bench([same, same, same, same, same, same, same]);
    const chat = lab.chat();
    const steps = await lab.turn(chat);
    expect(lab.calls(chat).map(({ result }) => result?.error?.code ?? 'ok')).toEqual([
      ...['ok', 'ok', 'ok', 'repeated-call', 'repeated-call'],
    ]);
    expect(lab.sent).toHaveLength(3);
    expect(steps.at(-1)!.stoppedBecause).toBe('repeated');
    const told = readToolResults(lab.model.requests[4]!.messages.at(-1)!.content);
    expect(told[0]!.result).toContain('"lab_set" was called 3 times in this turn with the same arguments');
    // The next turn counts from nothing.
    await lab.turn(chat, 'Again');
    expect(lab.sent).toHaveLength(5);
  });

  test('a repeat inside one block or reply counts, other arguments do not, however they are written', async () => {
    const serial = block('lab', { command1: 'set', volume1: '5', command2: 'set', volume2: '5', command3: 'get' });
    const native = [
      { id: 'a', name: 'lab_set', argumentsText: '{"volume":5}' },
      { id: 'b', name: 'lab_set', argumentsText: '{ "volume": 5 }' },
      { id: 'c', name: 'lab_set', argumentsText: '{"volume":6}' },
    ];
    const lab = bench([{ text: serial }, { toolCalls: native }]);
    const chat = lab.chat({ config: { maxRepeats: 0 } });
    await lab.turn(chat);
    expect(lab.calls(chat).map(({ result }) => result?.error?.code ?? 'ok')).toEqual([
      ...['ok', 'repeated-call', 'ok', 'repeated-call', 'repeated-call', 'ok'],
    ]);
    expect(lab.sent).toEqual([{ volume: 5 }, { volume: 6 }]);
  });

  test('broken arguments again and again end the turn, too', async () => {
    const broken: TestStep = { toolCalls: [{ id: 'a', name: 'lab_set', argumentsText: '{' }] };
    const lab = bench([broken, broken, broken, broken]);
    const steps = await lab.turn(lab.chat({ protocol: 'native', config: { maxRepeats: 1 } }));
    expect(steps.map(({ stoppedBecause }) => stoppedBecause)).toEqual([undefined, undefined, undefined, 'repeated']);
  });

  test('of very many calls in one reply the first hundred run, and both sides are told', async () => {
    const many = Array.from({ length: 130 }, (_, at) => block('lab_set', { volume: String(at % 100), at: String(at) }));
    const lab = bench([{ text: many.join('\n') }]);
    const [first] = await lab.turn(lab.chat());
    expect(first!.calls).toHaveLength(100);
    expect(first!.skippedCalls).toBe(30);
    expect(lab.model.requests[1]!.messages.at(-1)!.content).toMatch(/\(30 more calls of this reply .*not run\.\)$/);
  });

  test('the same for native calls', async () => {
    const many = Array.from({ length: 101 }, (_, at) => ({
      id: `c${at}`,
      name: 'lab_get',
      argumentsText: `{"a":${at}}`,
    }));
    const lab = bench([{ toolCalls: many }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native' }));
    expect(first).toMatchObject({ skippedCalls: 1 });
    const { messages } = lab.model.requests[1]!;
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(100);
    expect(messages.at(-1)!.content).toContain('(1 more calls of this reply');
  });

  test('a long result is cut for the model and for the chat alike', async () => {
    const lab = bench([{ text: block('big_get') }]);
    lab.toolRegistryManager.register(makeTool('big', [{ name: 'get', handler: () => 'é'.repeat(200_000) }]));
    const [first] = await lab.turn(lab.chat());
    const { result } = first!.calls[0]!.result!;
    expect(result).toMatch(/^é+… \(68,928 more characters were cut off\)$/);
    expect(readToolResults(lab.model.requests[1]!.messages.at(-1)!.content)[0]!.result).toBe(result);
  });

  test('a reply without end is broken off', async () => {
    const lab = bench([
      ({ signal, onPart }) => {
        while (signal?.aborted !== true) onPart?.({ type: 'text', text: 'x'.repeat(100_000) });
        throw new ChatModelError('cancelled', 'The step was cancelled.');
      },
    ]);
    const [only] = await lab.turn(lab.chat());
    expect(only).toMatchObject({ stoppedBecause: 'error', failure: { code: 'answer' } });
    expect(only!.failure!.message).toContain('longer than 2,000,000 characters');
    expect(only!.text).toHaveLength(2_000_000);
  });
});

describe('tools off', () => {
  test('nothing is offered and nothing is parsed', async () => {
    const lab = bench([{ text: block('lab_set', { volume: '1' }) }]);
    const [only] = await lab.turn(lab.chat({ config: { enabled: false } }));
    expect(lab.model.requests[0]!.messages).toEqual([{ role: 'user', content: 'Hello' }]);
    expect(only).toMatchObject({ calls: [], stoppedBecause: 'done', text: block('lab_set', { volume: '1' }) });
  });

  test('a model that calls natively all the same is told so', async () => {
    const lab = bench([{ toolCalls: [{ id: 'a', name: 'lab_set', argumentsText: '{"volume":1}' }] }]);
    const [first] = await lab.turn(lab.chat({ protocol: 'native', config: { enabled: false } }));
    expect(first!.calls).toMatchObject([{ result: { error: { code: 'tool-disabled' } } }]);
    expect(lab.sent).toEqual([]);
  });

  test('the chat’s toggles go before the settings’, tool by tool', async () => {
    const lab = bench([{ text: 'Hi' }]);
    lab.toolRegistryManager.register(makeTool('other', [{ name: 'get' }]));
    lab.policy.config = { ...lab.policy.config, toolToggles: { lab: false, other: false } };
    await lab.turn(lab.chat({ config: { toolToggles: { lab: true } } }));
    const { content } = lab.model.requests[0]!.messages[0]!;
    expect(content).toContain('「始」lab「末」');
    expect(content).not.toContain('「始」other「末」');
  });
});

describe('a step that fails', () => {
  test('ends the turn with what was said, and its calls are closed', async () => {
    const exchange = {
      request: { method: 'POST', url: 'http://x/', headers: {}, body: { a: 1 } },
      response: { status: 500, headers: {}, body: 'no' },
      durationMs: 3,
    };
    const lab = bench([
      ({ onPart }) => {
        onPart?.({ type: 'text', text: `Well, ${block('lab_set', { volume: '1' })}` });
        throw new ChatModelError('stream', 'The stream broke off.', { details: { at: 3 }, exchange });
      },
    ]);
    const chat = lab.chat();
    const [only] = await lab.turn(chat);
    expect(only).toMatchObject({
      ...{ stoppedBecause: 'error', text: 'Well,' },
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
    const lab = bench([broken, { text: 'Well.' }]);
    const chat = lab.chat();
    await lab.turn(chat);
    lab.service.resume({ sessionId: chat });
    await lab.idle(chat);
    expect(roles(lab.model.requests[1]!.messages)).toEqual(['system', 'user']);
    expect(lab.steps(chat).map(({ text }) => text)).toEqual(['We', 'Well.']);
    expect(() => lab.service.resume({ sessionId: chat })).toThrow('The last turn came to its end.');
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
    const lab = bench([broken]);
    const chat = lab.chat();
    await lab.turn(chat);
    await lab.turn(chat, 'Shorter');
    const said = lab.model.requests[1]!.messages.slice(1).map(({ content }) => content);
    expect(said).toEqual(['Hello', 'Once upon', 'Shorter']);
  });

  test('of a model that rejects with anything else is ours: it is reported, not shown', async () => {
    const lab = bench([() => Promise.reject(new Error('secret inside'))]);
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
    const lab = bench([], { models });
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
    const lab = bench([
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
        ...{ role: 'assistant', content: 'Look.' },
        toolCalls: [{ id: 'r1', name: 'lab_set', argumentsText: '{"volume":7}' }],
      },
      { role: 'tool', toolCallId: 'r1', name: 'lab_set', content: 'set' },
    ]);
  });

  test('go to the model, and are taken away by null', async () => {
    const lab = bench([]);
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
