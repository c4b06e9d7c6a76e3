/** Calls that a server before 2026-07-28 refuses until the user has opened some pages. */
import { expect, test } from 'vitest';

import type { ServerRequestHandlers } from '../../../src-core/mcp/types.ts';
import { callOptions, connect, never } from './connectedServer.ts';
import { serveLegacy, type LegacyServer } from './legacyServer.ts';

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

test('a page that is done is not asked for again while another one is not', async () => {
  const { server, calls, complete } = await servePages(2, pages);
  const asked: unknown[] = [];
  const elicit = (request: object): Promise<{ action: 'accept' }> => {
    asked.push('elicitationId' in request && request.elicitationId);
    return Promise.resolve({ action: 'accept' });
  };
  const endpoint = { type: 'http', url: server.url, headers: {} } as const;
  const connection = await connect(endpoint, { pageRetryMs: 200, handlers: { elicit } });
  const onRound = (): void => void complete('a');
  expect(await connection.callTool('x', {}, callOptions({ onRound }))).toMatchObject({ isError: false });
  expect([calls(), asked]).toEqual([3, ['a', 'b']]);
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
