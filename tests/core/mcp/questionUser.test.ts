/** Who is asked the question of a legacy server that does not name its call. */
import { beforeEach, expect, test, vi } from 'vitest';

import { createDeadline } from '../../../src-core/mcp/createDeadline.ts';
import type { Requests } from '../../../src-core/mcp/createRequests.ts';
import { never } from './connectedServer.ts';
import { fakeDeadlines } from './fakeDeadlines.ts';
import { requestsOf } from './requestsOf.ts';

let requests: Requests;
beforeEach(() => {
  fakeDeadlines();
  requests = requestsOf();
});

function send(method: string, userId: string | undefined, signal = never): Promise<unknown> {
  const user = userId === undefined ? undefined : { id: userId, elicit: () => undefined };
  const deadline = createDeadline({ timeoutMs: 3_600_000 });
  return requests.send(method, {}, { signal, deadline, user }).catch(() => undefined);
}

const askedUser = (): Promise<string | undefined> =>
  requests.whileAsked({}, (_ended, _asking, user) => Promise.resolve(user?.id));

test('the server may still ask for 10 minutes in a call that was cancelled', async () => {
  const ending = new AbortController();
  const cancelled = send('tools/call', 'A', ending.signal);
  ending.abort();
  await cancelled;
  void send('tools/call', 'B');
  expect(await askedUser()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(599_000);
  expect(await askedUser()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await askedUser()).toBe('B');
});
