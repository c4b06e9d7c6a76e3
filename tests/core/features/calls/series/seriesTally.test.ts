import fc from 'fast-check';
import { expect, test } from 'vitest';

import { durationsOf, SeriesTally } from '../../../../../src-core/features/calls/series/seriesTally.ts';

test('percentiles are the nearest ranks', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(durationsOf(hundred)).toMatchObject({ min: 1, p50: 50, p95: 95, p99: 99, max: 100 });
  expect(durationsOf([7])).toMatchObject({ min: 7, p50: 7, p95: 7, p99: 7, max: 7, widthMs: 0 });
  expect(durationsOf([])).toBeUndefined();
});

test('counts a slow call in the last bar without squeezing the others into the first', () => {
  const values = [...Array.from({ length: 199 }, (_, at) => 10 + (at % 20)), 60_000];
  const { bars } = durationsOf(values)!;
  expect(bars.filter((bar) => bar > 0).length).toBeGreaterThan(15);
  expect(bars.at(-1)).toBeGreaterThan(1);
});

test('counts every value in exactly one bar', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1 }), (values) => {
      const { bars } = durationsOf(values)!;
      expect(bars.reduce((sum, bar) => sum + bar, 0)).toBe(values.length);
    }),
  );
});

test('counts calls whose result reports a failure, or does not match its schema, among those that succeeded', () => {
  const tally = new SeriesTally();
  for (const status of ['success', 'soft-failure', 'mismatch', 'mismatch'] as const)
    tally.add('c', { durationMs: 1, status });
  expect(tally.figures(4)).toMatchObject({ ended: 4, succeeded: 4, softFailures: 1, mismatches: 2 });
});
