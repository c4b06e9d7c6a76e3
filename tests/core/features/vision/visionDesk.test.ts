import { describe, expect, test } from 'vitest';
import type { PictureGuest } from '../../../../src-core/features/devices/entry/pictureGuest.ts';
import { VisionDesk } from '../../../../src-core/features/vision/visionDesk.ts';
import type { AnswerPicture } from '../../../../src-core/features/vision/visionDesk.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

const picture = { mediaType: 'image/jpeg', data: Buffer.from([0xff, 0xd8, 0xff, 1]) };

function openDesk(options: { answer?: 'model' | 'hand' | 'canned'; model?: AnswerPicture; patienceMs?: number } = {}) {
  const clock = createManualClock();
  const lines: string[] = [];
  let changes = 0;
  const desk = new VisionDesk({
    clock,
    policy: () => ({ answer: options.answer ?? 'canned', cannedText: 'no one answered' }),
    answerPicture: () => options.model,
    onChange: () => (changes += 1),
  });
  const guest: PictureGuest = {
    deviceId: () => 'd',
    name: () => 'box',
    patienceMs: () => options.patienceMs ?? 30_000,
    callId: () => undefined,
    note: ({ direction, summary, text }) => lines.push(`${direction} ${summary}: ${text ?? ''}`),
  };
  const gone = new AbortController();
  const ask = (question = 'what?') => desk.explain({ guest, picture, question, gone: gone.signal });
  return { clock, desk, guest, gone, ask, lines, changes: () => changes, first: () => desk.list()[0] };
}

describe('the canned text', () => {
  test('answers at once, where it is chosen and where no model sees', async () => {
    for (const answer of ['canned', 'model'] as const) {
      const { ask, first, lines, clock } = openDesk({ answer });
      expect(await ask('这是什么？')).toEqual({ success: true, text: 'no one answered' });
      expect(first()).toEqual({
        id: expect.any(String) as string,
        deviceId: 'd',
        deviceName: 'box',
        kind: 'explain',
        at: clock.wall(),
        question: '这是什么？',
        mediaType: 'image/jpeg',
        bytes: 4,
        state: 'answered',
        answer: 'no one answered',
        answeredBy: 'canned',
      });
      expect(lines).toEqual([
        'in posted a picture with a question, 4 bytes: 这是什么？',
        'out fixed answer to the picture: no one answered',
      ]);
    }
  });
});

describe('a model', () => {
  test('receives the picture and the question, and its answer goes to the device', async () => {
    const seen: unknown[] = [];
    const model: AnswerPicture = async (...given) => (seen.push(...given.slice(0, 2)), 'a cat');
    const { ask, first } = openDesk({ answer: 'model', model });
    expect(await ask('what?')).toEqual({ success: true, text: 'a cat' });
    expect(seen).toEqual([picture, 'what?']);
    expect(first()).toMatchObject({ state: 'answered', answer: 'a cat', answeredBy: 'model' });
  });

  test('that fails says so to the device', async () => {
    const { ask, first } = openDesk({ answer: 'model', model: () => Promise.reject(new Error('no credit left')) });
    expect(await ask()).toEqual({ success: false, text: 'no credit left' });
    expect(first()).toMatchObject({ state: 'failed', error: 'no credit left' });
    expect(first()?.answer).toBeUndefined();
  });

  test('is cancelled before the device gives up', async () => {
    let stopped: AbortSignal | undefined;
    const model: AnswerPicture = (_picture, _question, signal) => {
      stopped = signal;
      return new Promise(() => undefined);
    };
    const { ask, clock, first } = openDesk({ answer: 'model', model, patienceMs: 10_000 });
    const answer = ask();
    clock.advance(8_499);
    expect(first()?.state).toBe('waiting');
    expect(first()?.waitsUntil).toBeUndefined();
    clock.advance(1);
    expect(await answer).toEqual({
      success: false,
      text: 'The model did not answer within 8.5 s, and the device no longer waits.',
    });
    expect(stopped?.aborted).toBe(true);
  });
});

