/** Calls that go on as tasks, for hosts since 2026-07-28 that declare the extension. */
import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { JsonObject } from '../../../../src-core/base/json.ts';
import type { InvokeOptions } from '../../../../src-core/registry/types.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { registryOf, serveTools } from './support.ts';

type Served = Awaited<ReturnType<typeof serveTools>>;
type Answer = { result?: JsonObject; error?: { code: number; message: string; data?: JsonObject } };

/** One request of a host that declares the extension, unless `plain`. */
async function ask(
  { url }: Served,
  method: string,
  params: JsonObject,
  { plain = false, signal }: { plain?: boolean; signal?: AbortSignal } = {},
): Promise<Answer> {
  const capabilities = { elicitation: {}, ...(!plain && { extensions: { 'io.modelcontextprotocol/tasks': {} } }) };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params['name'] ?? params['taskId']),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const line = text.split('\n').findLast((each) => each.startsWith('data: {'));
  return JSON.parse(line?.slice('data: '.length) ?? text) as Answer;
}

/** A tool that says when it began, and ends when the test lets it. */
async function serveSlow(run?: (options: InvokeOptions) => Promise<unknown>) {
  const clock = createManualClock();
  const served = await serveTools({ clock });
  const begun = Promise.withResolvers<InvokeOptions>();
  const goOn = Promise.withResolvers<unknown>();
  served.manager.register(
    registryOf('slow', {
      work: {
        async run(_args, options) {
          begun.resolve(options);
          return { value: await (run?.(options) ?? goOn.promise) };
        },
      },
    }),
  );
  return { ...served, clock, begun: begun.promise, goOn: goOn.resolve };
}

/** Calls the tool and waits until it has become a task. */
async function start(served: Awaited<ReturnType<typeof serveSlow>>): Promise<string> {
  const answer = ask(served, 'tools/call', { name: 'slow_work' });
  await served.begun;
  served.clock.advance(5_000);
  const { result } = await answer;
  expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 3_600_000, pollIntervalMs: 1_000 });
  return String(result?.['taskId']);
}

