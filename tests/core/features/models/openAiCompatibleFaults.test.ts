import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';

import { ChatModelError } from '../../../../src-core/features/models/chatModel.ts';
import type { ChatModel, ChatRequest } from '../../../../src-core/features/models/chatModel.ts';
import { createOpenAiCompatibleModel } from '../../../../src-core/features/models/openAiCompatible/openAiCompatibleModel.ts';
import type { OpenAiCompatibleModelOptions } from '../../../../src-core/features/models/openAiCompatible/openAiCompatibleModel.ts';
import type { ChatServerTurn } from '../../../fakes/chatServerTurn.ts';
import { startScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';
import type { ScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

const key = 'sk-live-0123456789abcdef';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function modelOf(
  turns: ChatServerTurn[],
  options: Partial<OpenAiCompatibleModelOptions> = {},
): Promise<{ server: ScriptedChatServer; model: ChatModel }> {
  const server = await startScriptedChatServer({ turns });
  closing.push(() => server.close());
  const model = createOpenAiCompatibleModel({ baseUrl: server.baseUrl, model: 'stand-in', apiKey: key, ...options });
  return { server, model };
}

const request: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] };

async function failure(model: ChatModel, more: Partial<ChatRequest> = {}): Promise<ChatModelError> {
  const error = await model.generate({ ...request, ...more }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ChatModelError);
  return error as ChatModelError;
}

describe.each([
  ['streaming', true],
  ['in one piece', false],
])('a server that misbehaves, %s', (_, stream) => {
  test.each<[string, ChatServerTurn, string, RegExp]>([
    [
      '401 as OpenAI words it',
      { status: 401, body: { error: { message: 'No such key' } } },
      'http',
      /401 Unauthorized: No such key.*Check the key/,
    ],
    [
      '404 as Ollama words it',
      { status: 404, body: { error: 'model "x" not found' } },
      'http',
      /404 Not Found: model "x" not found.*name of the model/,
    ],
    [
      '422 as vLLM words it',
      { status: 422, body: { detail: [{ msg: 'field required' }] } },
      'http',
      /422 .*: field required/,
    ],
    [
      '429 with a time',
      { status: 429, body: { error: { message: 'Slow down' } }, headers: { 'retry-after': '20' } },
      'http',
      /429 .*Slow down.*after 20 s/,
    ],
    ['500 with text', { status: 500, body: 'out of memory' }, 'http', /500 Internal Server Error: out of memory/],
    [
      '500 with an HTML page',
      { status: 502, body: '<html><title>Bad gateway</title></html>' },
      'http',
      /an HTML page, “Bad gateway”/,
    ],
    ['an error without a body', { status: 503, body: '' }, 'http', /503 Service Unavailable\./],
    [
      'a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:1/steal' } },
      'http',
      /points to http:\/\/127\.0\.0\.1:1\/steal/,
    ],
    ['HTML with status 200', { fault: 'html' }, 'answer', /not a chat completion.*“Sign in”/],
    ['empty choices', { fault: 'empty-choices' }, 'answer', /not a chat completion/],
    [
      'JSON that is none',
      { status: 200, body: '{"choices": [', headers: { 'content-type': 'application/json' } },
      'answer',
      /not a chat completion/,
    ],
    ['an empty answer', { status: 200, body: '' }, 'answer', /It sent: nothing/],
    ['a cut in the middle', { fault: 'cut-mid-stream', text: 'A long answer indeed' }, 'stream', /connection was cut/],
    ['a cut before the answer', { fault: 'cut-before-answer' }, 'unreachable', /cannot be reached at http:/],
  ])('%s: says what it was, once, and the next step works', async (_name, turn, code, message) => {
    const { server, model } = await modelOf([turn, { text: 'fine' }], { stream });
    const error = await failure(model);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error.exchange?.request).toMatchObject({ method: 'POST', url: `${server.baseUrl}/chat/completions` });
    expect(server.chats).toHaveLength(1);
    expect((await model.generate(request)).text).toBe('fine');
  });

  test.each(['no-answer', 'stall-after-headers', 'stall-mid-stream'] as const)(
    '%s: the total limit ends it and hangs up',
    async (fault) => {
      const clock = createManualClock();
      const { server, model } = await modelOf([{ fault, text: 'A long answer indeed' }, { text: 'fine' }], {
        stream,
        clock,
      });
      const pending = failure(model, { totalMs: 30_000 });
      const { closed } = await server.chat(0);
      clock.advance(29_999);
      clock.advance(1);
      expect(await pending).toMatchObject({
        code: 'timeout',
        details: { limitMs: 30_000 },
        exchange: { durationMs: 30_000 },
      });
      expect(await closed).toBe('hung up');
      expect((await model.generate(request)).text).toBe('fine');
      expect(server.chats).toHaveLength(2);
    },
  );

  test('a key that is part of a number in the error stays out of its way', async () => {
    const clock = createManualClock();
    const { server, model } = await modelOf([{ fault: 'no-answer' }], { stream, clock, apiKey: '0000' });
    const pending = failure(model, { totalMs: 30_000 });
    await server.chat(0);
    clock.advance(30_000);
    expect(await pending).toMatchObject({ code: 'timeout', details: { limitMs: 30_000 } });
  });

  test('cancelling hangs up, before and after the headers', async () => {
    const { server, model } = await modelOf(
      [{ fault: 'no-answer' }, { fault: 'stall-mid-stream', text: 'Some text' }],
      { stream },
    );
    for (const index of [0, 1]) {
      const controller = new AbortController();
      const pending = failure(model, { signal: controller.signal });
      const { closed } = await server.chat(index);
      controller.abort();
      expect(await pending).toMatchObject({ code: 'cancelled' });
      expect(await closed).toBe('hung up');
    }
  });

  test('cancelled before it begins, nothing is sent', async () => {
    const { server, model } = await modelOf([{ text: 'fine' }], { stream });
    const error = await failure(model, { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: 'cancelled', exchange: undefined });
    expect(server.requests).toHaveLength(0);
  });
});

