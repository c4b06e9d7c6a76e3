import { afterEach, describe, expect, test } from 'vitest';

import type { ChatMessage } from '../../../../src-core/contract/chatMessages.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../../../src-core/features/models/chatModel.ts';
import { createOpenAiCompatibleModel } from '../../../../src-core/features/models/openAiCompatible/openAiCompatibleModel.ts';
import type { OpenAiCompatibleModelOptions } from '../../../../src-core/features/models/openAiCompatible/openAiCompatibleModel.ts';
import type { ChatServerTurn } from '../../../fakes/chatServerTurn.ts';
import { startScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';
import type { ScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';

const servers: ScriptedChatServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function modelOf(
  turns: ChatServerTurn[],
  options: Partial<OpenAiCompatibleModelOptions> = {},
): Promise<{ server: ScriptedChatServer; model: ChatModel }> {
  const server = await startScriptedChatServer({ turns });
  servers.push(server);
  return { server, model: createOpenAiCompatibleModel({ baseUrl: server.baseUrl, model: 'stand-in', ...options }) };
}

const ask = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', content: 'Hello' }],
  ...more,
});

describe.each([
  ['streaming', true],
  ['in one piece', false],
])('a reply, %s', (_, stream) => {
  test('text, reasoning, calls, usage and the reason it ended', async () => {
    const { model } = await modelOf(
      [
        {
          text: 'Es ist spät. 现在很晚了。😀',
          reasoning: 'Die Uhr …',
          toolCalls: [
            { name: 'get_time', arguments: { zone: '北京' } },
            { name: 'set_volume', arguments: '{"volume":12345678901234567890}' },
          ],
          usage: { prompt_tokens: 11, completion_tokens: 7 },
          pieceBytes: 1,
        },
      ],
      { stream },
    );
    const parts: ChatPart[] = [];
    const reply = await model.generate(ask({ onPart: (part) => parts.push(part) }));
    expect(reply).toMatchObject({
      text: 'Es ist spät. 现在很晚了。😀',
      reasoning: 'Die Uhr …',
      toolCalls: [
        { name: 'get_time', argumentsText: '{"zone":"北京"}' },
        { name: 'set_volume', argumentsText: '{"volume":12345678901234567890}' },
      ],
      finishReason: 'tool-calls',
      usage: { inputTokens: 11, outputTokens: 7 },
    });
    const textOf = (type: string) =>
      parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
    expect([textOf('text'), textOf('reasoning')]).toEqual([reply.text, reply.reasoning]);
    expect(parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []))).toEqual(reply.toolCalls);
    if (stream) expect(parts.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
  });

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['eos', 'other'],
  ])('finish reason %s is %s', async (finishReason, expected) => {
    const { model } = await modelOf([{ text: 'a', finishReason }], { stream });
    expect((await model.generate(ask())).finishReason).toBe(expected);
  });

  test('"stop" beside calls means calls; no usage is none', async () => {
    const { model } = await modelOf([{ toolCalls: [{ name: 'a' }], finishReason: 'stop' }], { stream });
    const reply = await model.generate(ask());
    expect(reply.finishReason).toBe('tool-calls');
    expect(reply).not.toHaveProperty('usage');
    expect(reply.text).toBe('');
  });

  test('empty arguments are {}, broken ones stay as they came', async () => {
    const toolCalls = [
      { name: 'a', arguments: '' },
      { name: 'b', arguments: ' ' },
      { name: 'c', arguments: '{"x": 1' },
    ];
    const { model } = await modelOf([{ toolCalls }], { stream });
    const reply = await model.generate(ask());
    expect(reply.toolCalls.map(({ argumentsText }) => argumentsText)).toEqual(['{}', '{}', '{"x": 1']);
  });

  test('ids that are missing or twice there become unique', async () => {
    const toolCalls = [
      { name: 'a', id: null },
      { name: 'b', id: null },
      { name: 'c', id: 'x' },
      { name: 'd', id: 'x' },
    ];
    const { model } = await modelOf([{ toolCalls }], { stream });
    const { toolCalls: calls } = await model.generate(ask());
    expect(calls.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
    expect(calls.every(({ id }) => id !== '')).toBe(true);
    expect(calls[2]!.id).toBe('x');
  });
});

describe('parallel calls that all carry index 0, as Ollama streams them', () => {
  test.each([
    [
      'of two tools',
      [
        { name: 'a', arguments: { x: 1 } },
        { name: 'b', arguments: { y: 2 } },
      ],
    ],
    [
      'of one tool',
      [
        { name: 'a', arguments: { x: 1 } },
        { name: 'a', arguments: { x: 2 } },
      ],
    ],
    [
      'without ids',
      [
        { name: 'a', id: null, arguments: { x: 1 } },
        { name: 'a', id: null, arguments: { x: 2 } },
      ],
    ],
    [
      'without arguments',
      [
        { name: 'a', arguments: '' },
        { name: 'b', arguments: '' },
        { name: 'c', arguments: {} },
      ],
    ],
    [
      'of one tool without arguments',
      [
        { name: 'a', arguments: '' },
        { name: 'a', arguments: '' },
      ],
    ],
  ])('%s stay apart', async (_, toolCalls) => {
    const { model } = await modelOf([{ toolCalls, sameIndex: true }]);
    const reply = await model.generate(ask());
    expect(reply.toolCalls.map(({ name, argumentsText }) => [name, JSON.parse(argumentsText)])).toEqual(
      toolCalls.map(({ name, arguments: args }) => [name, args === '' ? {} : args]),
    );
    expect(new Set(reply.toolCalls.map(({ id }) => id)).size).toBe(toolCalls.length);
  });
});

