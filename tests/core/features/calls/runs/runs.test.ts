/** How long runs and their questions are kept, on a clock that the test moves. */
import { expect, test, vi } from 'vitest';

import { createRunBook } from '../../../../../src-core/features/calls/runs/runBook.ts';
import { createUnwatchedQuestions } from '../../../../../src-core/features/calls/runs/unwatchedQuestions.ts';
import type { UntimedQuestion } from '../../../../../src-core/features/calls/runs/runConfirmations.ts';
import type { Clock } from '../../../../../src-core/base/clock.ts';
import { handClock } from './handClock.ts';

async function* nothing(): AsyncGenerator<string> {
  yield await Promise.resolve('done');
}

async function* endless(signal: AbortSignal): AsyncGenerator<string> {
  yield 'first';
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

const book = (clock: Clock) =>
  createRunBook<string, string>({ clock, keyOf: (event) => event, onChange: () => undefined });

test('a run that is over can be read for ten minutes', async () => {
  const clock = handClock();
  const runs = book(clock);
  const run = runs.start({ id: 'a', input: 'input', work: nothing });
  await vi.waitUntil(() => clock.pending() === 1);
  clock.move(599_999);
  expect([...runs.list()]).toEqual([run]);
  clock.move(1);
  expect(runs.list()).toEqual([]);
  expect(() => runs.get('a')).toThrow('There is no run "a"');
});

test('of runs that are over the last eight can be read', async () => {
  const clock = handClock();
  const runs = book(clock);
  for (let at = 0; at < 10; at += 1) {
    const { log } = runs.start({ id: `${at}`, input: '', work: nothing });
    for await (const event of log.read()) expect(event).toBe('done');
  }
  await vi.waitUntil(() => runs.list().length === 8);
  expect(runs.list().map(({ id }) => id)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9']);
  await runs.close();
  expect(clock.pending()).toBe(0);
});

test('closing waits for the end of what runs, and leaves no timer', async () => {
  const clock = handClock();
  const runs = book(clock);
  const { log } = runs.start({ id: 'a', input: '', work: endless });
  await runs.close();
  expect(log.isOver).toBe(true);
  expect(clock.pending()).toBe(0);
});

test('accepts 500 runs at once, and refuses the next', async () => {
  const runs = book(handClock());
  for (let at = 0; at < 500; at += 1) runs.start({ id: `${at}`, input: '', work: endless });
  expect(() => runs.start({ id: 'more', input: '', work: endless })).toThrow('Cancel one of them first');
  await runs.close();
});

test('a reader that leaves ends nothing, and one of a run that failed gets its error', async () => {
  const runs = book(handClock());
  const { log } = runs.start({ id: 'a', input: '', work: endless });
  const leaving = new AbortController();
  const read: string[] = [];
  const reading = (async () => {
    for await (const event of log.read(leaving.signal)) read.push(event);
  })();
  await vi.waitUntil(() => read.length === 1);
  expect(log.readers).toBe(1);
  leaving.abort();
  await reading;
  expect([log.readers, log.isOver]).toEqual([0, false]);
  const failing = runs.start({
    id: 'b',
    input: '',
    work: async function* () {
      throw await Promise.resolve(new Error('no lamp'));
    },
  });
  await expect(failing.log.read().next()).rejects.toThrow('no lamp');
  await runs.close();
});

test('a question that no window shows is refused after ten minutes, counted from the last edit of its arguments', () => {
  const clock = handClock();
  let asking: UntimedQuestion[] = [{ callId: 'c', toolId: 'lamp', methodName: 'off', argsJson: '{}' }];
  const refused: string[] = [];
  let changes = 0;
  const questions = createUnwatchedQuestions({
    clock,
    questions: () => asking,
    refuse: (callId, { message }) => {
      refused.push(`${callId}: ${message}`);
      asking = [];
      questions.update();
    },
    onChange: () => (changes += 1),
  });
  questions.update();
  questions.update();
  expect(changes).toBe(1);
  expect(questions.list()).toEqual([{ ...asking[0], askedAt: 1_000, expiresAt: 601_000 }]);
  clock.move(500_000);
  questions.attend('c');
  questions.attend('unknown');
  expect(questions.list()).toMatchObject([{ askedAt: 1_000, expiresAt: 1_101_000 }]);
  clock.move(599_999);
  expect(refused).toEqual([]);
  clock.move(1);
  expect(refused).toEqual([
    'c: The call was not run, because the user made no decision. The question was not answered within 600 s.',
  ]);
  expect(questions.list()).toEqual([]);
  // A window shows the run again: its own question has no limit here.
  asking = [{ callId: 'd', toolId: 'lamp', methodName: 'off', argsJson: '{}' }];
  questions.update();
  asking = [];
  questions.update();
  expect(clock.pending()).toBe(0);
});