describe('tasks of hosts', () => {
  it('keep their address in use until they end', async () => {
    const served = await serveSlow();
    await start(served);
    await vi.waitFor(() => expect(served.endpoint.connections()).toBe(0));
    expect(served.endpoint.isUsed()).toBe(true);
    served.goOn('done');
    await vi.waitFor(() => expect(served.endpoint.isUsed()).toBe(false));
  });

  it('answers a call with a task after 5 s, and has its result later', async () => {
    const served = await serveSlow();
    const taskId = await start(served);
    expect((await ask(served, 'tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'working' });
    (await served.begun).onProgress?.({ progress: 1, message: 'half' });
    await vi.waitFor(async () =>
      expect((await ask(served, 'tasks/get', { taskId })).result?.['statusMessage']).toBe('half'),
    );
    served.goOn('done');
    await vi.waitFor(async () => {
      const { result } = await ask(served, 'tasks/get', { taskId });
      expect(result).toMatchObject({ status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } });
    });
  });

  it('keeps the request open for a host that takes no tasks', async () => {
    const served = await serveSlow();
    const answer = ask(served, 'tools/call', { name: 'slow_work' }, { plain: true });
    await served.begun;
    served.clock.advance(20_000);
    served.goOn('done');
    expect((await answer).result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
  });

  it('asks a host that takes no tasks, also if the tool wanted to become one', async () => {
    const question = { mode: 'form', message: 'go?', requestedSchema: { type: 'object', properties: {} } };
    const later = Promise.withResolvers<unknown>();
    const served = await serveSlow(async ({ host }) => {
      host?.becomeTask();
      await later.promise;
      return host?.elicit?.(question, { key: 'go' });
    });
    const answer = ask(served, 'tools/call', { name: 'slow_work' }, { plain: true });
    await served.begun;
    await setImmediate();
    later.resolve(true);
    expect((await answer).result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { go: { method: 'elicitation/create' } },
    });
  });

  it('refuses an unknown task, and a host that does not declare the extension', async () => {
    const served = await serveSlow();
    const taskId = await start(served);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await ask(served, method, { taskId: 'other' })).error).toMatchObject({
        code: -32_602,
        message: 'There is no task "other".',
      });
    expect((await served.begun).signal.aborted).toBe(false);
    const { error } = await ask(served, 'tasks/get', { taskId }, { plain: true });
    expect(error).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    });
  });

  it('goes on when the host has closed its request, and stops when the task is cancelled', async () => {
    const served = await serveSlow();
    const taskId = await start(served);
    const { signal } = await served.begun;
    expect(signal.aborted).toBe(false);
    await ask(served, 'tasks/cancel', { taskId });
    expect(signal.aborted).toBe(true);
    expect((await ask(served, 'tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
    // Once more, which changes nothing.
    expect((await ask(served, 'tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  });

  it('cancels a call whose host closes the request before it is a task', async () => {
    const served = await serveSlow();
    const gone = new AbortController();
    ask(served, 'tools/call', { name: 'slow_work' }, { signal: gone.signal }).catch(() => undefined);
    const { signal } = await served.begun;
    const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
    gone.abort();
    await ended;
  });

  it('asks the host in the task, and takes the answer once', async () => {
    const question = { mode: 'form', message: 'go?', requestedSchema: { type: 'object', properties: {} } };
    const served = await serveSlow(async ({ host }) => {
      host?.becomeTask();
      return host?.elicit?.(question, { key: 'go' });
    });
    const { result } = await ask(served, 'tools/call', { name: 'slow_work' });
    const taskId = String(result?.['taskId']);
    expect((await ask(served, 'tasks/get', { taskId })).result).toMatchObject({
      status: 'input_required',
      inputRequests: { go: { method: 'elicitation/create', params: question } },
    });
    const inputResponses = { go: { action: 'accept', content: {} }, other: { action: 'accept' } };
    expect((await ask(served, 'tasks/update', { taskId, inputResponses })).result).toMatchObject({
      resultType: 'complete',
    });
    await vi.waitFor(async () =>
      expect((await ask(served, 'tasks/get', { taskId })).result).toMatchObject({ status: 'completed' }),
    );
    await ask(served, 'tasks/update', { taskId, inputResponses });
    expect((await ask(served, 'tasks/get', { taskId })).result).toMatchObject({ status: 'completed' });
  });

  it('forgets a task an hour after its start, and stops what still runs', async () => {
    const served = await serveSlow();
    const taskId = await start(served);
    served.clock.advance(3_599_000);
    expect((await ask(served, 'tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    served.clock.advance(1_000);
    expect((await ask(served, 'tasks/get', { taskId })).error).toMatchObject({ code: -32_602 });
    expect((await served.begun).signal.aborted).toBe(true);
  });

  it('keeps 64 tasks; a further call is answered when it ends, or takes the place of one that has ended', async () => {
    const served = await serveTools();
    const goOn = Promise.withResolvers<unknown>();
    served.manager.register(
      registryOf('slow', {
        work: {
          async run({ wait }, { host }) {
            host?.becomeTask();
            if (wait === true) await goOn.promise;
            return { value: 'done' };
          },
        },
      }),
    );
    const call = (wait: boolean) => ask(served, 'tools/call', { name: 'slow_work', arguments: { wait } });
    for (let count = 0; count < 64; count += 1) expect((await call(true)).result?.['resultType']).toBe('task');
    expect((await call(false)).result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
    goOn.resolve(true);
    await vi.waitFor(async () => expect((await call(true)).result?.['resultType']).toBe('task'));
  });

  it('ends the tasks when it closes', async () => {
    const served = await serveSlow();
    await start(served);
    await served.endpoint.close();
    expect((await served.begun).signal.aborted).toBe(true);
    onTestFinished(() => served.goOn(undefined));
  });
});
