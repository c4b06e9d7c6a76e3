import { expect, test } from 'vitest';

import { followAbort } from '../../../src-core/base/followAbort.ts';

test('aborts with the reason of the signal, now or later, until it is stopped', () => {
  const [caller, early, late, stopped] = Array.from({ length: 4 }, () => new AbortController());
  followAbort(undefined, early!)();
  followAbort(caller!.signal, late!);
  followAbort(caller!.signal, stopped!)();
  expect([early, late].map((each) => each!.signal.aborted)).toEqual([false, false]);
  caller!.abort('the reason');
  followAbort(caller!.signal, early!);
  expect([early, late].map((each) => each!.signal.reason as unknown)).toEqual(['the reason', 'the reason']);
  expect(stopped!.signal.aborted).toBe(false);
});
