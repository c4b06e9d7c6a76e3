/** The queue of what servers ask of the user. */
import { beforeEach, expect, it } from 'vitest';

import { systemClock } from '../../../../src-core/base/clock.ts';
import type { KeptServer } from '../../../../src-core/features/servers/serverBook.ts';
import { ofCall } from '../../../../src-core/features/frames/mcp/mcpFrames.ts';
import { createServerRequests, type ServerRequests } from '../../../../src-core/features/servers/serverRequests.ts';
import type { ElicitRequestParams, InContext } from '../../../../src-core/mcp/types.ts';

const server = { id: 'a', name: 'lab', sampling: true } as KeptServer;
const never = new AbortController().signal;
let requests: ServerRequests;
beforeEach(() => {
  const models = { modelOf: () => expect.fail('No model is needed.') };
  requests = createServerRequests({ clock: systemClock, onChange: () => undefined, models });
});
const form = (message = 'Size?'): ElicitRequestParams => ({
  message,
  requestedSchema: { type: 'object', properties: {} },
});

it('refuses the 21st question of a server, and still shows a sign-in at it', async () => {
  for (let count = 0; count < 20; count += 1) void requests.elicit(server, form(), never);
  await expect(requests.elicit(server, form(), never)).rejects.toThrow('Too many requests wait for the user.');
  const signIn = requests.signIn(server, { url: 'https://id.example/' }, never);
  const { requestId } = requests.list().at(-1)!;
  expect(requests.list().at(-1)).toMatchObject({ kind: 'sign-in', url: 'https://id.example/' });
  requests.answer(requestId, { action: 'decline' });
  expect(await signIn).toBe(true);
});

it('names the calls in which a server may ask, and none if it may ask about something else, too', () => {
  const inCall: InContext = (run) => ofCall('call-1', run);
  const inReading: InContext = (run) => run();
  void requests.elicit(server, form(), never, [inCall]);
  void requests.elicit(server, form(), never, [inCall, inReading]);
  expect(requests.list().map(({ callIds }) => callIds)).toEqual([['call-1'], []]);
});

it('does not count a sign-in among the questions of a server', async () => {
  void requests.signIn(server, { url: 'https://id.example/' }, never);
  for (let count = 0; count < 20; count += 1) void requests.elicit(server, form(), never);
  expect(requests.list()).toHaveLength(21);
});

it.each([
  ['message', () => requests.elicit(server, form('x'.repeat(1_000_001)), never)],
  [
    'schema',
    () => {
      const properties = { size: { type: 'string' as const, title: 'x'.repeat(1_000_001) } };
      return requests.elicit(server, { message: '', requestedSchema: { type: 'object', properties } }, never);
    },
  ],
  [
    'URL',
    () => {
      const url = `https://a.example/${'x'.repeat(1_000_001)}`;
      return requests.elicit(server, { mode: 'url', message: '', elicitationId: 'e', url }, never);
    },
  ],
  [
    'message for a model',
    () => {
      const content = { type: 'text' as const, text: 'x'.repeat(1_000_001) };
      return requests.sample(server, { messages: [{ role: 'user', content }], maxTokens: 1 }, never);
    },
  ],
])('refuses a question whose %s has over a million characters', async (_what, ask) => {
  await expect(ask()).rejects.toMatchObject({
    code: 'too-large',
    message: expect.stringContaining('at most 1000000 are shown to the user'),
  });
  expect(requests.list()).toEqual([]);
});
