/** A log as it is pushed to a window. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import type { FrameBatch, LogName } from '../../../../src-core/contract/frames.ts';
import { openLog, ofLamp, seqsOf } from './support.ts';

type Opened = Awaited<ReturnType<typeof openLog>>;

/** A subscription; `next` resolves with its next batch. */
function follow({ frames, clock }: Opened, from: LogName & { afterSeq?: number; callId?: string } = ofLamp) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const batches = frames.follow(from, abort.signal);
  const read = async (): Promise<FrameBatch> => {
    const { value, done } = await batches.next();
    if (done === true) throw new Error('It has ended.');
    return value;
  };
  return {
    batches,
    abort,
    read,
    /** The next batch, after the time over which rows are gathered. */
    async pushed(): Promise<FrameBatch> {
      const next = read();
      await nextTurn();
      clock.advance(32);
      return next;
    },
  };
}

test('the rows of a log come first, then each new one, in batches, without a write', async () => {
  const opened = await openLog();
  const { say, log, kept } = opened;
  say('one');
  log.flush();
  say('two');
  const { read, pushed } = follow(opened);
  expect(await read()).toMatchObject({ rows: [{ seq: 1 }, { seq: 2 }], firstSeq: 1, lastSeq: 2, more: false });
  say('three');
  say('elsewhere', { connection: 'door' });
  say('four');
  const batch = await pushed();
  expect(batch).toMatchObject({ rows: [{ seq: 3 }, { seq: 5 }], firstSeq: 1, lastSeq: 5, more: false });
  expect(batch.rows[0]).not.toHaveProperty('text');
  expect(await kept()).toEqual([1]);
});

test('a subscription goes on from a sequence number', async () => {
  const opened = await openLog();
  for (let count = 0; count < 5; count += 1) opened.say();
  const { read, pushed } = follow(opened, { ...ofLamp, afterSeq: 3 });
  expect(seqsOf((await read()).rows)).toEqual([4, 5]);
  opened.say();
  expect(seqsOf((await pushed()).rows)).toEqual([6]);
});

test('a long log comes page by page, and nothing twice or never that is recorded meanwhile', async () => {
  const opened = await openLog();
  for (let count = 0; count < 2_500; count += 1) opened.say();
  const { read, pushed } = follow(opened);
  const seqs: number[] = [];
  for (let more = true; more;) {
    const batch = await read();
    opened.say();
    seqs.push(...seqsOf(batch.rows));
    ({ more } = batch);
  }
  seqs.push(...seqsOf((await pushed()).rows));
  expect(seqs).toEqual(Array.from({ length: 2_503 }, (_, at) => at + 1));
});

test('more rows than a page at once are read from the log', async () => {
  const opened = await openLog();
  const { read, pushed } = follow(opened);
  await read();
  const next = pushed();
  for (let count = 0; count < 3_000; count += 1) opened.say();
  const seqs = seqsOf((await next).rows);
  while (seqs.length < 3_000) seqs.push(...seqsOf((await read()).rows));
  expect(seqs).toEqual(Array.from({ length: 3_000 }, (_, at) => at + 1));
});

test('what the limit has evicted is told', async () => {
  const opened = await openLog();
  for (let count = 0; count < 9_000; count += 1) opened.say('x'.repeat(200));
  const { read } = follow(opened, { ...ofLamp, afterSeq: 8_999 });
  expect(await read()).toMatchObject({ rows: [{ seq: 9_000 }], firstSeq: 1 });
  opened.log.setLimit(1);
  opened.clock.advance(100);
  expect(await read()).toMatchObject({ rows: [], firstSeq: expect.any(Number) as number, lastSeq: 9_000 });
  opened.clock.advance(100);
  expect((await read()).firstSeq).toBeGreaterThan(4_000);
});

test('a log that is emptied, and then restored', async () => {
  const opened = await openLog();
  const { say, frames, log } = opened;
  say('one');
  const { read, pushed } = follow(opened);
  await read();
  await frames.clear(ofLamp);
  expect(await read()).toEqual({ rows: [], firstSeq: 2, lastSeq: 1, more: false });
  say('two');
  expect(await pushed()).toMatchObject({ rows: [{ seq: 2 }], firstSeq: 2 });
  await log.putBack('key', 'lamp');
  // Frames before the first one: the subscriber begins again.
  expect(await read()).toMatchObject({ rows: [], firstSeq: 1, lastSeq: 2 });
});

test('connections of the gateway are one log, or one each', async () => {
  const opened = await openLog();
  const all = follow(opened, { source: 'gateway' });
  const one = follow(opened, { source: 'gateway', connection: 'connection-1' });
  await all.read();
  await one.read();
  const next = Promise.all([all.pushed(), one.pushed()]);
  opened.say('a', { source: 'gateway', connection: 'connection-1' });
  opened.say('b', { source: 'gateway', connection: 'connection-2' });
  opened.say('c');
  expect((await next).map(({ rows }) => seqsOf(rows))).toEqual([[1, 2], [1]]);
});

test('the frames of one call', async () => {
  const opened = await openLog();
  const ofCall = (callId: string) => ({ note: { type: 'mcp', summary: '', callId } });
  opened.say('one', ofCall('c'));
  opened.say('two', ofCall('other'));
  const { read, pushed } = follow(opened, { source: 'device', callId: 'c' });
  expect(seqsOf((await read()).rows)).toEqual([1]);
  opened.say('three', ofCall('other'));
  opened.say('four', ofCall('c'));
  expect(seqsOf((await pushed()).rows)).toEqual([4]);
});

test('an unapproved device is followed, also when it is approved', async () => {
  const opened = await openLog();
  opened.say('open', { held: true });
  const { read, pushed } = follow(opened);
  expect(seqsOf((await read()).rows)).toEqual([1]);
  opened.say('hello', { held: true });
  expect(seqsOf((await pushed()).rows)).toEqual([2]);
  opened.log.admit('lamp');
  opened.say('answer');
  expect(seqsOf((await pushed()).rows)).toEqual([3]);
});

test('frames of an unapproved device are pushed once if it is approved at once', async () => {
  const opened = await openLog();
  const { read, pushed } = follow(opened);
  await read();
  const next = pushed();
  opened.say('open', { held: true });
  opened.say('hello', { held: true });
  opened.log.admit('lamp');
  opened.say('answer');
  expect(seqsOf((await next).rows)).toEqual([1, 2, 3]);
});

test('a subscription ends when it is aborted: while it waits, and while it gathers', async () => {
  const opened = await openLog();
  const waiting = follow(opened);
  await waiting.read();
  const end = waiting.batches.next();
  await nextTurn();
  waiting.abort.abort();
  expect((await end).done).toBe(true);

  const gathering = follow(opened);
  await gathering.read();
  const cut = gathering.batches.next();
  opened.say();
  await nextTurn();
  gathering.abort.abort();
  opened.clock.advance(32);
  expect((await cut).done).toBe(true);
});
