import { expect, test } from 'vitest';
import { runWithDeadline } from '../../../src-core/tools/runWithDeadline.ts';

test('gives what the code gives, and throws what it throws', () => {
  expect(runWithDeadline(() => ({ a: 1 }), 1_000)).toEqual({ a: 1 });
  expect(runWithDeadline(() => undefined, 1_000)).toBeUndefined();
  const broken = new Error('broken');
  expect(() =>
    runWithDeadline(() => {
      throw broken;
    }, 1_000),
  ).toThrow(broken);
});

test('stops a loop and a regular expression that do not end', () => {
  expect(() =>
    runWithDeadline(() => {
      for (;;);
    }, 10),
  ).toThrow(/timed out after 10ms/);
  expect(() => runWithDeadline(() => /^(a+)+$/u.test(`${'a'.repeat(50)}!`), 10)).toThrow(/timed out/);
});

test('nests, and is usable after it has stopped something', () => {
  const result = runWithDeadline(() => {
    expect(() => runWithDeadline(() => /^(a+)+$/u.test(`${'a'.repeat(50)}!`), 10)).toThrow(/timed out/);
    return runWithDeadline(() => 'inner', 1_000);
  }, 5_000);
  expect(result).toBe('inner');
});
