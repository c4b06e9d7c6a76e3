import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { checkArguments } from '../../../../renderer/ui/forms/check/checkArguments.ts';
import { parseJsonText } from '../../../../renderer/ui/forms/json/parseJsonText.ts';
import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { anySchema, anyValue } from './anySchema.ts';

/** What the engine's validator says; undefined where it gives up (references in a circle). */
function accepts(schema: JsonSchema, value: JsonValue): boolean | undefined {
  try {
    return new Validator(schema, '2020-12', false).validate(value).valid;
  } catch {
    return undefined;
  }
}

it('finds something wrong exactly where the engine’s validator does', () => {
  let both = 0;
  fc.assert(
    fc.property(anySchema, anyValue, (schema, value) => {
      const expected = accepts(schema, value);
      fc.pre(expected !== undefined);
      const parsed = parseJsonText(JSON.stringify(value));
      if (!parsed.ok) throw new Error('no JSON');
      const issues = checkArguments(schema, parsed.root);
      both += expected ? 1 : 0;
      expect(issues.length === 0, JSON.stringify(issues)).toBe(expected);
    }),
    { numRuns: 3_000 },
  );
  // Nothing would be shown if almost no value fitted.
  expect(both).toBeGreaterThan(300);
});
