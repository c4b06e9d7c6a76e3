import { describe, expect, it } from 'vitest';

import { nameMissing } from '../../../../renderer/ui/forms/check/nameMissing.ts';
import { checkArguments } from '../../../../renderer/ui/forms/check/checkArguments.ts';
import { pathText } from '../../../../renderer/ui/forms/json/pathText.ts';
import { parseJsonText } from '../../../../renderer/ui/forms/json/parseJsonText.ts';
import type { JsonSchema } from '../../../../src-core/contract/types.ts';

function missing(schema: JsonSchema, text = '{}'): string[] {
  const parsed = parseJsonText(text);
  if (!parsed.ok) throw new Error('no JSON');
  return nameMissing(checkArguments(schema, parsed.root), schema).map(({ path, code }) => `${code} ${pathText(path)}`);
}
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

describe('what is missing', () => {
  const user = object({ name: { type: 'string' }, address: object({ city: {}, zip: {} }, ['city']) });

  it('is named by the field to fill in, also behind a reference', () => {
    expect(missing(object({ user }))).toEqual(['required user.name', 'required user.address.city']);
    expect(missing({ ...object({ user: { $ref: '#/$defs/user' } }), $defs: { user } })).toEqual([
      'required user.name',
      'required user.address.city',
    ]);
    expect(missing(object({ user }), '{"user": {"name": "Ada"}}')).toEqual(['required user.address.city']);
  });

  it('is the object itself if it requires nothing or allows anything', () => {
    expect(missing(object({ a: object({ b: {} }, []), c: {}, d: { type: 'array' } }))).toEqual([
      'required a',
      'required c',
      'required d',
    ]);
    expect(missing({ required: ['x'] })).toEqual(['required x']);
  });

  it('ends if a schema asks for itself', () => {
    const loop: JsonSchema = { $defs: { node: object({ next: { $ref: '#/$defs/node' } }) }, $ref: '#/$defs/node' };
    expect(missing(loop)).toEqual(['required next.next.next.next']);
  });

  it('stays beside what is wrong', () => {
    expect(missing(object({ user, n: { type: 'integer' } }), '{"n": "x"}')).toEqual([
      'required user.name',
      'required user.address.city',
      'type n',
    ]);
  });
});
