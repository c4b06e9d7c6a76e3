/** What one host may have open, and what it is told of crowds of changes. */
import { randomUUID } from 'node:crypto';

import { describe, expect, it, vi } from 'vitest';

import { createManualClock } from '../devices/support/manualClock.ts';
import { callModern, initialize, messagesOf, openSession, post } from './rawHost.ts';
import { connectV2, registryOf, serveTools } from './support.ts';

const eras = ['legacy', 'modern'] as const;

describe('one host', () => {
  it('ends a session 30 minutes after its last request or stream', async () => {
    const clock = createManualClock();
    const { url, endpoint } = await serveTools({ clock });
    const list = { jsonrpc: '2.0', id: 5, method: 'tools/list' };
    const idle = () => vi.waitFor(() => expect(endpoint.connections()).toBe(0));
    const session = await openSession(url);
    await idle();
    clock.advance(1_799_999);
    const stream = await fetch(url, { headers: { accept: 'text/event-stream', ...session } });
    clock.advance(3_600_000);
    expect((await post(url, list, session)).status).toBe(200);
    await stream.body?.cancel();
    await idle();
    clock.advance(1_799_999);
    expect((await post(url, list, session)).status).toBe(200);
    await idle();
    clock.advance(1_800_000);
    expect((await post(url, list, session)).status).toBe(404);
  });

  it('that is gone for a minute has its calls ended', async () => {
    const clock = createManualClock();
    const { manager, url, endpoint } = await serveTools({ clock });
    const began = Promise.withResolvers<AbortSignal>();
    manager.register(
      registryOf('t', {
        wait: {
          run(_args, { signal }) {
            began.resolve(signal);
            return new Promise<never>((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason)),
            );
          },
        },
      }),
    );
    const session = await openSession(url);
    const quitting = new AbortController();
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 't_wait', arguments: {} } };
    const answer = post(url, call, session, quitting.signal).then((response) => response.text());
    const ended = expect(answer).rejects.toThrow();
    const signal = await began.promise;
    quitting.abort();
    await ended;
    await vi.waitFor(() => expect(endpoint.connections()).toBe(0));
    clock.advance(59_999);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    await vi.waitFor(() => expect(signal.aborted).toBe(true));
    expect((await post(url, { jsonrpc: '2.0', id: 3, method: 'tools/list' }, session)).status).toBe(404);
  });

  it('has 64 sessions; a further one takes the place of one that is not in use, or is refused', async () => {
    const { url, endpoint } = await serveTools();
    const list = { jsonrpc: '2.0', id: 5, method: 'tools/list' };
    const sessions = [];
    for (let count = 0; count < 64; count += 1) {
      const session = await openSession(url);
      const stream = await fetch(url, { headers: { accept: 'text/event-stream', ...session } });
      sessions.push({ session, stream });
    }
    const refused = await post(url, initialize);
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('64 sessions are in use. End one of them with DELETE.');
    await sessions[1]?.stream.body?.cancel();
    await vi.waitFor(() => expect(endpoint.connections()).toBe(63));
    const session = await openSession(url);
    const statusOf = async (of = session) => (await post(url, list, of)).status;
    expect(await statusOf(sessions[0]?.session)).toBe(200);
    expect(await statusOf(sessions[1]?.session)).toBe(404);
    expect(await statusOf()).toBe(200);
  });

  it('takes 1,000 subscriptions of a session, with URIs of up to 2,000 characters', async () => {
    const { url } = await serveTools();
    const { client, connect } = await connectV2(url, 'legacy');
    await connect();
    const subscribe = (count: number) => client.subscribeResource({ uri: `test://${count}` });
    // Each request that waits has a connection of its own.
    for (let from = 0; from < 1_000; from += 50)
      await Promise.all(Array.from({ length: 50 }, (_, at) => subscribe(from + at)));
    await expect(subscribe(1_000)).rejects.toThrow('1000 subscriptions already. End one with resources/unsubscribe.');
    expect(await subscribe(999)).toEqual({});
    await client.unsubscribeResource({ uri: 'test://0' });
    expect(await subscribe(1_000)).toEqual({});
    const uri = `test://${'x'.repeat(2_000)}`;
    await expect(client.subscribeResource({ uri })).rejects.toThrow('more than 2000 characters');
  });

  it.each(eras)('announces a burst of new tools once, %s', async (era) => {
    const clock = createManualClock();
    let announce: (change: 'prompts') => void = () => undefined;
    const { manager, url } = await serveTools({
      clock,
      prompts: { list: () => [], get: () => undefined },
      onOtherChange(listener) {
        announce = listener;
        return () => undefined;
      },
    });
    const changes: string[] = [];
    const { client, connect } = await connectV2(url, era);
    for (const kind of ['tools', 'prompts'] as const)
      client.setNotificationHandler(`notifications/${kind}/list_changed`, () => void changes.push(kind));
    await connect();
    if (era === 'modern') await client.listen({ toolsListChanged: true, promptsListChanged: true });
    // The stream of a host before 2026-07-28 opens after the answer to initialize.
    await vi.waitFor(() => {
      announce('prompts');
      expect(changes).toContain('prompts');
    });
    changes.length = 0;
    for (let count = 0; count < 30; count += 1) {
      manager.register(registryOf(`lamp${count}`, { on: { run: () => ({ value: '' }) } }));
      clock.advance(30);
    }
    clock.advance(1_000);
    announce('prompts');
    await vi.waitFor(() => expect(changes).toContain('prompts'));
    expect(changes.filter((kind) => kind === 'tools')).toEqual(['tools']);
  });

  it('answers at once that the server of a tool is gone, calls no other tool in its place, and names none', async () => {
    // The clock stands still: the answer waits for nothing.
    const { manager, url } = await serveTools({ clock: createManualClock() });
    const calls: string[] = [];
    const tool = (name: string) => ({ run: () => ({ value: calls.push(name) }) });
    const source = { kind: 'mcp' as const, label: 'My server' };
    manager.register(registryOf('a_b', { c: tool('a_b c') }, source));
    manager.register(registryOf('a', { b: tool('a b'), hidden: { ...tool('hidden'), agentCallable: false } }));
    const { client, connect } = await connectV2(url, 'legacy');
    await connect();
    manager.unregister('a_b');
    const answer = await client.callTool({ name: 'a_b_c' });
    expect(answer).toMatchObject({ isError: true });
    expect(JSON.stringify(answer.content)).toMatch(/My server.{2,4} disconnected (just now|\d+ s ago)/);
    expect(JSON.stringify(answer.content)).not.toContain('hidden');
    expect(calls).toEqual([]);
  });

  it('lists the tools of a server that is gone for 10 minutes, and is told when they are removed', async () => {
    const clock = createManualClock();
    const { manager, url } = await serveTools({ clock });
    manager.register(registryOf('lamp', { on: { run: () => ({ value: '' }) } }, { kind: 'mcp' }));
    // Announces the new tool while no host is connected.
    clock.advance(1_000);
    const { client, connect } = await connectV2(url, 'modern');
    const names = async () => (await client.listTools({}, { cacheMode: 'refresh' })).tools.map(({ name }) => name);
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
    await connect();
    await client.listen({ toolsListChanged: true });
    manager.unregister('lamp');
    clock.advance(599_999);
    expect(await names()).toEqual(['lamp_on']);
    expect(changes).toBe(0);
    clock.advance(1);
    expect(await names()).toEqual([]);
    clock.advance(1_000);
    await vi.waitFor(() => expect(changes).toBe(1));
  });

  it('may keep a list for 5 s, and share it with no one', async () => {
    const { url } = await serveTools({ prompts: { list: () => [], get: () => undefined } });
    const { client, connect } = await connectV2(url, 'modern');
    await connect();
    const hints = { ttlMs: 5_000, cacheScope: 'private' };
    expect(await client.listTools()).toMatchObject(hints);
    expect(await client.listPrompts()).toMatchObject(hints);
    expect(await client.listResources()).toMatchObject(hints);
    expect(await client.listResourceTemplates()).toMatchObject(hints);
  });

  it('names the lost node of the device of a tool', async () => {
    const { manager, url } = await serveTools();
    manager.register(registryOf('lamp', { on: { run: () => ({ value: '' }) } }, { kind: 'device' }));
    const { client, connect } = await connectV2(url, 'legacy');
    await connect();
    manager.unregister('lamp', { lostNode: 'lab-1' });
    const { content } = await client.callTool({ name: 'lamp_lamp_on' });
    expect(JSON.stringify(content)).toContain('lab-1');
  });

  it('ends the call that has waited longest for its host if more than 256 do', async () => {
    const { manager, url } = await serveTools();
    const ended: unknown[] = [];
    const form = { mode: 'form', message: 'go?', requestedSchema: { type: 'object', properties: {} } };
    manager.register(
      registryOf('t', {
        ask: {
          async run({ at }, { host, signal }) {
            signal.addEventListener('abort', () => ended.push(at));
            return { value: (await host?.elicit?.(form)) ?? null };
          },
        },
      }),
    );
    // No host may have more than 128 running calls.
    for (let at = 0; at < 258; at += 1) {
      const headers = { 'x-host': `host ${at % 3}` };
      const { result } = await callModern(url, 't_ask', { arguments: { at } }, { elicitation: {} }, headers);
      expect(result).toMatchObject({ resultType: 'input_required' });
    }
    expect(ended).toEqual([0, 1]);
  });

  it('bounds what one host has running and asking, and not the others', async () => {
    const goOn = Promise.withResolvers<boolean>();
    const { manager, url } = await serveTools({ confirm: () => goOn.promise, dangerousTools: ['t_ask'] });
    const wait = { run: async () => ({ value: await goOn.promise }) };
    manager.register(registryOf('t', { ask: wait, wait, now: { run: () => ({ value: 'now' }) } }));
    const session = await openSession(url);
    const call = async (name: string, of = session) => {
      const body = { jsonrpc: '2.0', id: randomUUID(), method: 'tools/call', params: { name, arguments: {} } };
      return JSON.stringify(await messagesOf(await post(url, body, of)));
    };
    const asking = Array.from({ length: 17 }, () => call('t_ask'));
    expect(await Promise.race(asking)).toContain('16 calls of this host wait for the user already.');
    const running = Array.from({ length: 113 }, () => call('t_wait'));
    expect(await Promise.race(running)).toContain('This host has 128 calls running already.');
    expect(await call('t_now', await openSession(url, { 'x-host': 'other' }))).toContain('now');
    goOn.resolve(true);
    await Promise.all([...asking, ...running]);
    expect(await call('t_now')).toContain('now');
  });
});