describe('the request', () => {
  const conversation: ChatMessage[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is this?', pictures: [{ mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }] },
    {
      role: 'assistant',
      content: '',
      reasoning: 'I look.',
      toolCalls: [
        { id: 'c1', name: 'look', argumentsText: '{ "n": 12345678901234567890 }' },
        { id: 'c2', name: 'look', argumentsText: '{}' },
      ],
    },
    { role: 'tool', toolCallId: 'c1', name: 'look', content: 'a lamp' },
    { role: 'tool', toolCallId: 'c2', name: 'look', content: 'not JSON' },
    { role: 'assistant', content: 'A lamp.' },
    { role: 'user', content: 'Thanks' },
  ];

  test('has the whole conversation, pictures as data URLs, arguments to the letter', async () => {
    const { server, model } = await modelOf([{ text: 'ok' }]);
    await model.generate({ messages: conversation });
    const [{ body }] = server.chats as [(typeof server.chats)[number]];
    expect(body.model).toBe('stand-in');
    expect(body.stream).toBe(true);
    const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'look', arguments: text } });
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'I look.',
        tool_calls: [call('c1', '{ "n": 12345678901234567890 }'), call('c2', '{}')],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a lamp' },
      { role: 'tool', tool_call_id: 'c2', content: 'not JSON' },
      { role: 'assistant', content: 'A lamp.' },
      { role: 'user', content: 'Thanks' },
    ]);
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('max_tokens');
    expect(body).not.toHaveProperty('temperature');
  });

  test('tools go with their description and schema unchanged', async () => {
    const { server, model } = await modelOf([{ text: 'ok' }]);
    const parameters = {
      type: 'object',
      properties: { x: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
      'x-own': [1],
    };
    await model.generate(ask({ tools: [{ name: 'a_b', description: 'Does\nit', parameters }] }));
    expect(server.chats[0]!.body.tools).toEqual([
      { type: 'function', function: { name: 'a_b', description: 'Does\nit', parameters } },
    ]);
  });

  test('limits and temperature, under the name the server knows', async () => {
    const { server, model } = await modelOf([{ text: 'ok' }, { text: 'ok' }]);
    await model.generate(ask({ temperature: 0, maxTokens: 5 }));
    expect(server.chats[0]!.body).toMatchObject({ temperature: 0, max_tokens: 5 });
    const other = createOpenAiCompatibleModel({
      baseUrl: server.baseUrl,
      model: 'stand-in',
      maxTokensField: 'max_completion_tokens',
    });
    await other.generate(ask({ maxTokens: 5 }));
    expect(server.chats[1]!.body).toMatchObject({ max_completion_tokens: 5 });
    expect(server.chats[1]!.body).not.toHaveProperty('max_tokens');
  });

  test('key, headers and query', async () => {
    const { server } = await modelOf([{ text: 'ok' }]);
    const model = createOpenAiCompatibleModel({
      baseUrl: `${server.baseUrl}/chat/completions/?api-version=2`,
      model: 'stand-in',
      apiKey: ' sk-secret ',
      headers: { 'X-Team': 'a' },
    });
    await model.generate(ask());
    const [request] = server.chats;
    expect(request!.path).toBe('/v1/chat/completions?api-version=2');
    expect(request!.headers).toMatchObject({ authorization: 'Bearer sk-secret', 'x-team': 'a' });
  });

  test.each([
    ['ftp://127.0.0.1/v1', 'baseUrl'],
    ['127.0.0.1:11434', 'baseUrl'],
    ['file:///etc/passwd', 'baseUrl'],
    ['https://me:secret@example.com/v1', 'baseUrl'],
    ['https://example.com/v1?api_key=secret', 'baseUrl'],
  ])('%s is no address', (baseUrl, field) => {
    const create = () => createOpenAiCompatibleModel({ baseUrl, model: 'm' });
    expect(create).toThrow(expect.objectContaining({ name: 'RequestError', field }));
    if (baseUrl.includes('secret')) expect(create).not.toThrow(/secret/);
  });

  test('a key that no header can carry is refused without being shown', () => {
    const create = () => createOpenAiCompatibleModel({ baseUrl: 'http://a/v1', model: 'm', apiKey: 'sk-密钥' });
    expect(create).toThrow(expect.objectContaining({ name: 'RequestError', field: 'apiKey' }));
    expect(create).not.toThrow(/密钥/);
  });
});
