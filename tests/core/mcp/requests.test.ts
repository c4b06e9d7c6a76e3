/** The times of requests and the questions of a server while they run. */
import { AsyncLocalStorage } from 'node:async_hooks';

import type { Transport } from '@modelcontextprotocol/client';
import { beforeEach, expect, test, vi } from 'vitest';

import { createDeadline } from '../../../src-core/mcp/createDeadline.ts';
import { createRequests, type Requests } from '../../../src-core/mcp/createRequests.ts';
import { McpError } from '../../../src-core/mcp/errors.ts';
import type { ElicitResult, ServerRequestHandlers } from '../../../src-core/mcp/types.ts';
import { callOptions, connect, everything, never, program } from './connectedServer.ts';
import { serveLegacy, type LegacyServer } from './legacyServer.ts';
import { serveModern } from './modernServer.ts';
import { serveFetch } from './serveFetch.ts';

/** Requests whose transport fails the first message. */
function requestsOf(): Requests {
  let count = 0;
  const send = (): Promise<void> => ((count += 1) === 1 ? Promise.reject(new Error('401')) : Promise.resolve());
  return createRequests({
    transport: { send } as unknown as Transport,
    isModern: false,
    envelope: () => ({}),
    onLate: () => undefined,
    explain: () => new McpError('unauthorized', 'Sign in.'),
  });
}

test('a request that is repeated while the user is asked something times out after the answer', async () => {
  vi.useFakeTimers();
  const requests = requestsOf();
  const deadline = createDeadline({ timeoutMs: 300, maxTotalMs: 300 });
  const question = Promise.withResolvers<undefined>();
  const asked = requests.whileAsked({}, () => question.promise);
  const send = (): Promise<object> => requests.send('tools/call', {}, { signal: never, deadline });
  await expect(send()).rejects.toMatchObject({ code: 'unauthorized' });
  const repeated = expect(send()).rejects.toMatchObject({ code: 'timeout' });
  vi.advanceTimersByTime(1_000);
  question.resolve(undefined);
  await asked;
  vi.advanceTimersByTime(300);
  await repeated;
  vi.useRealTimers();
});

const calls = new AsyncLocalStorage<string>();
interface Question {
  call: string | undefined;
  /** The calls in which the server may be asking. */
  calls: (string | undefined)[];
  signal: AbortSignal;
}
let questions: Question[];
beforeEach(() => {
  questions = [];
});
/** Never answers, unless the question is withdrawn. */
const elicit: ServerRequestHandlers['elicit'] & {} = (_params, signal, contexts = []): Promise<ElicitResult> => {
  questions.push({ call: calls.getStore(), calls: contexts.map((run) => run(() => calls.getStore())), signal });
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ action: 'cancel' })));
};
const asked = (count: number): Promise<unknown> => expect.poll(() => questions.length).toBe(count);
const question = { message: 'Size?', requestedSchema: { type: 'object', properties: {} } };

test('a question on the only call of a stdio server is withdrawn when the call ends', async () => {
  const connection = await connect(program(everything), { handlers: { elicit } });
  await connection.listTools(never);
  const ending = new AbortController();
  const options = callOptions({ signal: ending.signal });
  const call = calls.run('a', () => connection.callTool('trigger-elicitation-request', {}, options));
  await asked(1);
  expect(questions[0]).toMatchObject({ call: 'a', signal: { aborted: false } });
  ending.abort();
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  expect(questions[0]?.signal.aborted).toBe(true);
});

test('a question of one of two calls of a stdio server belongs to both, and not to a later one: it is withdrawn when both have ended', async () => {
  const connection = await connect(program(everything), { handlers: { elicit } });
  const long = { duration: 60, steps: 1 };
  const start = (call: string, name: string, args: object): (() => Promise<unknown>) => {
    const ending = new AbortController();
    const options = callOptions({ signal: ending.signal });
    const outcome = calls.run(call, () => connection.callTool(name, { ...args }, options)).catch(() => undefined);
    return () => {
      ending.abort();
      return outcome;
    };
  };
  const endFirst = start('first', 'trigger-long-running-operation', long);
  const endSecond = start('second', 'trigger-elicitation-request', {});
  await asked(1);
  const endLater = start('later', 'trigger-long-running-operation', long);
  expect(questions[0]).toMatchObject({ call: undefined, calls: ['first', 'second'] });
  await endFirst();
  expect(questions[0]?.signal.aborted).toBe(false);
  await endSecond();
  expect(questions[0]?.signal.aborted).toBe(true);
  await endLater();
});

