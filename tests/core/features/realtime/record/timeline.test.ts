/** The items of a conversation's timeline, and which wire events each names. */
import { expect, test } from 'vitest';

import { Revisions } from '../../../../../src-core/features/realtime/record/revisedList.ts';
import { Timeline } from '../../../../../src-core/features/realtime/record/timeline.ts';

test('an item names its first four events and its last four', () => {
  const timeline = new Timeline(new Revisions());
  const item = timeline.begin({ lane: 'response', from: 10, label: 'answer', event: 1 });
  for (let event = 2; event <= 8; event += 1) timeline.note(item, event);
  expect(item.events).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  timeline.note(item, 9);
  timeline.note(item, 9);
  expect(item.events).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
  timeline.note(item, 10);
  expect(item.events).toEqual([1, 2, 3, 4, 7, 8, 9, 10]);
});

test('an item is numbered, changed and ended; its end is never before its beginning', () => {
  const revisions = new Revisions();
  const timeline = new Timeline(revisions);
  const item = timeline.begin({ lane: 'response', from: 10, label: 'x'.repeat(400) });
  expect(item).toMatchObject({ seq: 1, state: 'running', events: [] });
  expect(item.label).toHaveLength(300);
  const before = revisions.last;
  expect(timeline.since(before)).toEqual([]);
  timeline.end(item, 5, 'failed');
  expect(timeline.since(before)).toMatchObject([{ seq: 1, from: 10, to: 10, state: 'failed' }]);
  timeline.point(20, 'noted', { event: 7 });
  timeline.point(21, 'broke', { failed: true });
  expect(timeline.since(before).slice(1)).toMatchObject([
    { seq: 2, lane: 'event', from: 20, to: 20, state: 'ok', events: [7] },
    { seq: 3, lane: 'event', from: 21, to: 21, state: 'failed', events: [] },
  ]);
});