describe('a stream', () => {
  test.each([
    ['an object', { message: 'The model is overloaded', code: 529 }, 'The model is overloaded'],
    ['a text, as Ollama words it', 'unexpected EOF', 'unexpected EOF'],
  ])('with an error in it (%s) fails, also where [DONE] follows', async (_, error, said) => {
    const { model } = await modelOf([{ text: 'A long answer indeed', fault: 'error-mid-stream', error }]);
    expect(await failure(model)).toMatchObject({ code: 'stream', message: `The server broke off its answer: ${said}` });
  });

  test('with an error in it is hung up on at once, also where the server keeps it open', async () => {
    const { server, model } = await modelOf([
      { text: 'A long answer', fault: 'error-then-stall', error: 'overloaded' },
    ]);
    expect(await failure(model)).toMatchObject({ code: 'stream' });
    expect(await server.chats[0]!.closed).toBe('hung up');
  });

  test('that stalls between two parts ends after chunkMs; parts that come give it more time', async () => {
    const clock = createManualClock();
    const { model } = await modelOf([{ fault: 'stall-mid-stream', text: 'A long answer indeed' }], { clock });
    const heard = Promise.withResolvers<undefined>();
    const pending = failure(model, { totalMs: 600_000, chunkMs: 20_000, onPart: () => heard.resolve(undefined) });
    await heard.promise;
    clock.advance(20_000);
    expect(await pending).toMatchObject({ code: 'timeout', details: { limitMs: 20_000 } });
  });

  test('that has said nothing yet is not held to chunkMs', async () => {
    const clock = createManualClock();
    const gate = Promise.withResolvers<undefined>();
    const { server, model } = await modelOf([{ text: 'fine', gate: gate.promise }], { clock });
    const pending = model.generate({ ...request, chunkMs: 1_000 });
    await server.chat(0);
    clock.advance(60_000);
    gate.resolve(undefined);
    expect((await pending).text).toBe('fine');
  });

  test('without a finish reason is whole where it closes with [DONE], and not where it just ends', async () => {
    const { model } = await modelOf([
      { text: 'fine', finishReason: null },
      { status: 200, body: 'data: {"choices":[{"delta":{"content":"half"}}]}\n\n' },
    ]);
    expect(await model.generate(request)).toMatchObject({ text: 'fine', finishReason: 'other' });
    expect(await failure(model)).toMatchObject({
      code: 'stream',
      message: expect.stringContaining('before it was complete'),
    });
  });

  test('that is one whole answer instead says how to ask for that', async () => {
    const body = { choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] };
    const { model } = await modelOf([{ status: 200, body }]);
    expect(await failure(model)).toMatchObject({
      code: 'answer',
      message: expect.stringContaining('switch streaming off'),
    });
  });

  test('with a call that has no name is no completion', async () => {
    const delta = { tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] };
    const body = `data: ${JSON.stringify({ choices: [{ delta, finish_reason: 'tool_calls' }] })}\n\ndata: [DONE]\n\n`;
    const { model } = await modelOf([{ status: 200, body }]);
    expect((await failure(model)).code).toBe('answer');
  });

  test('over 16 MB is cut off', async () => {
    const server: Server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const line = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(64 * 1024) } }] })}\n\n`;
      const more = (): void => {
        while (!response.destroyed && response.write(line));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const error = await failure(createOpenAiCompatibleModel({ baseUrl, model: 'm' }));
    expect(error).toMatchObject({ code: 'too-large', message: expect.stringContaining('over 16 MB') });
    expect(error.exchange!.response!.body.length).toBeLessThan(300_000);
  });
});

describe('credentials', () => {
  test('are in no exchange and no error, also where the server repeats them', async () => {
    const echoes = `Incorrect API key provided: ${key}. Or sk-live-0123*****cdef, or ****cdef. Find yours at http://x`;
    const { server, model } = await modelOf(
      [
        { text: 'fine', headers: { 'set-cookie': 'session=abc', 'x-echo': `Bearer ${key}` } },
        { status: 401, body: { error: { message: echoes } } },
        { text: 'a', fault: 'error-mid-stream', error: { message: `bad ${key}` } },
        { status: 302, headers: { location: `http://x/?next=${key}` } },
      ],
      { headers: { 'api-key': 'second-secret-value', 'X-Team': 'a' } },
    );
    const { exchange } = await model.generate({ messages: [{ role: 'user', content: `my key is ${key}` }] });
    expect(server.chats[0]!.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'api-key': 'second-secret-value',
    });
    expect(exchange!.request.headers).toMatchObject({ authorization: '•••', 'api-key': '•••', 'x-team': 'a' });
    expect(exchange!.response!.headers).toMatchObject({ 'set-cookie': '•••', 'x-echo': 'Bearer •••' });
    const errors = [await failure(model), await failure(model), await failure(model)];
    expect(errors[0]!.message).toContain('Incorrect API key provided: •••');
    const all = JSON.stringify([
      exchange,
      ...errors.map((error) => [error.message, error.details, error.exchange, error.stack]),
    ]);
    for (const secret of [key, 'sk-live', 'cdef', 'second-secret-value', 'session=abc'])
      expect(all).not.toContain(secret);
  });

  test('are sent nowhere else: a redirect is not followed', async () => {
    const thief = await startScriptedChatServer({ turns: [{ text: 'thanks' }] });
    closing.push(() => thief.close());
    const location = `${thief.baseUrl}/chat/completions`;
    const { model } = await modelOf([{ status: 308, headers: { location } }], { headers: { 'api-key': 'other' } });
    expect(await failure(model)).toMatchObject({ code: 'http', details: { status: 308, location } });
    expect(thief.requests).toHaveLength(0);
  });
});

