/** JSON in requests: bounded in depth and size, and refused by its field. */
import { describe, expect, test } from 'vitest';

import { scriptedModelSchema } from '../../../src-core/contract/models.ts';
import { json } from '../../../src-core/contract/fields.ts';
import {
  scriptedProfileSchema,
  serverProfileSchema,
  sessionOptionsSchema,
} from '../../../src-core/contract/realtime.ts';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
const server = { kind: 'server', label: 'x', dialect: 'openai', url: 'ws://x', model: 'm' };
const scripted = { kind: 'scripted', label: 'x', dialect: 'openai' };

describe.each([
  ['differences', serverProfileSchema, (value: unknown) => ({ ...server, differences: value }), 64_000],
  ['script', scriptedProfileSchema, (value: unknown) => ({ ...scripted, script: value }), 1_000_000],
  ['extra', sessionOptionsSchema, (value: unknown) => ({ extra: { a: value } }), 64_000],
  ['script', scriptedModelSchema, (value: unknown) => ({ kind: 'scripted', label: 'x', script: value }), 2_000_000],
] as const)('%s', (field, schema, withValue, most) => {
  const issues = (value: unknown) =>
    schema.safeParse(withValue(value)).error?.issues.map(({ path, message }) => [path.join('.'), message]);

  test('takes JSON', () => {
    expect(issues({ a: [1, null, 'x', nested(100)] })).toBeUndefined();
  });

  test('refuses JSON that is nested too deeply, by its field', () => {
    expect(issues(nested(30_000))).toEqual([[field, 'must be JSON that is nested at most 200 levels deep']]);
  });

  test('refuses too much JSON, by its field', () => {
    expect(issues('x'.repeat(most))).toEqual([[field, `must be at most ${most} characters of JSON`]]);
  });
});

test('refuses a list as further session fields', () => {
  const { error } = sessionOptionsSchema.safeParse({ extra: [] });
  expect(error?.issues).toMatchObject([{ path: ['extra'], message: 'must be an object' }]);
});

test.each([[undefined], [NaN], [() => 1], [10n]])('%s is not JSON', (value) => {
  expect(json(100).safeParse(value).success).toBe(false);
});
