/** Long texts in pieces, and how fast they are sent. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { Pacing } from '../../../../src-core/features/cluster/pacing.ts';
import { Pieces } from '../../../../src-core/features/cluster/pieces.ts';
import { handClock } from '../calls/runs/handClock.ts';

const piece = (at: number, text: string, isLast = false) => ({
  kind: 'piece' as const,
  at,
  text: Buffer.from(text).toString('base64'),
  isLast,
});

test('an empty piece counts only as the last one: a text cannot continue with nothing', () => {
  const pieces = new Pieces(10);
  expect(pieces.take(piece(0, ''))).toBe(false);
  expect(pieces.take(piece(0, 'abc'))).toBe(true);
  expect(pieces.take(piece(3, ''))).toBe(false);
  expect(pieces.take(piece(3, '', true))).toBe(true);
  expect(pieces.join().toString()).toBe('abc');
});

/** A long answer of 40 messages. */
function openAnswer() {
  const clock = handClock();
  let sent = 0;
  let ask: (message: object) => void = () => undefined;
  const pacing = new Pacing({
    bus: {
      isLoaded: false,
      subscribe(_: string, onMessage: typeof ask) {
        ask = onMessage;
        return () => undefined;
      },
      publish: () => ((sent += 1), 'sent'),
    },
    node: 'n',
    clock,
  } as unknown as ConstructorParameters<typeof Pacing>[0]);
  const done = pacing.send(
    'r',
    Array.from({ length: 40 }, () => ({})),
  );
  const counts = async () => {
    await setImmediate();
    return { sent, timers: clock.pending() };
  };
  return { clock, pacing, done, counts, ask: () => ask({ data: { v: 1, to: 'r' } }) };
}

test('a long answer goes on when it is asked for, and ends if it is not for 10 s', async () => {
  const { clock, done, counts, ask } = openAnswer();
  expect(await counts()).toEqual({ sent: 8, timers: 1 });
  ask();
  expect(await counts()).toEqual({ sent: 16, timers: 1 });
  clock.move(10_000);
  await done;
  expect(await counts()).toEqual({ sent: 16, timers: 0 });
});

test('a node that closes sends nothing more of a long answer, and leaves no timer', async () => {
  const { pacing, done, counts } = openAnswer();
  await counts();
  pacing.close();
  await done;
  expect(await counts()).toEqual({ sent: 8, timers: 0 });
});
