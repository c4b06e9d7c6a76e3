import { expect, test } from 'vitest';

import { maxForeignValues } from '../../../src-core/base/measureJson.ts';
import { readModelArguments } from '../../../src-core/schema/readModelArguments.ts';

const ones = (count: number): string => `{"x":[${Array(count).fill('1').join()}]}`;

test('as many values as a call may have are taken', () => {
  // The object, its list and the characters of its key count, too.
  const { args, refusal } = readModelArguments(ones(maxForeignValues - 3));
  expect(refusal).toBeUndefined();
  expect(args['x']).toHaveLength(maxForeignValues - 3);
});

test.each([
  ['one value too many', ones(maxForeignValues - 1)],
  ['1 MB of empty lists', `{"x":[${Array(330_000).fill('[]').join()}]}`],
  ['1 MB of members', `{${Array.from({ length: 90_000 }, (_, at) => `"k${at}":1`).join()}}`],
])('%s: refused with the reason', (_what, text) => {
  const { args, refusal } = readModelArguments(text);
  expect(args).toEqual({});
  expect(refusal).toMatchObject({
    code: 'invalid-arguments',
    message: 'The arguments have more than 20000 values. Send fewer of them.',
  });
});

test('what is not an object is refused, too', () => {
  expect(readModelArguments('[1]').refusal?.message).toContain('The arguments are an array.');
  expect(readModelArguments('')).toEqual({ args: {} });
});
