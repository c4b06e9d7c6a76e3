/** The log as it is read: what is not written yet, what is held, and what is masked. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { framesOf } from '../../../helpers/testStore.ts';
import { openLog, ofLamp, seqsOf, textsOf } from './support.ts';

describe('a frame that is not written yet', () => {
  test('is read with those of the store, and reading writes nothing', async () => {
    const { log, store, say, frames, kept } = await openLog();
    const call = { note: { type: 'mcp', summary: '', method: 'tools/call', callId: 'c' } };
    say('one', call);
    log.flush();
    say('two "quoted" Ü', call);
    say('other', { connection: 'door' });
    expect(await textsOf(log, 'lamp')).toEqual(['one', 'two "quoted" Ü']);
    expect(await frames.page({ ...ofLamp, limit: 9 })).toMatchObject({
      rows: [{ seq: 1 }, { seq: 2 }],
      firstSeq: 1,
      lastSeq: 2,
    });
    expect(seqsOf((await frames.page({ source: 'device', limit: 9 })).rows)).toEqual([1, 2, 3]);
    expect(seqsOf((await frames.page({ ...ofLamp, limit: 1 })).rows)).toEqual([1]);
    expect(seqsOf((await frames.page({ ...ofLamp, afterSeq: 1, limit: 1 })).rows)).toEqual([2]);
    expect((await frames.page({ ...ofLamp, limit: 9 })).rows[1]).not.toHaveProperty('text');
    expect((await frames.frame({ ...ofLamp, seq: 2 })).text).toBe('two "quoted" Ü');
    expect(await frames.search({ ...ofLamp, text: '"QUOTED" ü' })).toEqual({ seqs: [2] });
    expect(await frames.search({ ...ofLamp, text: 'o' })).toEqual({ seqs: [1, 2] });
    expect(await frames.search({ ...ofLamp, text: 'o', afterSeq: 1 })).toEqual({ seqs: [2] });
    expect(await frames.search({ ...ofLamp, text: 'O', afterSeq: 2 })).toEqual({ seqs: [] });
    expect(seqsOf(await frames.ofCall({ callId: 'c' }))).toEqual([1, 2]);
    expect(seqsOf(await framesOf(log.log('lamp')))).toEqual([1, 2]);
    const ofMethod = async (method: string): Promise<number[]> => {
      const seqs: number[] = [];
      const found = log.log('lamp').frames({ only: { kind: 'open', methods: [method] } });
      for await (const { seq } of found) seqs.push(seq);
      return seqs;
    };
    expect([await ofMethod('tools/list'), await ofMethod('tools/call')]).toEqual([[], [1, 2]]);
    expect(await kept()).toEqual([1]);
    expect(await store.wire.log('door').bounds()).toBeUndefined();
  });

  test('is found once while its write is under way', async () => {
    const { log, say, frames } = await openLog();
    say('one');
    const before = frames.page({ ...ofLamp, limit: 9 });
    log.flush();
    const meanwhile = frames.page({ ...ofLamp, limit: 9 });
    expect([seqsOf((await before).rows), seqsOf((await meanwhile).rows)]).toEqual([[1], [1]]);
    await nextTurn();
    expect(seqsOf((await frames.page({ ...ofLamp, limit: 9 })).rows)).toEqual([1]);
  });

  test('of a call counts towards the limit of its frames', async () => {
    const { log, say } = await openLog();
    const call = { note: { type: 'mcp', summary: '', callId: 'c' } };
    for (const text of ['aaaa', 'bbbb', 'cccc']) {
      say(text, call);
      if (text === 'aaaa') log.flush();
    }
    const of = async (limit: number, characters: number) => seqsOf(await log.callFrames('c', { limit, characters }));
    expect(await of(9, 99)).toEqual([3, 2, 1]);
    expect(await of(2, 99)).toEqual([3, 2]);
    expect(await of(9, 9)).toEqual([3, 2]);
    expect(await of(9, 1)).toEqual([3]);
  });
});

describe('a log', () => {
  test('that is emptied says what it has lost, and is restored with what came since', async () => {
    const { log, say, frames } = await openLog();
    say('one');
    await frames.clear(ofLamp);
    expect(await frames.page({ ...ofLamp, limit: 9 })).toEqual({ rows: [], firstSeq: 2, lastSeq: 1 });
    say('two');
    await log.putBack('key', 'lamp');
    expect(await textsOf(log, 'lamp')).toEqual(['one', 'two']);
    await expect(log.putBack('gone', 'lamp')).rejects.toThrow(/deleted meanwhile/);
  });

  test.each([
    ['neither a source nor a capture', {}, 'captureId', /Name a source or a capture/],
    ['both', { ...ofLamp, captureId: '1' }, 'captureId', /only one of them/],
    ['a capture that is not there', { captureId: '1' }, 'captureId', /no capture "1"/],
    ['all conversations', { source: 'realtime' as const }, 'connection', /Name a conversation/],
  ])('cannot be %s', async (_what, name, field, message) => {
    const { frames } = await openLog();
    const refused = expect.objectContaining({ field, message: expect.stringMatching(message) as string }) as Error;
    await expect(frames.page({ ...name, limit: 1 })).rejects.toThrow(refused);
    await expect(frames.frame({ ...name, seq: 1 })).rejects.toThrow(refused);
    await expect(frames.search({ ...name, text: 'a' })).rejects.toThrow(refused);
    await expect(frames.follow(name).next()).rejects.toThrow(refused);
  });
});

describe('frames of an unapproved device', () => {
  const held = { held: true };

  test('are shown, not stored, and recorded once it is approved', async () => {
    const { log, say, kept } = await openLog();
    say('open', held);
    say('other', { connection: 'door' });
    log.flush();
    expect([await textsOf(log, 'lamp'), await kept()]).toEqual([['open'], [2]]);
    expect(await textsOf(log)).toEqual(['other']);
    log.admit('lamp');
    log.flush();
    expect([await textsOf(log, 'lamp'), await kept()]).toEqual([['open'], [1, 2]]);
  });

  test('are dropped with the device', async () => {
    const { log, say } = await openLog();
    say('open', held);
    log.forget('lamp');
    log.admit('lamp');
    expect(await textsOf(log, 'lamp')).toEqual([]);
  });

  test('are not shown in the log of a device that was approved, until they are', async () => {
    const { log, say } = await openLog();
    say('mine');
    say('copied id', held);
    expect(await textsOf(log, 'lamp')).toEqual(['mine']);
    log.admit('lamp');
    expect(await textsOf(log, 'lamp')).toEqual(['mine', 'copied id']);
  });

  test('are bounded in number, in characters, and in those of all devices', async () => {
    const limits = { frames: 4, chars: 1_000, allChars: 1_500 };
    const { log, say } = await openLog({ held: limits });
    for (let index = 0; index < 11; index += 1) say(String(index), held);
    expect(await textsOf(log, 'lamp')).toEqual(['7', '8', '9', '10']);
    for (const letter of 'abc') say(letter.repeat(300), held);
    expect((await textsOf(log, 'lamp')).map((text) => text?.[0])).toEqual(['b', 'c']);
    say('x'.repeat(5_000), held);
    expect(await textsOf(log, 'lamp')).toHaveLength(1);
    log.forget('lamp');

    say('kept', { ...held, connection: 'quiet' });
    for (let index = 0; index < 3; index += 1) say('y'.repeat(500), { ...held, connection: 'one' });
    for (let index = 0; index < 3; index += 1) say('z'.repeat(500), { ...held, connection: 'two' });
    expect(await textsOf(log, 'quiet')).toEqual(['kept']);
    expect(await textsOf(log, 'one')).toHaveLength(1);
    expect(await textsOf(log, 'two')).toHaveLength(1);
  });
});

describe('a text', () => {
  test('that is long is cut, and its size stays the whole one', async () => {
    const { log, say } = await openLog();
    const seq = say('字'.repeat(65_537), { bytes: 196_611 });
    expect(await log.log('lamp').frame(seq)).toMatchObject({ text: '字'.repeat(65_536), cut: true, bytes: 196_611 });
    const whole = say('字'.repeat(65_537), { source: 'gateway', connection: 'connection-1' });
    expect(await log.log('shared\ngateway').frame(whole)).not.toHaveProperty('cut');
  });

  test('of ours, and an answer to us, is kept as it is; secrets in others are masked', async () => {
    const { log, say } = await openLog();
    const text = '{"token":"abc",  "a":1}';
    say(text);
    say(text, { mask: true });
    expect(await textsOf(log, 'lamp')).toEqual([text, '{"token":"***","a":1}']);
  });

  test('is cut first, then masked, also if the secret is cut off', async () => {
    const { log, say } = await openLog();
    const begin = `{"a":"${'x'.repeat(65_500)}",`;
    const seq = say(`${begin}"token":"${'abc'.repeat(1_000)}"}`, { mask: true });
    expect(await log.log('lamp').frame(seq)).toMatchObject({ text: `${begin}"token":"***"`, cut: true });
  });

  test.each([
    ['Bearer tokens', 'Bearer abc ', 'Bearer ***'],
    ['members', '{"token":"abc"}', '"token":"***"'],
    ['members that never end', '"token":"\\\\', '"token":"***"'],
    ['escapes', '"token":"\\"', '"token":"***"'],
    ['query parameters', '?token=abc&', '?token=***'],
    ['nothing but quotes', '"', '"'],
    ['colons without a value', '"token" :', '"token" :'],
  ])('of 4 MiB of %s has no secret', async (_what, unit, masked) => {
    const { log, say } = await openLog();
    const seq = say(unit.repeat((4 * 1_024 * 1_024) / unit.length), { mask: true });
    const frame = await log.log('lamp').frame(seq);
    expect(frame?.cut).toBe(true);
    expect(frame?.text?.length).toBeLessThanOrEqual(64 * 1_024);
    expect(frame?.text).toContain(masked);
    expect(frame?.text).not.toContain('abc');
  });
});
