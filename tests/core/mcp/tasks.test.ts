import { expect, test } from 'vitest';

import type { ConnectOptions, ElicitRequestParams } from '../../../src-core/mcp/types.ts';
import { callOptions, connect, everything, never, program } from './connectedServer.ts';
import { serveLegacy, silence } from './legacyServer.ts';
import { serveModern, type ModernServer } from './modernServer.ts';

const research = 'simulate-research-query';

test('everything: a tool that needs a task is followed, and its question is asked', async () => {
  const asked: ElicitRequestParams[] = [];
  const connection = await connect(program(everything), {
    handlers: {
      elicit(request) {
        asked.push(request);
        return Promise.resolve({ action: 'accept', content: { interpretation: 'snake' } });
      },
    },
  });
  await connection.listTools(never);
  const states: string[] = [];
  const { content } = await connection.callTool(
    research,
    { topic: 'python', ambiguous: true },
    callOptions({ onTask: ({ status }) => states.push(status) }),
  );
  expect(JSON.stringify(content)).toContain('Research Report: python (snake)');
  expect(asked).toHaveLength(1);
  expect(states[0]).toBe('working');
  expect(states).toContain('input_required');
});

test('everything: cancelling the call cancels the task', async () => {
  const connection = await connect(program(everything));
  await connection.listTools(never);
  const cancel = new AbortController();
  let taskId = '';
  const call = connection.callTool(
    research,
    { topic: 'python', ambiguous: false },
    callOptions({
      signal: cancel.signal,
      onTask(state) {
        taskId = state.taskId;
        cancel.abort();
      },
    }),
  );
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  expect(await connection.request('tasks/get', { taskId }, callOptions())).toMatchObject({ status: 'cancelled' });
});

/** A server whose tool is a task of two questions. `answers` has what it was sent. */
async function serveTask(): Promise<{ server: ModernServer; answers: unknown[] }> {
  const answers: unknown[] = [];
  const task = {
    taskId: 't1',
    createdAt: '2026-07-28T00:00:00Z',
    lastUpdatedAt: '2026-07-28T00:00:00Z',
    ttlMs: null,
    pollIntervalMs: 10,
  };
  const question = (message: string): object => ({
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties: {} } },
  });
  const server = await serveModern(({ method, params }) => {
    if (method === 'tools/call') return { ...task, resultType: 'task', status: 'working' };
    if (method === 'tasks/update') {
      answers.push(params['inputResponses']);
      return {};
    }
    if (method !== 'tasks/get') return undefined;
    if (params['taskId'] === 'broken')
      return { ...task, status: 'failed', error: { code: -32000, message: 'out of paper' } };
    if (answers.length === 2)
      return { ...task, status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } };
    const inputRequests = answers.length === 0 ? { a: question('first') } : { b: question('second') };
    return { ...task, status: 'input_required', inputRequests };
  });
  return { server, answers };
}

test('modern: a task that was not asked for is followed, and each of its questions is asked once', async () => {
  const { server, answers } = await serveTask();
  const asked: string[] = [];
  const connection = await connect(
    { type: 'http', url: server.url, headers: {} },
    {
      handlers: {
        elicit({ message }) {
          asked.push(message);
          return Promise.resolve({ action: 'accept', content: { n: asked.length } });
        },
      },
    },
  );
  expect((await connection.callTool('print', {}, callOptions())).content).toEqual([{ type: 'text', text: 'done' }]);
  expect(asked).toEqual(['first', 'second']);
  expect(answers).toEqual([
    { a: { action: 'accept', content: { n: 1 } } },
    { b: { action: 'accept', content: { n: 2 } } },
  ]);
  const call = server.received.find(({ message }) => message.method === 'tools/call')?.message;
  expect(call?.params._meta['io.modelcontextprotocol/clientCapabilities']).toMatchObject({
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  });
});

test('legacy: the extension for tasks of modern servers is declared only as long as the era is not known', async () => {
  const { url, received } = await serveLegacy(() => undefined);
  const options: Partial<ConnectOptions>[] = [{}, { era: 'legacy' }, { assumesLegacy: true }];
  for (const each of options) await connect({ type: 'http', url, headers: {} }, each);
  const declared = received.filter(({ method }) => method === 'initialize').map(({ params }) => params['capabilities']);
  expect(declared).toEqual([{ extensions: { 'io.modelcontextprotocol/tasks': {} } }, {}, {}]);
});

test('modern: a task of an earlier connection is resumed, and a failed one has its error', async () => {
  const { server, answers } = await serveTask();
  answers.push(1, 2);
  const connection = await connect({ type: 'http', url: server.url, headers: {} });
  expect((await connection.resumeTask('t1', callOptions())).content).toEqual([{ type: 'text', text: 'done' }]);
  await expect(connection.resumeTask('broken', callOptions())).rejects.toMatchObject({
    code: 'rpc',
    message: 'out of paper',
  });
  expect(server.received.map(({ message }) => message.method)).not.toContain('tasks/cancel');
});

