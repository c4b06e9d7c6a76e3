import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { noteLosses } from '../../../src-core/cli/noteLosses.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('notes losses within a second also if further connections are lost or back meanwhile', () => {
  const notes: string[] = [];
  const losses = noteLosses({ note: (text) => notes.push(text) });
  losses.lost();
  for (let at = 0; at < 6; at += 1) {
    vi.advanceTimersByTime(400);
    if (at % 2 === 0) losses.lost();
    else losses.back();
  }
  expect(notes).toEqual([
    'toolwire: 2 connections were lost; 1 is back after 1.0 s.\n',
    'toolwire: 4 connections were lost; 2 are back after 2.2 s.\n',
  ]);
  losses.back();
  expect(notes.at(-1)).toBe('toolwire: 4 connections were lost; 4 are back after 2.4 s.\n');
  vi.advanceTimersByTime(5_000);
  expect(notes).toHaveLength(3);
});
