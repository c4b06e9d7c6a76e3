import { expect, test } from 'vitest';

import { VoiceQueue } from '../../../../../renderer/features/realtime/audio/voiceQueue.ts';
import { FakeAudioContext } from '../../../../fakes/audioContext.ts';

const rate = 24_000;
const second = new Int16Array(rate).fill(8_192);

function open(): { fake: FakeAudioContext; queue: VoiceQueue } {
  const fake = new FakeAudioContext();
  return { fake, queue: new VoiceQueue({ context: fake.context, destination: {} as AudioNode }) };
}

test('pieces follow one another without a gap, the first one a little later', () => {
  const { fake, queue } = open();
  queue.push(second, rate, 'a');
  queue.push(second.subarray(0, 12_000), rate, 'a');
  queue.push(second, rate, 'b');
  expect(fake.pieces.map(({ from }) => from)).toEqual([0.08, 1.08, 1.58]);
  expect(fake.pieces[0]?.first).toBe(0.25);
  expect(queue.waitingMs).toBeCloseTo(2_580);
});

test('after a pause the next piece begins from now, not from where the last one ended', () => {
  const { fake, queue } = open();
  queue.push(second, rate, 'a');
  fake.advance(5);
  expect(queue.current).toBeUndefined();
  queue.push(second, rate, 'b');
  expect(fake.pieces[1]?.from).toBeCloseTo(5.08);
});

test('it is known how much of a response was heard, also in the middle of a piece and after its end', () => {
  const { fake, queue } = open();
  queue.push(second, rate, 'a');
  queue.push(second, rate, 'a');
  expect(queue.playedMs('a')).toBe(0);
  fake.advance(1.58);
  expect(queue.playedMs('a')).toBe(1_500);
  fake.advance(10);
  expect(queue.playedMs('a')).toBe(2_000);
  expect(queue.playedMs('nobody')).toBe(0);
});

test('a flush stops what plays and what waits, and counts what was heard until then', () => {
  const { fake, queue } = open();
  queue.push(second, rate, 'a');
  queue.push(second, rate, 'a');
  fake.advance(0.58);
  queue.flush();
  expect(fake.pieces.every(({ stopped }) => stopped)).toBe(true);
  expect(queue.playedMs('a')).toBe(500);
  expect(queue.waitingMs).toBe(0);
  queue.push(second, rate, 'b');
  expect(fake.pieces[2]?.from).toBeCloseTo(0.66);
});

test('a flush of one response leaves the others', () => {
  const { fake, queue } = open();
  queue.push(second, rate, 'a');
  queue.push(second, rate, 'b');
  queue.flush('b');
  expect(fake.pieces.map(({ stopped }) => stopped)).toEqual([false, true]);
  expect(queue.current).toBe('a');
  expect(queue.waitingMs).toBeCloseTo(1_080);
});

test('an empty piece is none', () => {
  const { fake, queue } = open();
  queue.push(new Int16Array(), rate, 'a');
  expect(fake.pieces).toEqual([]);
});
