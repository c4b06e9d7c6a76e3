import { expect, test } from 'vitest';
import { trimEndOf } from '../../../src-core/base/trimEndOf.ts';

test.each([
  ['a--', '-', 'a'],
  ['a-b', '-', 'a-b'],
  ['--', '-', ''],
  ['', '-', ''],
  ['a\r\n', '\r\n', 'a'],
])('%j without %j at its end is %j', (text, characters, expected) => {
  expect(trimEndOf(text, characters)).toBe(expected);
});