describe('the user', () => {
  test('is asked until shortly before the device gives up, and answers', async () => {
    const { ask, desk, clock, first, changes } = openDesk({ answer: 'hand' });
    const answer = ask();
    expect(first()).toMatchObject({ state: 'waiting', waitsUntil: clock.wall() + 28_500 });
    const before = changes();
    desk.answer(first()?.id ?? '', '一只猫');
    expect(await answer).toEqual({ success: true, text: '一只猫' });
    expect(first()).toMatchObject({ state: 'answered', answer: '一只猫', answeredBy: 'hand' });
    expect(first()?.waitsUntil).toBeUndefined();
    expect(changes()).toBeGreaterThan(before);
    expect(() => desk.answer(first()?.id ?? '', 'again')).toThrow(/no longer waits/);
  });

  test('is not waited for once the picture has left the list', async () => {
    const { ask, desk } = openDesk({ answer: 'hand' });
    const first = ask();
    for (let count = 0; count < 100; count += 1) void ask();
    expect(await first).toEqual({ success: true, text: 'no one answered' });
    expect(desk.list().every(({ state }) => state === 'waiting')).toBe(true);
  });

  test('who says nothing is stood in for by the canned text', async () => {
    const { ask, clock, first } = openDesk({ answer: 'hand', patienceMs: 10_000 });
    const answer = ask();
    clock.advance(8_500);
    expect(await answer).toEqual({ success: true, text: 'no one answered' });
    expect(first()).toMatchObject({ state: 'expired', answer: 'no one answered', answeredBy: 'canned' });
  });

  test('cannot answer longer than a board can read, nor what is not there', () => {
    const { ask, desk, first } = openDesk({ answer: 'hand' });
    void ask();
    const id = first()?.id ?? '';
    expect(() => desk.answer(id, '字'.repeat(3_000))).toThrow(expect.objectContaining({ field: 'text' }) as Error);
    expect(() => desk.answer('other', 'x')).toThrow(expect.objectContaining({ field: 'id' }) as Error);
    expect(first()?.state).toBe('waiting');
  });

  test('who takes the picture off the list leaves the device the canned text', async () => {
    const { ask, desk, first } = openDesk({ answer: 'hand' });
    const answer = ask();
    const id = first()?.id ?? '';
    desk.setAside(id);
    expect(await answer).toEqual({ success: true, text: 'no one answered' });
    expect(desk.list()).toEqual([]);
    expect(() => desk.setAside('gone')).toThrow(/no longer exists/);
    expect(() => desk.picture(id)).toThrow(/no longer exists/);
    desk.putBack(id);
    expect(first()).toMatchObject({ id, state: 'expired' });
    desk.setAside(id);
    desk.remove(id);
    expect(() => desk.putBack(id)).toThrow(/no longer exists/);
  });
});

test('a device that hangs up is waited for no longer', async () => {
  const { ask, gone, first, lines } = openDesk({ answer: 'hand' });
  const answer = ask();
  gone.abort();
  expect((await answer).success).toBe(false);
  expect(first()).toMatchObject({ state: 'failed', error: 'The device disconnected before the answer arrived.' });
  expect(lines.at(-1)).toContain('no answer to the picture');
  expect((await ask()).success).toBe(false);
});

test('close answers all that waits', async () => {
  const { ask, desk } = openDesk({ answer: 'hand' });
  const answers = [ask(), ask()];
  desk.close();
  expect(await Promise.all(answers)).toEqual([1, 2].map(() => ({ success: true, text: 'no one answered' })));
});

test('a picture is kept as a copy: a part of a body would keep all of it', () => {
  const { desk, guest, first } = openDesk();
  const body = Buffer.alloc(1_000_000, 7);
  const id = desk.keepSnapshot(guest, { mediaType: 'image/png', data: body.subarray(100, 100_100) });
  const { data } = desk.picture(id);
  expect(data.equals(body.subarray(100, 100_100))).toBe(true);
  expect(data.buffer.byteLength).toBeLessThan(200_000);
  expect(first()).toMatchObject({ id, kind: 'snapshot', state: 'answered' });
  expect(first()?.question).toBeUndefined();
});