test('a question of a task of a stdio server belongs to the call of the task, also while another call runs', async () => {
  const connection = await connect(program(everything), { handlers: { elicit } });
  await connection.listTools(never);
  const ending = new AbortController();
  const call = (name: string, args: object): Promise<unknown> =>
    calls.run(name, () => connection.callTool(name, { ...args }, callOptions({ signal: ending.signal })));
  const ended = Promise.allSettled([
    call('trigger-long-running-operation', { duration: 60, steps: 1 }),
    call('simulate-research-query', { topic: 'python', ambiguous: true }),
  ]);
  await expect.poll(() => questions.length, { timeout: 20_000 }).toBe(1);
  expect(questions[0]?.call).toBe('simulate-research-query');
  ending.abort();
  await ended;
  expect(questions[0]?.signal.aborted).toBe(true);
});

test('a question on the response stream of a call is withdrawn when that call ends, and no other one', async () => {
  const { url } = await serveFetch(async (request) => {
    if (request.method !== 'POST') return new Response('', { status: 405 });
    const { id, method, params } = (await request.json()) as { id?: number; method: string; params?: object };
    if (method === 'initialize') {
      const result = { ...params, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } };
      return Response.json({ jsonrpc: '2.0', id, result });
    }
    if (method !== 'tools/call') return new Response(null, { status: id === undefined ? 202 : 404 });
    const text = JSON.stringify({ jsonrpc: '2.0', id: `q${id}`, method: 'elicitation/create', params: question });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${text}\n\n`)),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  const connection = await connect({ type: 'http', url, headers: {} }, { handlers: { elicit } });
  const ending = new AbortController();
  const call = (name: string, signal: AbortSignal): Promise<unknown> =>
    calls.run(name, () => connection.callTool(name, {}, callOptions({ signal })));
  const first = call('first', ending.signal);
  const second = call('second', never);
  second.catch(() => undefined);
  await asked(2);
  const [own, other] = ['first', 'second'].map((name) => questions.find((each) => each.call === name));
  ending.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  expect([own?.signal.aborted, other?.signal.aborted]).toEqual([true, false]);
});

test('a question of a modern server is withdrawn when the connection ends', async () => {
  const { url } = await serveModern(({ method }) => {
    const inputRequests = { q: { method: 'elicitation/create', params: question } };
    return method === 'tools/call' ? { resultType: 'input_required', inputRequests } : undefined;
  });
  const connection = await connect({ type: 'http', url, headers: {} }, { handlers: { elicit } });
  const call = calls.run('a', () => connection.callTool('ask', {}, callOptions()));
  const failed = expect(call).rejects.toMatchObject({ code: 'connection-lost' });
  await asked(1);
  expect(questions[0]?.call).toBe('a');
  await connection.close();
  await failed;
  expect(questions[0]?.signal.aborted).toBe(true);
});

test('a legacy server is told of a call that timed out or was cancelled, and its response stream is closed', async () => {
  let open = 0;
  const notes: string[] = [];
  const { url } = await serveLegacyStreams(
    (change) => (open += change),
    (method) => notes.push(method),
  );
  const connection = await connect({ type: 'http', url, headers: {} }, { era: 'legacy' });
  const ending = new AbortController();
  const cancelled = connection.callTool('slow', {}, callOptions({ signal: ending.signal }));
  await expect.poll(() => open).toBe(1);
  ending.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  await expect(connection.callTool('slow', {}, callOptions({ timeoutMs: 200 }))).rejects.toMatchObject({
    code: 'timeout',
  });
  await expect.poll(() => open).toBe(0);
  await expect
    .poll(() => notes)
    .toEqual(['notifications/initialized', 'notifications/cancelled', 'notifications/cancelled']);
});

/** A legacy server whose calls open a stream and never answer. */
function serveLegacyStreams(
  onStream: (change: 1 | -1) => void,
  onNote: (method: string) => void,
): Promise<{ url: string }> {
  return serveFetch(async (request) => {
    if (request.method !== 'POST') return new Response('', { status: 405 });
    const { id, method, params } = (await request.json()) as { id?: number; method: string; params?: object };
    if (id === undefined) {
      onNote(method);
      return new Response(null, { status: 202 });
    }
    if (method !== 'tools/call') {
      const result = { ...params, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } };
      return Response.json({ jsonrpc: '2.0', id, result });
    }
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        onStream(1);
        request.signal.addEventListener('abort', () => onStream(-1));
        controller.enqueue(new TextEncoder().encode(': \n\n'));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
}

test('a list may have 100,000 items in all its pages', async () => {
  const tools = Array.from({ length: 60_000 }, () => 1);
  let page = 0;
  const { url } = await serveLegacy(({ method }) =>
    method === 'tools/list' ? { tools, nextCursor: `${(page += 1)}` } : undefined,
  );
  const connection = await connect({ type: 'http', url, headers: {} });
  await expect(connection.listTools(never)).rejects.toMatchObject({
    code: 'too-large',
    message: 'The list of tools/list has more than 100000 items.',
  });
  expect(page).toBe(2);
});

test('a list has the bound of a message, and of five minutes, in all its pages', async () => {
  const prompts = [{ name: 'x'.repeat(4_000) }];
  let pages = 0;
  let pageMs = 0;
  const { url } = await serveLegacy(
    ({ method }) => {
      if (method !== 'prompts/list') return undefined;
      if (pageMs > 0) vi.advanceTimersByTime(pageMs);
      return { prompts: pageMs > 0 ? [] : prompts, nextCursor: `${(pages += 1)}` };
    },
    { prompts: {} },
  );
  const connection = await connect({ type: 'http', url, headers: {} }, { maxMessageBytes: 10_000 });
  await expect(connection.listPrompts(never)).rejects.toMatchObject({
    code: 'too-large',
    details: { maxBytes: 10_000 },
  });
  expect(pages).toBe(3);
  pageMs = 50_000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  await expect(connection.listPrompts(never)).rejects.toMatchObject({ code: 'timeout', details: { total: true } });
  vi.useRealTimers();
  expect(pages).toBe(9);
});

/** Asks for pages until the tool has been called so many times. */
async function servePages(
  answers: number,
  pages: object[],
): Promise<{ server: LegacyServer; calls: () => number; complete: (...ids: string[]) => number }> {
  const error = { code: -32042, message: 'Sign in first.', data: { elicitations: pages } };
  const calls = (): number => server.received.filter(({ method }) => method === 'tools/call').length;
  const server = await serveLegacy(({ method }) =>
    method !== 'tools/call' ? undefined : calls() > answers ? { content: [] } : { error },
  );
  const complete = (...ids: string[]): number => {
    for (const elicitationId of ids)
      server.send({ method: 'notifications/elicitation/complete', params: { elicitationId } });
    return calls();
  };
  return { server, calls, complete };
}
const pages = ['a', 'b'].map((elicitationId) => ({
  mode: 'url',
  elicitationId,
  message: 'Sign in',
  url: `https://id.example/${elicitationId}`,
}));

