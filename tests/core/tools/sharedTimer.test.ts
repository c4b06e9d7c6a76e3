import { afterEach, expect, test, vi } from 'vitest';
import { afterShared } from '../../../src-core/tools/sharedTimer.ts';

/** Timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
const wait = (ms: number) => new Promise<void>((resolve) => afterShared(ms, resolve));

afterEach(() => void vi.useRealTimers());

test('what waits equally long ends in the order in which it began, each once', async () => {
  const ended: string[] = [];
  for (const name of ['a', 'b', 'c']) afterShared(2, () => ended.push(name));
  await wait(2);
  expect(ended).toEqual(['a', 'b', 'c']);
  await wait(2);
  expect(ended).toEqual(['a', 'b', 'c']);
});

test('a wait that was called off takes the others nothing of their time', () => {
  vi.useFakeTimers();
  const ended: string[] = [];
  const stop = afterShared(100, () => ended.push('a'));
  vi.advanceTimersByTime(40);
  afterShared(100, () => ended.push('b'));
  vi.advanceTimersByTime(20);
  afterShared(100, () => ended.push('c'));
  stop();
  vi.advanceTimersByTime(79);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual(['b']);
  vi.advanceTimersByTime(20);
  expect(ended).toEqual(['b', 'c']);
  expect(vi.getTimerCount()).toBe(0);
});

test('waits of several lengths do not hold each other up', async () => {
  const stop = afterShared(60_000, () => undefined);
  await wait(1);
  stop();
});

test('keeps the process alive while something waits, and no longer', async () => {
  const before = timers();
  const stop = afterShared(60_000, () => undefined);
  const other = afterShared(60_000, () => undefined);
  expect(timers()).toBe(before + 1);
  stop();
  stop();
  expect(timers()).toBe(before + 1);
  other();
  expect(timers()).toBe(before);
  afterShared(60_000, () => undefined)();
  expect(timers()).toBe(before);
});

test('what a wait calls off or begins as it ends is heeded', async () => {
  const ended: string[] = [];
  const stops: (() => void)[] = [];
  const begun = Promise.withResolvers<undefined>();
  afterShared(2, () => {
    ended.push('a');
    stops[0]?.();
    afterShared(2, () => begun.resolve(undefined));
  });
  stops.push(afterShared(2, () => ended.push('b')));
  await begun.promise;
  expect(ended).toEqual(['a']);
});