describe('the raw exchange', () => {
  test('has the request and the stream as they were, with times', async () => {
    const clock = createManualClock();
    const { model, server } = await modelOf([{ text: 'Hello you' }], { clock });
    const { exchange } = await model.generate({ ...request, onPart: () => clock.advance(5) });
    expect(exchange!.request).toMatchObject({ method: 'POST', url: `${server.baseUrl}/chat/completions` });
    expect(exchange!.request.body).toEqual(server.chats[0]!.body);
    expect(exchange!.response).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
    expect(exchange!.response!.body).toMatch(/^data: \{[\s\S]*"content":"Hello yo"[\s\S]*data: \[DONE\]\n\n$/);
    expect(exchange).toMatchObject({ durationMs: 10, firstPartMs: 0 });
  });

  test('cuts what is very long, pictures first', async () => {
    const { model } = await modelOf([{ text: 'x'.repeat(300_000), pieceBytes: 65_536 }]);
    const pictures = [{ mediaType: 'image/jpeg', data: new Uint8Array(50_000) }];
    const messages = [{ role: 'user' as const, content: 'y'.repeat(70_000), pictures }];
    const reply = await model.generate({ messages });
    expect(reply.text).toHaveLength(300_000);
    const shown = JSON.stringify(reply.exchange!.request.body);
    expect(shown).toMatch(/data:image\/jpeg;base64,A+… \([\d,]+ more characters were not kept\)/);
    expect(shown.length).toBeLessThan(70_000);
    expect(reply.exchange!.response!.body).toMatch(/more characters were not kept\)$/);
  });

  test('a port that no HTTP client opens is named', async () => {
    const error = await failure(createOpenAiCompatibleModel({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm' }));
    expect(error).toMatchObject({ code: 'unreachable' });
    expect(error.message).toMatch(/bad port\. Node\.js and browsers block port 9\. Choose another port\.$/);
  });

  test('a server that is not there', async () => {
    const server = await startScriptedChatServer();
    await server.close();
    const error = await failure(createOpenAiCompatibleModel({ baseUrl: server.baseUrl, model: 'm' }));
    expect(error).toMatchObject({ code: 'unreachable', details: { cause: 'ECONNREFUSED' } });
    expect(error.message).toContain(`cannot be reached at ${server.baseUrl}/chat/completions: ECONNREFUSED. `);
    expect(error.exchange).not.toHaveProperty('response');
  });
});