test('a call that needs pages asks for each, and is repeated once the user is done with all of them', async () => {
  const { server, calls, complete } = await servePages(1, pages);
  const asked: unknown[] = [];
  const waits: boolean[] = [];
  const connection = await connect(
    { type: 'http', url: server.url, headers: {} },
    {
      handlers: {
        elicit: (request) => {
          asked.push(request);
          return Promise.resolve({ action: 'accept' });
        },
      },
    },
  );
  const rounds: string[] = [];
  const options = callOptions({
    onWait: (isWaiting) => void waits.push(isWaiting),
    onRound: (round) => void rounds.push(...round.map(({ key }) => key)),
  });
  const call = connection.callTool('x', { a: 1 }, options);
  await expect.poll(() => rounds).toEqual(['a', 'b']);
  complete('a', 'other');
  await connection.ping(never);
  expect([calls(), asked]).toEqual([1, pages]);
  await expect.poll(() => complete('b')).toBe(2);
  expect((await call).isError).toBe(false);
  expect(waits).toEqual([true, false]);
  expect(server.received.filter(({ method }) => method === 'tools/call')[1]?.params).toMatchObject({
    name: 'x',
    arguments: { a: 1 },
  });
});

test('if the server reports no completion, a call is sent again and again; the user is asked for each page once', async () => {
  const { server, calls } = await servePages(3, pages);
  let asked = 0;
  const elicit = (): Promise<{ action: 'accept' }> => {
    asked += 1;
    return Promise.resolve({ action: 'accept' });
  };
  const endpoint = { type: 'http', url: server.url, headers: {} } as const;
  const connection = await connect(endpoint, { pageRetryMs: 1, handlers: { elicit } });
  expect(await connection.callTool('x', {}, callOptions())).toMatchObject({ isError: false });
  expect([calls(), asked]).toEqual([4, 2]);
  const other = await servePages(Infinity, pages);
  const never = await connect({ ...endpoint, url: other.server.url }, { pageRetryMs: 1, handlers: { elicit } });
  await expect(never.callTool('x', {}, callOptions())).rejects.toMatchObject({ code: 'rpc' });
  expect([other.calls(), asked]).toEqual([38, 4]);
});

