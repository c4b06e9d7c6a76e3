/** What `toolwire mcp` does with a host's messages before, between and after connections. */
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';

import { relayMcp, type McpLink } from '../../../src-core/cli/mcpRelay.ts';

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

function startRelay() {
  const input = new PassThrough();
  const written: string[] = [];
  const connections: PromiseWithResolvers<McpLink>[] = [];
  const ended = relayMcp({
    input,
    write: (text) => void written.push(text),
    connect() {
      const connection = Promise.withResolvers<McpLink>();
      connections.push(connection);
      return connection.promise;
    },
    signal: new AbortController().signal,
  });
  return { input, written, connections, ended };
}

function fakeLink() {
  const sent: { id?: number | string; method?: string }[] = [];
  const closed = Promise.withResolvers<'lost' | 'revoked'>();
  let onText: ((text: string) => void) | undefined;
  const close = vi.fn();
  const link: McpLink = {
    send: (text) => void sent.push(JSON.parse(text) as { method: string }),
    open: (listener) => (onText = listener),
    closed: closed.promise,
    close,
  };
  return { link, sent, close, lose: () => closed.resolve('lost'), answer: (text: string) => onText?.(text) };
}

test('ends with its input although no connection is open yet, and closes one that opens later', async () => {
  const { input, connections, ended } = startRelay();
  input.end(line({ method: 'notifications/initialized' }));
  expect(await ended).toBe('input');
  const late = fakeLink();
  connections[0]?.resolve(late.link);
  await vi.waitFor(() => expect(late.close).toHaveBeenCalledOnce());
});

test('a request that waits for a connection is answered no more once the grace after the input is over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { input, written, ended } = startRelay();
  input.end(line({ id: 1, method: 'tools/list' }));
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  vi.advanceTimersByTime(1_000);
  expect(await ended).toBe('input');
  expect(written).toEqual([]);
});

test('what came before the connection is sent once; the handshake is repeated for the next one only', async () => {
  const { input, written, connections, ended } = startRelay();
  input.write(line({ id: 1, method: 'initialize', params: {} }) + line({ method: 'notifications/initialized' }));
  const first = fakeLink();
  connections[0]?.resolve(first.link);
  await vi.waitUntil(() => first.sent.length > 0);
  expect(first.sent.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized']);
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} });
  first.answer(answer);
  first.lose();
  await vi.waitUntil(() => connections.length === 2);
  input.end(line({ id: 2, method: 'tools/list' }));
  const second = fakeLink();
  connections[1]?.resolve(second.link);
  await vi.waitUntil(() => second.sent.length === 3);
  expect(second.sent.map(({ id }) => id)).toEqual(['toolwire-again-1', undefined, 2]);
  second.answer(JSON.stringify({ jsonrpc: '2.0', id: 'toolwire-again-1', result: {} }));
  const list = JSON.stringify({ jsonrpc: '2.0', id: 2, result: { tools: [] } });
  second.answer(list);
  expect(await ended).toBe('input');
  expect(written).toEqual([answer, list]);
  expect(second.close).toHaveBeenCalledOnce();
});

const done = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} });
const request = (id: number, method: string, params: object = {}): string => line({ id, method, params });

test('a cancelled request is neither waited for nor answered when its connection is lost', async () => {
  const { input, written, connections } = startRelay();
  const first = fakeLink();
  connections[0]?.resolve(first.link);
  const cancelled = line({ method: 'notifications/cancelled', params: { requestId: 1 } });
  input.write(request(1, 'tools/call') + request(2, 'tools/list') + cancelled);
  await vi.waitUntil(() => first.sent.length === 3);
  first.lose();
  await vi.waitUntil(() => connections.length === 2);
  expect(written.map((text) => (JSON.parse(text) as { id: number }).id)).toEqual([2]);
});

test('a cancelled request does not delay the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { input, ended } = startRelay();
  input.end(request(1, 'tools/call') + line({ method: 'notifications/cancelled', params: { requestId: 1 } }));
  expect(await ended).toBe('input');
});

test('the log level and the subscriptions that were accepted are repeated on the next connection', async () => {
  const { input, written, connections } = startRelay();
  const first = fakeLink();
  connections[0]?.resolve(first.link);
  input.write(
    request(1, 'initialize') +
      line({ method: 'notifications/initialized' }) +
      request(2, 'logging/setLevel', { level: 'debug' }) +
      request(3, 'logging/setLevel', { level: 'error' }) +
      ['a', 'b', 'c', 'd'].map((name, at) => request(4 + at, 'resources/subscribe', { uri: `x:${name}` })).join('') +
      request(8, 'resources/unsubscribe', { uri: 'x:b' }),
  );
  await vi.waitUntil(() => first.sent.length === 9);
  for (const id of [1, 2, 3, 4, 5, 8]) first.answer(done(id));
  first.answer(JSON.stringify({ jsonrpc: '2.0', id: 6, error: { code: -32_602, message: 'No.' } }));
  first.lose();
  await vi.waitUntil(() => connections.length === 2);
  const second = fakeLink();
  connections[1]?.resolve(second.link);
  await vi.waitUntil(() => second.sent.length > 0);
  expect(second.sent).toMatchObject([
    { id: 'toolwire-again-1', method: 'initialize' },
    { method: 'notifications/initialized' },
    { id: 'toolwire-again-2', method: 'logging/setLevel', params: { level: 'error' } },
    { id: 'toolwire-again-3', method: 'resources/subscribe', params: { uri: 'x:a' } },
  ]);
  const before = written.length;
  for (const { id } of second.sent)
    if (id !== undefined) second.answer(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  expect(written.slice(before)).toEqual([]);
});
