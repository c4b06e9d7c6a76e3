import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';

import type { JsonObject } from '../../../../src-core/base/json.ts';
import type { InvokeOptions } from '../../../../src-core/registry/types.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { callModern, messagesOf, openSession, post } from './rawHost.ts';
import { connectV1, connectV2, registryOf, serveTools } from './support.ts';

const eras = ['legacy', 'modern'] as const;

const form = { mode: 'form', message: 'go?', requestedSchema: { type: 'object', properties: {} } };

describe('the MCP endpoint over HTTP', () => {
  it.each(eras)('lists and calls a tool of the registry with the SDK v2, %s', async (era) => {
    const { manager, url, errors } = await serveTools();
    manager.register(registryOf('lamp', { set_level: { run: ({ level }) => ({ value: `level ${String(level)}` }) } }));
    const { client, connect } = await connectV2(url, era);
    await connect();
    expect(client.getProtocolEra()).toBe(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['lamp_set_level']);
    const answer = await client.callTool({ name: 'lamp_set_level', arguments: { level: 3 } });
    expect(answer.content).toEqual([{ type: 'text', text: 'level 3' }]);
    expect(errors).toEqual([]);
  });

  it('lists and calls with the SDK v1', async () => {
    const { manager, url } = await serveTools();
    manager.register(registryOf('lamp', { on: { run: () => ({ value: 'on' }) } }));
    const client = await connectV1(url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['lamp_on']);
    expect(await client.callTool({ name: 'lamp_on' })).toMatchObject({ content: [{ type: 'text', text: 'on' }] });
  });

  it('keeps integers beyond a double in arguments and results', async () => {
    const { manager, url } = await serveTools();
    let given = '';
    const run = (args: object) => {
      given = JSON.stringify(args);
      return { value: args, structuredContent: args };
    };
    manager.register(registryOf('n', { echo: { run } }));
    const session = await openSession(url);
    const call =
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"n_echo","arguments":{"id":9007199254740993}}}';
    const text = await (await post(url, call, session)).text();
    expect(given).toBe('{"id":9007199254740993}');
    expect(text).toContain('"structuredContent":{"id":9007199254740993}');
    expect(text).toContain('{\\"id\\":9007199254740993}');
  });

  it.each(eras)('cancels the tool when the host cancels, %s', async (era) => {
    const { manager, url } = await serveTools();
    const began = Promise.withResolvers<unknown>();
    const ended = Promise.withResolvers<unknown>();
    const run = (_args: unknown, { signal }: { signal: AbortSignal }) => {
      began.resolve(true);
      signal.addEventListener('abort', () => ended.resolve(true));
      return new Promise<never>(() => undefined);
    };
    manager.register(registryOf('slow', { wait: { run } }));
    const { client, connect } = await connectV2(url, era);
    await connect();
    const stop = new AbortController();
    const call = client.callTool({ name: 'slow_wait' }, { signal: stop.signal });
    const outcome = expect(call).rejects.toThrow();
    await began.promise;
    stop.abort();
    await outcome;
    await expect(ended.promise).resolves.toBe(true);
  });

  it.each(eras)('tells the host of changed tools, once for all changes of a second, %s', async (era) => {
    const clock = createManualClock();
    const { manager, url } = await serveTools({ clock });
    const { client } = await connectV2(url, era);
    let told = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (told += 1));
    const opened = Promise.withResolvers<true>();
    const noting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') opened.resolve(true);
      return response;
    };
    await client.connect(new StreamableHTTPClientTransport(url, { fetch: noting }));
    await (era === 'legacy' ? opened.promise : client.listen({ toolsListChanged: true }));
    const change = (...names: string[]): void => {
      for (const name of names) {
        manager.register(registryOf(name, { on: { run: () => ({ value: '' }) } }));
        clock.advance(300);
      }
      clock.advance(700);
    };
    change('lamp', 'fan');
    await vi.waitUntil(() => told > 0);
    change('clock', 'door', 'bell');
    await vi.waitUntil(() => told > 1);
    const { tools } = await client.listTools(undefined, { cacheMode: 'bypass' });
    expect(tools.map(({ name }) => name)).toEqual(['lamp_on', 'fan_on', 'clock_on', 'door_on', 'bell_on']);
    expect(told).toBe(2);
  });

  it.each(eras)('passes on progress, %s', async (era) => {
    const { manager, url } = await serveTools();
    const run = (_args: unknown, { onProgress }: { onProgress?: InvokeOptions['onProgress'] }) => {
      onProgress?.({ progress: 1, total: 2, message: 'half' });
      return { value: 'done' };
    };
    manager.register(registryOf('p', { work: { run } }));
    const { client, connect } = await connectV2(url, era);
    await connect();
    const seen: unknown[] = [];
    await client.callTool({ name: 'p_work' }, { onprogress: (progress) => seen.push(progress) });
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }]);
  });

  it.each(eras)('sends four notes during a call of 20 s, %s', async (era) => {
    const clock = createManualClock();
    const { manager, url } = await serveTools({ clock });
    const began = Promise.withResolvers<unknown>();
    const goOn = Promise.withResolvers<unknown>();
    manager.register(
      registryOf('slow', {
        work: {
          async run() {
            began.resolve(true);
            await goOn.promise;
            return { value: 'done' };
          },
        },
      }),
    );
    const { client, connect } = await connectV2(url, era);
    await connect();
    const seen: unknown[] = [];
    const call = client.callTool({ name: 'slow_work' }, { onprogress: (progress) => seen.push(progress) });
    await began.promise;
    for (const count of [1, 2, 3, 4]) {
      clock.advance(5_000);
      await vi.waitUntil(() => seen.length === count);
    }
    goOn.resolve(true);
    expect((await call).content).toEqual([{ type: 'text', text: 'done' }]);
    clock.advance(60_000);
    expect(seen).toEqual(
      [1, 2, 3, 4].map((count) => ({
        progress: expect.closeTo(count / 1_000, 6) as number,
        message: `work has been running for ${count * 5} s`,
      })),
    );
  });

  it.each(eras)('lets a tool ask the host, several things at once and again, %s', async (era) => {
    const { manager, url } = await serveTools();
    manager.register(
      registryOf('ask', {
        both: {
          async run(_args, { host }) {
            const schema = { type: 'object', properties: { name: { type: 'string' } } };
            const ask = (message: string) => host?.elicit?.({ mode: 'form', message, requestedSchema: schema });
            const first = await Promise.all([ask('one'), ask('two')]);
            return { value: [...first, await ask('three'), await host?.listRoots?.()] };
          },
        },
      }),
    );
    const { client, connect } = await connectV2(url, era, { capabilities: { elicitation: { form: {} }, roots: {} } });
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
      asked.push(message);
      return { action: 'accept', content: { name: message } };
    });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a' }] }));
    await connect();
    const { content } = await client.callTool({ name: 'ask_both' });
    expect(asked).toEqual(['one', 'two', 'three']);
    expect(JSON.stringify(content)).toContain('three');
    expect(JSON.stringify(content)).toContain('file:///a');
  });

  it('does not let a host ask for what it did not declare', async () => {
    const { manager, url } = await serveTools();
    const offered = (host: object = {}) => Object.keys(host).filter((key) => host[key as never] !== undefined);
    manager.register(registryOf('h', { can: { run: (_args, { host }) => ({ value: offered(host) }) } }));
    const { client, connect } = await connectV2(url, 'modern');
    await connect();
    expect(await client.callTool({ name: 'h_can' })).toMatchObject({
      content: [{ text: '["id","log","closeStream","becomeTask","require"]' }],
    });
  });

  it('tells a host since 2026-07-28 which capability a tool cannot do without', async () => {
    const { manager, url } = await serveTools();
    manager.register(
      registryOf('s', {
        ask: {
          run(_args, { host }) {
            host?.require('sampling');
            return { value: 'never' };
          },
        },
      }),
    );
    const modern = await connectV2(url, 'modern');
    await modern.connect();
    await expect(modern.client.callTool({ name: 's_ask' })).rejects.toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { sampling: {} } },
    });
    const legacy = await connectV2(url, 'legacy');
    await legacy.connect();
    const answer = await legacy.client.callTool({ name: 's_ask' });
    expect(answer).toMatchObject({ isError: true });
    expect(JSON.stringify(answer.content)).toContain('does not support sampling');
  });

  it('refuses the state of another call, and one that was changed', async () => {
    const { manager, url } = await serveTools();
    const run = async (_args: unknown, { host }: InvokeOptions) => ({ value: (await host?.elicit?.(form)) ?? null });
    manager.register(registryOf('a', { one: { run }, two: { run } }));
    const first = await callModern(url, 'a_one');
    expect(first.result).toMatchObject({ resultType: 'input_required' });
    const { requestState = '' } = first.result as { requestState?: string };
    const inputResponses = { elicitation_1: { action: 'accept', content: {} } };
    const changed = { inputResponses, requestState: `${requestState}x` };
    expect((await callModern(url, 'a_one', changed)).error?.code).toBe(-32_602);
    expect((await callModern(url, 'a_two', { inputResponses, requestState })).error?.code).toBe(-32_602);
    expect(await callModern(url, 'a_one', { inputResponses: {}, requestState })).toMatchObject({
      result: { resultType: 'input_required' },
    });
  });

  it('asks no further what a later request of the host does not declare', async () => {
    const { manager, url, endpoint } = await serveTools();
    const run = async (_args: unknown, { host }: InvokeOptions) => ({ value: (await host?.elicit?.(form)) ?? null });
    manager.register(registryOf('a', { one: { run } }));
    const { result } = await callModern(url, 'a_one');
    const { requestState } = result as { requestState?: string };
    const answer = await callModern(url, 'a_one', { inputResponses: {}, requestState }, { elicitation: { url: {} } });
    expect(answer.result).toMatchObject({ isError: true });
    expect(JSON.stringify(answer.result)).toContain(
      'The host does not support elicitation.form, which this tool needs.',
    );
    expect(endpoint.isUsed()).toBe(false);
  });

  it.each(eras)('does not send tools to a host that only supports sampling without them, %s', async (era) => {
    const { manager, url } = await serveTools();
    const ask = (tools?: JsonObject[]) => ({
      run: async (_args: unknown, { host }: InvokeOptions) => ({
        value: (await host?.sample?.({ messages: [], maxTokens: 10, ...(tools && { tools }) })) ?? null,
      }),
    });
    manager.register(registryOf('s', { plain: ask(), tools: ask([{ name: 'a', inputSchema: { type: 'object' } }]) }));
    const { client, connect } = await connectV2(url, era, { capabilities: { sampling: {} } });
    let asked = 0;
    client.setRequestHandler('sampling/createMessage', () => {
      asked += 1;
      return { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hi' } };
    });
    await connect();
    expect(JSON.stringify((await client.callTool({ name: 's_plain' })).content)).toContain('Hi');
    const refused = await client.callTool({ name: 's_tools' });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain(
      'The host does not support sampling.tools, which this tool needs.',
    );
    expect(asked).toBe(1);
  });

  it.each(eras)('links to a picture over 1 MB, which can be read, %s', async (era) => {
    const { manager, url } = await serveTools();
    const data = 'aGVs'.repeat(300_000);
    const content = [{ type: 'image' as const, data, mimeType: 'image/jpeg' }];
    manager.register(registryOf('cam', { photo: { run: () => ({ value: undefined, content }) } }));
    const { client, connect } = await connectV2(url, era);
    await connect();
    const answer = await client.callTool({ name: 'cam_photo' });
    const blocks = answer.content as { type: string; uri?: string; text?: string }[];
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect(blocks[0]?.text).toContain(blocks[1]?.uri);
    const { contents } = await client.readResource({ uri: blocks[1]?.uri ?? '' });
    expect(contents).toMatchObject([{ blob: data, mimeType: 'image/jpeg' }]);
    await expect(client.readResource({ uri: 'toolwire://result/none' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('marks a failed call, and refuses an unknown tool', async () => {
    const { manager, url } = await serveTools();
    manager.register(registryOf('mic', { fail: { run: () => ({ value: 'no microphone', isError: true }) } }));
    const { client, connect } = await connectV2(url, 'legacy');
    await connect();
    expect(await client.callTool({ name: 'mic_fail' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'no microphone' }],
    });
    await expect(client.callTool({ name: 'mic_none' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('answers 404 to an unknown session and after DELETE', async () => {
    const { url } = await serveTools();
    const list = { jsonrpc: '2.0', id: 5, method: 'tools/list' };
    expect((await post(url, list, { 'mcp-session-id': 'nobody' })).status).toBe(404);
    expect((await post(url, list)).status).toBe(400);
    const session = await openSession(url);
    expect((await post(url, list, session)).status).toBe(200);
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await post(url, list, session)).status).toBe(404);
  });

  it('sends the rest of a stream that ended to a host that returns with Last-Event-ID', async () => {
    const { manager, url } = await serveTools();
    const goOn = Promise.withResolvers<unknown>();
    manager.register(
      registryOf('poll', {
        work: {
          async run(_args, { host }) {
            host?.closeStream();
            await goOn.promise;
            return { value: 'late' };
          },
        },
      }),
    );
    const session = await openSession(url);
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'poll_work', arguments: {} } };
    const first = await (await post(url, call, session)).text();
    const [, eventId] = /^id: (.+)$/m.exec(first) ?? [];
    expect(first).toContain('retry: ');
    expect(first).not.toContain('late');
    const resumed = fetch(url, {
      headers: { accept: 'text/event-stream', 'last-event-id': eventId ?? '', ...session },
    });
    goOn.resolve(true);
    expect(await messagesOf(await resumed)).toMatchObject([{ id: 7, result: { content: [{ text: 'late' }] } }]);
  });

  it('refuses a body over 4 MiB, one that is not JSON, and one that is nested too deeply', async () => {
    const { url } = await serveTools();
    const deep =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":' + '['.repeat(5_000) + ']'.repeat(5_000) + '}';
    for (const body of ['{', deep]) {
      const response = await post(url, body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: -32_700 } });
    }
    expect((await post(url, JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024) }))).status).toBe(413);
  });

  it('ends a call that waits for the answer of a host, when the endpoint closes', async () => {
    const { manager, endpoint, url } = await serveTools();
    const ended = Promise.withResolvers<unknown>();
    const asked = Promise.withResolvers<unknown>();
    manager.register(
      registryOf('a', {
        ask: {
          run(_args, { host, signal }) {
            signal.addEventListener('abort', () => ended.resolve(true));
            return (host?.elicit?.(form) ?? Promise.resolve({})).then((value) => ({ value }));
          },
        },
      }),
    );
    const { client, connect } = await connectV2(url, 'modern', { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', () => {
      asked.resolve(true);
      return new Promise<never>(() => undefined);
    });
    await connect();
    client.callTool({ name: 'a_ask' }).catch(() => undefined);
    await asked.promise;
    await endpoint.close();
    await expect(ended.promise).resolves.toBe(true);
  });

  it('ends the streams at once when it closes', async () => {
    const { endpoint, url } = await serveTools();
    const session = await openSession(url);
    const stream = await fetch(url, { headers: { accept: 'text/event-stream', ...session } });
    expect(stream.status).toBe(200);
    await endpoint.close();
    await stream.text().catch(() => undefined);
    expect((await post(url, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, session)).status).toBe(404);
    expect(endpoint.connections()).toBe(0);
  });
});
