import { expect, test } from 'vitest';
import { LatencyWindow } from '../../../../../src-core/features/devices/wire/latencyWindow.ts';

test('has no figures before the first answer', () => {
  expect(new LatencyWindow().figures()).toBeUndefined();
});

test('uses a single answer for every figure', () => {
  const window = new LatencyWindow();
  window.add(7);
  expect(window.figures()).toEqual({ lastMs: 7, p50Ms: 7, p99Ms: 7, count: 1 });
});

test('percentiles are of values that occurred, in whatever order they came', () => {
  const window = new LatencyWindow();
  for (let ms = 100; ms >= 1; ms -= 1) window.add(ms);
  expect(window.figures()).toEqual({ lastMs: 1, p50Ms: 50, p99Ms: 99, count: 100 });
});

test('only the last 256 count', () => {
  const window = new LatencyWindow();
  for (let index = 0; index < 300; index += 1) window.add(index < 44 ? 1_000_000 : 2);
  expect(window.figures()).toEqual({ lastMs: 2, p50Ms: 2, p99Ms: 2, count: 256 });
});
