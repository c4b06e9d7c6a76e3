/** The times of requests and the questions of a server while they run. */
import { AsyncLocalStorage } from 'node:async_hooks';

import { beforeEach, expect, test, vi } from 'vitest';

import { createDeadline, type Deadline } from '../../../src-core/mcp/createDeadline.ts';
import type { McpError } from '../../../src-core/mcp/errors.ts';
import type { ElicitResult, ServerRequestHandlers } from '../../../src-core/mcp/types.ts';
import { callOptions, connect, everything, never, program } from './connectedServer.ts';
import { fakeDeadlines } from './fakeDeadlines.ts';
import { serveLegacy, silence } from './legacyServer.ts';
import { serveModern } from './modernServer.ts';
import { requestsOf } from './requestsOf.ts';
import { serveFetch } from './serveFetch.ts';

test('the time of a call that is repeated while the user is asked something runs after the answer only, and that of a later call at once', async () => {
  fakeDeadlines();
  const requests = requestsOf(1);
  const outcomes: string[] = [];
  const start = (name: string): (() => Promise<void>) => {
    const deadline = createDeadline({ timeoutMs: 300, maxTotalMs: 300 });
    const send = (): Promise<object> => requests.send('tools/call', {}, { signal: never, deadline });
    return () => send().then(undefined, ({ code }: McpError) => void outcomes.push(`${name}: ${code}`));
  };
  const send = start('call');
  await send();
  const answer = Promise.withResolvers<undefined>();
  const asked = requests.whileAsked({}, () => answer.promise);
  const ended = Promise.all([send(), start('later call')()]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(outcomes).toEqual(['call: unauthorized', 'later call: timeout']);
  answer.resolve(undefined);
  await asked;
  await vi.advanceTimersByTimeAsync(300);
  await ended;
  expect(outcomes).toEqual(['call: unauthorized', 'later call: timeout', 'call: timeout']);
});

test('a question of a task that comes between two requests for it belongs to the call, which waits for the answer', async () => {
  fakeDeadlines();
  const requests = requestsOf();
  const task = createDeadline({ timeoutMs: 300, maxTotalMs: 300 });
  const poll = createDeadline({ timeoutMs: 100 });
  const polled = requests.send('tasks/get', { taskId: 'T' }, { signal: never, deadline: poll, callDeadline: task });
  requests.handleMessage({ id: 1, result: {} });
  await polled;
  poll.clear();
  const withdrawn = vi.fn<(isWithdrawn: boolean, calls: number) => void>();
  const answer = Promise.withResolvers<undefined>();
  const asked = requests.whileAsked({ taskId: 'T' }, async (ended, asking) => {
    await answer.promise;
    withdrawn(ended.aborted, asking.size);
  });
  const outcomes: string[] = [];
  const result = requests
    .send('tasks/result', { taskId: 'T' }, { signal: never, deadline: task })
    .catch(({ code }: McpError) => void outcomes.push(code));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(outcomes).toEqual([]);
  answer.resolve(undefined);
  await asked;
  expect(withdrawn).toHaveBeenCalledWith(false, 1);
  await vi.advanceTimersByTimeAsync(300);
  await result;
  expect(outcomes).toEqual(['timeout']);
});

test('a question that comes with the answer that names its task, or before it, belongs to the call of the task', async () => {
  const requests = requestsOf();
  const asking = vi.fn<(calls: number) => void>();
  const started = Promise.withResolvers<undefined>();
  const signals: AbortSignal[] = [];
  const asked = ['T', 'later'].map((taskId) =>
    requests.whileAsked({ taskId }, async (ended, calls) => {
      signals.push(ended);
      await started.promise;
      asking(calls.size);
    }),
  );
  await Promise.resolve();
  const deadlines = ['T', 'later'].map((taskId) => {
    const deadline = createDeadline({ timeoutMs: 60_000 });
    const options = { signal: never, deadline, callDeadline: deadline };
    if (taskId === 'T') void requests.send('tasks/get', { taskId }, options).catch(() => undefined);
    return { deadline, send: () => requests.send('tasks/get', { taskId }, options) };
  });
  await expect.poll(() => signals.length).toBe(2);
  void deadlines[1]?.send().catch(() => undefined);
  started.resolve(undefined);
  await Promise.all(asked);
  expect(asking.mock.calls).toEqual([[1], [1]]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  for (const { deadline } of deadlines) deadline.clear();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('a question that ends after its call starts no time of the call again, and the call no longer waits', async () => {
  fakeDeadlines();
  const requests = requestsOf();
  const waits: string[] = [];
  const start = (name: string): { deadline: Deadline; ended: Promise<unknown> } => {
    const deadline = createDeadline({
      timeoutMs: 300,
      onWait: (isWaiting) => void waits.push(`${name}: ${isWaiting}`),
    });
    return { deadline, ended: requests.send('tools/call', {}, { signal: never, deadline }) };
  };
  const calls = [start('a'), start('b')];
  const asked = requests.whileAsked({}, (ended) => new Promise((resolve) => ended.addEventListener('abort', resolve)));
  for (const [at, { deadline, ended }] of calls.entries()) {
    requests.handleMessage({ id: at + 1, result: {} });
    await ended;
    deadline.clear();
  }
  await asked;
  expect(vi.getTimerCount()).toBe(0);
  expect(waits).toEqual(['a: true', 'b: true', 'a: false', 'b: false']);
});

test('a refused request moves no time, and is reported to the only running call', async () => {
  fakeDeadlines();
  const requests = requestsOf();
  const waits = vi.fn<(isWaiting: boolean) => void>();
  const refused: string[] = [];
  const start = (name: string, method: string): Promise<unknown> => {
    const deadline = createDeadline({ timeoutMs: 300, maxTotalMs: 3_000, onWait: waits });
    const onRefused = (asked: string): void => void refused.push(`${name}: ${asked}`);
    return requests.send(method, {}, { signal: never, deadline, onRefused }).catch(({ code }: McpError) => code);
  };
  const outcomes = Promise.all([start('a', 'tools/call'), start('list', 'tools/list')]);
  requests.refused('roots/list');
  const other = start('b', 'tools/call');
  for (let asked = 0; asked < 3; asked += 1) {
    requests.refused('sampling/createMessage');
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(await outcomes).toEqual(['timeout', 'timeout']);
  expect(await other).toBe('timeout');
  expect(refused).toEqual(['a: roots/list']);
  expect(waits).not.toHaveBeenCalled();
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
  await expect.poll(() => questions.length).toBe(1);
  expect(questions[0]?.call).toBe('simulate-research-query');
  ending.abort();
  await ended;
  expect(questions[0]?.signal.aborted).toBe(true);
});

test('a question of a task is one of its call, also while no request for the task runs, and is withdrawn at once when that is cancelled', async () => {
  const task = { taskId: 'T', status: 'working', pollInterval: 30_000 };
  const server = await serveLegacy(({ method }) =>
    method === 'tools/call'
      ? { task }
      : method === 'tasks/get'
        ? task
        : method === 'tasks/cancel'
          ? silence
          : undefined,
  );
  const connection = await connect({ type: 'http', url: server.url, headers: {} }, { handlers: { elicit } });
  const polled = Promise.withResolvers<undefined>();
  const ending = new AbortController();
  const onTask = (): void => polled.resolve(undefined);
  const options = callOptions({ signal: ending.signal, asTask: true, onTask });
  const call = calls.run('a', () => connection.callTool('x', {}, options));
  call.catch(() => undefined);
  await polled.promise;
  const related = { 'io.modelcontextprotocol/related-task': { taskId: 'T' } };
  const ask = (): void =>
    server.send({ id: 'q', method: 'elicitation/create', params: { ...question, _meta: related } });
  await expect.poll(() => (ask(), questions.length)).toBeGreaterThan(0);
  expect(questions[0]).toMatchObject({ call: 'a', signal: { aborted: false } });
  ending.abort();
  expect(questions[0]?.signal.aborted).toBe(true);
});

test('a question that the user was not asked is no round of the call, and a refusal is one', async () => {
  const server = await serveLegacy(({ method }) => (method === 'tools/call' ? silence : undefined));
  const refusal = Object.assign(new Error('The user refused.'), { code: -1 });
  const connection = await connect(
    { type: 'http', url: server.url, headers: {} },
    { handlers: { elicit: () => Promise.reject(new Error('Too many.')), sample: () => Promise.reject(refusal) } },
  );
  const rounds: object[] = [];
  const onRound = (round: object[]): void => void rounds.push(...round);
  connection.callTool('x', {}, callOptions({ onRound })).catch(() => undefined);
  const answered = (id: string): boolean => server.received.some((message) => message.id === id);
  const ask = (): void => server.send({ id: 'form', method: 'elicitation/create', params: question });
  await expect.poll(() => (ask(), answered('form'))).toBe(true);
  const params = { maxTokens: 1, messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] };
  server.send({ id: 'reply', method: 'sampling/createMessage', params });
  await expect.poll(() => answered('reply')).toBe(true);
  expect(rounds).toMatchObject([{ method: 'sampling/createMessage', answer: { action: 'decline' } }]);
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
  fakeDeadlines();
  await expect(connection.listPrompts(never)).rejects.toMatchObject({ code: 'timeout', details: { total: true } });
  expect(pages).toBe(9);
});
