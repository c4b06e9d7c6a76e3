/** What reading and checking the calls of a turn may take. */
import { expect, test } from 'vitest';

import { workPool } from '../../../../src-core/base/workPool.ts';
import { countProcesses } from '../../../helpers/countProcesses.ts';
import { askedClient } from './support/askedClient.ts';
import { clientTool } from './support/wording.ts';

const endless = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
const hostile = { name: 'f', arguments: { text: `${'a'.repeat(60)}!` } };

test('64 calls of a hostile pattern share 5 s of processor time, and each is refused with its reason', async () => {
  const processes = countProcesses();
  const { client, bench } = await askedClient(
    {
      settings: { tellModelOfFailures: true },
      turns: [{ toolCalls: Array<typeof hostile>(64).fill(hostile) }, { text: 'sorry' }],
    },
    clientTool('f', endless),
  );
  await client.upTo('idle');
  expect(processes.most).toBeLessThanOrEqual(2);
  expect(workPool.waiting).toBe(0);
  const told = bench.server.chats[1]!.body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  expect(told).toHaveLength(64);
  // On a busy machine the limit of wall time may come first.
  expect(told[0]).toMatch(/it takes more than (2000 ms of processor time|10 s)/);
  const spent = 'the checks of this turn take more than 5 s of processor time together';
  expect(told.filter((text) => String(text).includes(spent)).length).toBeGreaterThanOrEqual(61);
}, 120_000);

test('calls that differ in their types only are read as text, in one allowance', async () => {
  const { client } = await askedClient(
    { turns: [{ toolCalls: [{ name: 'f', arguments: { n: '5' } }] }] },
    clientTool('f', { type: 'object', properties: { n: { type: 'integer' } } }),
  );
  expect((await client.upTo('tool_callback')).at(-1)).toMatchObject({ arguments: { n: 5 } });
});

test.each([
  ['empty lists', { x: Array<unknown[]>(165_000).fill([]) }],
  ['members', Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, 1]))],
])('a call of 500 kB of %s is refused with the reason', { timeout: 120_000 }, async (_what, args) => {
  const { client, bench } = await askedClient(
    {
      settings: { tellModelOfFailures: true },
      turns: [{ toolCalls: [{ name: 'f', arguments: args }] }, { text: 'no' }],
    },
    clientTool('f'),
  );
  await client.upTo('idle');
  const { content } = bench.server.chats[1]!.body.messages.at(-1)!;
  expect(content).toContain('The arguments have more than 20000 values. Send fewer of them.');
});