test('two pages without an id are two pages', async () => {
  const { server } = await servePages(
    1,
    pages.map(({ elicitationId: _, ...page }) => page),
  );
  const asked: unknown[] = [];
  const elicit: ServerRequestHandlers['elicit'] = (request) => {
    asked.push(request);
    return Promise.resolve({ action: 'accept' });
  };
  const endpoint = { type: 'http', url: server.url, headers: {} } as const;
  const connection = await connect(endpoint, { pageRetryMs: 1, handlers: { elicit } });
  expect(await connection.callTool('x', {}, callOptions())).toMatchObject({ isError: false });
  expect(asked).toMatchObject([{ url: 'https://id.example/a' }, { url: 'https://id.example/b' }]);
});

test.each([
  ['is declined', pages, 'decline', 'rpc'],
  ['has no URL', [{ elicitationId: 'a', message: 'Sign in' }], 'accept', 'invalid-answer'],
  [
    'is one of more than 20',
    Array.from({ length: 21 }, (_, at) => ({ ...pages[0], elicitationId: `${at}` })),
    'accept',
    'rpc',
  ],
  ['is not named', [], 'accept', 'rpc'],
] as const)('a call whose page %s fails', async (_how, asked, action, code) => {
  const { server, calls } = await servePages(1, [...asked]);
  const connection = await connect(
    { type: 'http', url: server.url, headers: {} },
    { handlers: { elicit: () => Promise.resolve({ action }) } },
  );
  await expect(connection.callTool('x', {}, callOptions())).rejects.toMatchObject({ code });
  expect(calls()).toBe(1);
});

test('a call that needs pages again and again ends at the bound, and one that is cancelled at once', async () => {
  const { server, calls, complete } = await servePages(Infinity, pages);
  const connection = await connect(
    { type: 'http', url: server.url, headers: {} },
    { maxInputRounds: 2, handlers: { elicit: () => Promise.resolve({ action: 'accept' }) } },
  );
  const endless = expect(connection.callTool('x', {}, callOptions())).rejects.toMatchObject({
    code: 'too-many-rounds',
  });
  await expect.poll(() => complete('a', 'b')).toBe(3);
  await endless;
  const ending = new AbortController();
  const onRound = (): void => ending.abort();
  const cancelled = connection.callTool('x', {}, callOptions({ signal: ending.signal, onRound }));
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  expect(calls()).toBe(4);
});
