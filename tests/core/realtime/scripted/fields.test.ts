import * as z from 'zod';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src-core/base/json.ts';
import { readField } from '../../../../src-core/realtime/scripted/eventError.ts';

const read = (schema: z.ZodType, value: JsonValue) => () => readField(schema, value, 'session');
const refusal = (code: string, param: string) => expect.objectContaining({ code, param }) as Error;

test('a number outside its bounds is refused, the bounds are not', () => {
  const schema = z.object({ temperature: z.number().min(0.6).max(1.2) });
  for (const temperature of [0.6, 1.2]) expect(read(schema, { temperature })()).toEqual({ temperature });
  expect(read(schema, { temperature: 0.59 })).toThrow(refusal('decimal_below_min_value', 'session.temperature'));
  expect(read(schema, { temperature: 1.21 })).toThrow(refusal('decimal_above_max_value', 'session.temperature'));
});

test('a text and a list may have as many characters and entries as allowed', () => {
  const schema = z.object({ voice: z.string().max(3), tools: z.array(z.string()).max(1) });
  expect(read(schema, { voice: 'abc', tools: ['a'] })()).toEqual({ voice: 'abc', tools: ['a'] });
  expect(read(schema, { voice: 'abcd', tools: [] })).toThrow(refusal('string_above_max_length', 'session.voice'));
  expect(read(schema, { voice: '', tools: ['a', 'b'] })).toThrow(refusal('array_above_max_length', 'session.tools'));
});

test('a missing field is reported before an unknown one', () => {
  const schema = z.object({ tools: z.array(z.strictObject({ name: z.string() })) });
  const error = refusal('missing_required_parameter', 'session.tools[1].name');
  expect(read(schema, { tools: [{ name: 'a' }, { function: {} }] })).toThrow(error);
});

test('a field of the event itself has its plain name', () => {
  expect(() => readField(z.object({ type: z.unknown() }), {}, '')).toThrow(
    refusal('missing_required_parameter', 'type'),
  );
});
