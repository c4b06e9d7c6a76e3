import { expect, it } from 'vitest';

import { KeptEvents, SessionEvents } from '../../../../src-core/features/hosts/eventStore.ts';

const megabyte = 1024 * 1024;
const message = (id: number) => ({ jsonrpc: '2.0' as const, id, result: { text: 'x'.repeat(megabyte) } });

async function replayed(events: SessionEvents): Promise<number[]> {
  const ids: number[] = [];
  await events.replayEventsAfter('0_s', {
    send: async (_id, sent) => void ids.push((sent as { id: number }).id),
  });
  return ids;
}

it('all sessions together keep 64 MiB; the oldest messages are dropped first', async () => {
  const kept = new KeptEvents();
  const sessions = Array.from({ length: 10 }, () => new SessionEvents(kept));
  for (const session of sessions) for (let id = 1; id <= 7; id += 1) await session.storeEvent('s', message(id));
  const counts = await Promise.all(sessions.map(async (session) => (await replayed(session)).length));
  expect(counts).toEqual([0, 7, 7, 7, 7, 7, 7, 7, 7, 7]);
});

it('a session that ends leaves its room to others', async () => {
  const kept = new KeptEvents();
  const first = new SessionEvents(kept);
  for (let id = 1; id <= 7; id += 1) await first.storeEvent('s', message(id));
  first.clear();
  expect(await replayed(first)).toEqual([]);
  const sessions = Array.from({ length: 9 }, () => new SessionEvents(kept));
  for (const session of sessions) for (let id = 1; id <= 7; id += 1) await session.storeEvent('s', message(id));
  expect(await replayed(sessions[0]!)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
