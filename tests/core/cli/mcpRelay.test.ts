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
