/** The wire of a conversation as it is kept: bounded, read in pages. */
import { expect, test } from 'vitest';

import type { RealtimeWireEvent } from '../../../../../src-core/base/realtimeTypes.ts';
import { EventLog } from '../../../../../src-core/features/realtime/record/eventLog.ts';
import { Revisions } from '../../../../../src-core/features/realtime/record/revisedList.ts';

const pageSize = 2_000;

function filled(count: number, limits = { events: 20_000, characters: 1_000_000 }): EventLog {
  const log = new EventLog({ revisions: new Revisions(), limits, nextSeq: counter() });
  for (let at = 1; at <= count; at += 1) log.add(eventOf(`e${at}`));
  return log;
}

/** 1, 2, 3 … */
function counter(): () => number {
  let last = 0;
  return () => (last += 1);
}

function eventOf(text: string): RealtimeWireEvent {
  return { direction: 'in', at: 1_000, type: 'ping', text, bytes: text.length };
}

test.for([
  [pageSize - 1, undefined],
  [pageSize, undefined],
  [pageSize + 1, pageSize],
])('of %i events the first page says whether more follow', ([count = 0, upTo]) => {
  const page = filled(count).since(0);
  expect(page.rows).toHaveLength(Math.min(count, pageSize));
  expect(page.upTo).toBe(upTo);
});

test('pages follow one another without a gap', () => {
  const log = filled(pageSize + 3);
  const first = log.since(0);
  const second = log.since(first.upTo ?? 0);
  expect(first.rows.at(-1)?.seq).toBe(pageSize);
  expect(second.rows.map(({ seq }) => seq)).toEqual([pageSize + 1, pageSize + 2, pageSize + 3]);
  expect(second.upTo).toBeUndefined();
});

test('the oldest events go beyond the number or the characters; the others keep their numbers and texts', () => {
  const byNumber = filled(2_500, { events: 100, characters: 1_000_000 });
  expect(byNumber.count).toBe(2_500);
  expect(byNumber.since(0).rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, at) => 2_401 + at));
  expect(byNumber.get(2_401)).toEqual({ seq: 2_401, text: 'e2401' });
  expect(() => byNumber.get(2_400)).toThrow('not in the log');
  expect(() => byNumber.get(2_501)).toThrow('not in the log');

  const byCharacters = new EventLog({
    revisions: new Revisions(),
    limits: { events: 100, characters: 10 },
    nextSeq: counter(),
  });
  for (const text of ['aaaaa', 'bbbbb', 'ccccc']) byCharacters.add(eventOf(text));
  expect(byCharacters.since(0).rows.map(({ seq }) => seq)).toEqual([2, 3]);
});