/** How polls of a task fail once: the server or a proxy answers with a status, or cuts the connection. */
const failures: Record<string, () => Response> = {
  'a status': () => new Response('', { status: 502 }),
  'a cut': () =>
    new Response(new ReadableStream({ start: (body) => body.error(new Error('cut')) }), {
      headers: { 'content-type': 'application/json' },
    }),
};

test.each(Object.keys(failures))(
  'modern: a task goes on after polls that fail by %s, and its call ends if they go on failing',
  async (how) => {
    let polls = 0;
    let failing = 2;
    const task = { taskId: 't1', status: 'working', pollIntervalMs: 10 };
    const server = await serveModern(({ method }) => {
      if (method === 'tools/call') return { ...task, resultType: 'task' };
      if (method !== 'tasks/get') return undefined;
      polls += 1;
      if (polls === 1) return task;
      if (failing-- > 0) return failures[how]?.();
      return { ...task, status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } };
    });
    const connection = await connect({ type: 'http', url: server.url, headers: {} });
    expect((await connection.callTool('x', {}, callOptions())).content).toEqual([{ type: 'text', text: 'done' }]);
    [polls, failing] = [0, Infinity];
    await expect(connection.callTool('x', {}, callOptions())).rejects.toMatchObject({
      code: how === 'a status' ? 'http' : 'connection-lost',
    });
    expect(polls).toBe(5);
  },
);

test('modern: the total limit ends the call and cancels the task', async () => {
  const task = { taskId: 't1', status: 'working', pollIntervalMs: 10 };
  const server = await serveModern(({ method }) => {
    if (method === 'tools/call') return { ...task, resultType: 'task' };
    return method === 'tasks/get' ? task : undefined;
  });
  const connection = await connect({ type: 'http', url: server.url, headers: {} });
  await expect(connection.callTool('x', {}, callOptions({ maxTotalMs: 150 }))).rejects.toMatchObject({
    code: 'timeout',
  });
  expect(server.received.at(-1)?.message).toMatchObject({ method: 'tasks/cancel', params: { taskId: 't1' } });
});

test.each([
  [
    'a question that cannot be answered',
    { status: 'input_required', inputRequests: { a: { method: 'roots/list' } } },
    'unsupported',
  ],
  ['an unknown status', { status: 'paused' }, 'invalid-answer'],
])('modern: %s ends the call and cancels the task', async (_, state, code) => {
  const task = { taskId: 't1', status: 'working', pollIntervalMs: 10 };
  const server = await serveModern(({ method }) => {
    if (method === 'tools/call') return { ...task, resultType: 'task' };
    return method === 'tasks/get' ? { ...task, ...state } : undefined;
  });
  const connection = await connect({ type: 'http', url: server.url, headers: {} });
  await expect(connection.callTool('x', {}, callOptions())).rejects.toMatchObject({ code });
  expect(server.received.at(-1)?.message).toMatchObject({ method: 'tasks/cancel', params: { taskId: 't1' } });
});

test('modern: the server knows of a cancelled task before the connection closes', async () => {
  const cancel = new AbortController();
  const task = { taskId: 't1', status: 'working', pollIntervalMs: 60_000 };
  const server = await serveModern(({ method }) => {
    if (method === 'tools/call') return { ...task, resultType: 'task' };
    return method === 'tasks/get' ? task : undefined;
  });
  const connection = await connect({ type: 'http', url: server.url, headers: {} });
  const call = connection.callTool('x', {}, callOptions({ signal: cancel.signal }));
  await expect.poll(() => server.received.at(-1)?.message.method).toBe('tasks/get');
  cancel.abort();
  await Promise.all([connection.close(), expect(call).rejects.toMatchObject({ code: 'cancelled' })]);
  expect(server.received.at(-1)?.message).toMatchObject({ method: 'tasks/cancel', params: { taskId: 't1' } });
});

test('legacy: the total limit includes the wait for the result, during which no question is open', async () => {
  const task = { taskId: 't1', status: 'working', pollInterval: 1 };
  const server = await serveLegacy(({ method }) => {
    if (method === 'tools/call') return { task };
    if (method === 'tasks/get') return { ...task, status: 'completed' };
    return method === 'tasks/result' ? silence : undefined;
  });
  const connection = await connect({ type: 'http', url: server.url, headers: {} });
  const waits: boolean[] = [];
  const polls: number[] = [];
  const options = callOptions({
    maxTotalMs: 400,
    onWait: (isWaiting) => void waits.push(isWaiting),
    onTask: ({ pollMs }) => void polls.push(pollMs),
  });
  await expect(connection.callTool('x', {}, { ...options, asTask: true })).rejects.toMatchObject({
    code: 'timeout',
    details: { limitMs: 400 },
  });
  expect(waits).toEqual([]);
  expect(polls).toEqual([250, 250]);
  expect(server.received.at(-1)).toMatchObject({ method: 'tasks/cancel', params: { taskId: 't1' } });
});
