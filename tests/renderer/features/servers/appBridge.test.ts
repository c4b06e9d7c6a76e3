/** The window's end of the connection to an App, whatever the App sends. */
import { afterEach, expect, test, vi } from 'vitest';

import { createAppBridge, type AppHost } from '../../../../renderer/features/servers/app/appBridge.ts';
import type { JsonObject } from '../../../../src-core/contract/types.ts';

afterEach(() => void vi.useRealTimers());

function open(host: Partial<AppHost> = {}) {
  const sent: JsonObject[] = [];
  const logged: unknown[] = [];
  const sizes: unknown[] = [];
  const signals: AbortSignal[] = [];
  const bridge = createAppBridge({
    app: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] } },
    permissions: ['clipboard-write'],
    hostVersion: '1.2.3',
    context: () => ({ theme: 'dark' }),
    post: (text) => void sent.push(JSON.parse(text) as JsonObject),
    host: {
      callTool: (_name, _args, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
      readResource: () => Promise.resolve({ contents: [] }),
      openLink: () => Promise.resolve(true),
      log: (message) => void logged.push(message),
      resize: (size) => void sizes.push(size),
      started: () => undefined,
      ended: () => undefined,
      stopped: () => undefined,
      sandboxReady: () => undefined,
      ...host,
    },
  });
  const tell = (message: object): void => bridge.receive(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const ask = async (id: unknown, method: string, params: unknown = {}): Promise<JsonObject | undefined> => {
    tell({ id, method, params });
    await vi
      .waitFor(() => expect(sent.some((each) => each['id'] === id)).toBe(true), { timeout: 200 })
      .catch(() => undefined);
    return sent.find((each) => each['id'] === id);
  };
  const start = async (): Promise<void> => {
    await ask('start', 'ui/initialize');
    tell({ method: 'ui/notifications/initialized' });
  };
  return { bridge, sent, logged, sizes, signals, tell, ask, start };
}

test('before ui/initialize only ping is answered, and only what is granted is declared', async () => {
  const { ask } = open();
  expect(await ask(1, 'ping')).toMatchObject({ result: {} });
  expect(await ask(2, 'tools/call', { name: 'a' })).toMatchObject({ error: { code: -32_600 } });
  const { result } = (await ask(3, 'ui/initialize')) as { result: JsonObject };
  expect(result['hostCapabilities']).toMatchObject({ sandbox: { permissions: { clipboardWrite: {} } } });
  expect(result['hostCapabilities']).not.toHaveProperty('message');
  expect(result['hostInfo']).toMatchObject({ version: '1.2.3' });
});

test('names of the prototype and unknown methods are refused by name; long names are cut', async () => {
  const { ask, start, sent } = open();
  await start();
  for (const method of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'x'.repeat(500)])
    expect(await ask(method.slice(0, 20), method)).toMatchObject({ error: { code: -32_601 } });
  expect(JSON.stringify(sent.at(-1)).length).toBeLessThan(300);
});

test.each([
  ['tools/call', { name: 7 }, 'name must be a string'],
  ['tools/call', { name: 'a', arguments: [] }, 'arguments an object'],
  ['resources/read', { uri: {} }, 'uri must be a string'],
  ['ui/open-link', { url: `https://a.com/${'a'.repeat(3_000)}` }, 'url must be a URL'],
  ['ui/open-link', { url: 'not a url' }, 'url must be a URL'],
])('%s with %j is refused with the field', async (method, params, why) => {
  const { ask, start } = open();
  await start();
  expect(await ask(1, method, params)).toMatchObject({
    error: { code: -32_602, message: expect.stringContaining(why) as string },
  });
});

test('a message for the chat is text of at most 20,000 characters', async () => {
  const taken: string[] = [];
  const { ask, start } = open({ takeMessage: (text) => Promise.resolve(taken.push(text) > 0) });
  await start();
  const say = (id: number, content: unknown) => ask(id, 'ui/message', { role: 'user', content });
  const block = (text: unknown) => ({ type: 'text', text });
  for (const [id, content] of [[], 'text', [block(7)], [{ type: 'image' }], [block('a'.repeat(20_001))]].entries())
    expect(await say(id, content)).toMatchObject({ error: { code: -32_602 } });
  expect(await say(10, [block('one'), block('two')])).toMatchObject({ result: {} });
  expect(taken).toEqual(['one\ntwo']);
});

test('at most 16 requests run at once, an id only once; each can be cancelled, and closing cancels all', async () => {
  const { bridge, ask, start, tell, signals, sent } = open();
  await start();
  for (let id = 0; id < 16; id += 1) tell({ id, method: 'tools/call', params: { name: 'a' } });
  expect(await ask('more', 'tools/call', { name: 'a' })).toMatchObject({
    error: { message: expect.stringContaining('16') as string },
  });
  tell({ method: 'notifications/cancelled', params: { requestId: 3 } });
  expect(signals.map(({ aborted }) => aborted).filter(Boolean)).toHaveLength(1);
  expect(signals[3]?.aborted).toBe(true);
  bridge.close();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  const before = sent.length;
  tell({ id: 'late', method: 'ping' });
  expect(sent).toHaveLength(before);
});

test('what is no message changes nothing: wrong types, ids, versions and sizes', async () => {
  const { bridge, start, sent, sizes } = open();
  await start();
  const before = sent.length;
  for (const text of [undefined, 7, {}, '', 'nonsense', '[]', 'null', '{"jsonrpc":"1.0","id":1,"method":"ping"}'])
    bridge.receive(text);
  for (const id of [{}, [], true, null, 'a'.repeat(201)])
    bridge.receive(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
  bridge.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }));
  bridge.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { pad: 'a'.repeat(4_000_001) } }));
  bridge.receive('{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"height":-1,"width":"7"}}');
  expect(sent).toHaveLength(before);
  expect(sizes).toEqual([{}]);
});

test('log messages are bounded in number and length, and have a known level', async () => {
  const { start, tell, logged } = open();
  await start();
  tell({ method: 'notifications/message', params: { level: 'loud', data: 'x' } });
  expect(logged).toEqual([]);
  for (let at = 0; at < 200; at += 1)
    tell({
      method: 'notifications/message',
      params: { level: 'info', logger: 'l'.repeat(500), data: 'd'.repeat(9_000) },
    });
  expect(logged.length).toBeGreaterThanOrEqual(50);
  expect(logged.length).toBeLessThan(100);
  const [first] = logged as { logger: string; data: string }[];
  expect([first?.logger.length, first?.data.length]).toEqual([100, 4_001]);
});

test('an App that does not answer the end is closed after 500 ms', async () => {
  const { bridge, start, sent, tell } = open();
  await start();
  vi.useFakeTimers();
  let isDown = false;
  const silent = bridge.teardown().then(() => (isDown = true));
  expect(sent.at(-1)).toMatchObject({ method: 'ui/resource-teardown' });
  await vi.advanceTimersByTimeAsync(499);
  expect(isDown).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await silent;
  const polite = bridge.teardown();
  tell({ id: sent.at(-1)?.['id'], result: {} });
  await polite;
});
