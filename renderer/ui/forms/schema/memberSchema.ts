import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { matchesSafely } from './matchesSafely.ts';
import { asObject, objectOf, own } from './readKeyword.ts';

/** What an object says of a name that is not among its `properties`. */
export type MemberSchema = { allowed: true; schema: JsonValue } | { allowed: false };

/** The schema for a property whose name the user chooses: by its pattern, else the one for all others. */
export function memberSchema(schema: JsonSchema, name: string): MemberSchema {
  for (const [pattern, one] of Object.entries(objectOf(schema, 'patternProperties') ?? {})) {
    if (matchesSafely(pattern, name) === true)
      return one === false ? { allowed: false } : { allowed: true, schema: one };
  }
  const additional = own(schema, 'additionalProperties');
  return additional === false ? { allowed: false } : { allowed: true, schema: additional ?? true };
}

/** Whether the schema invites names of the user's choice: a map, or an object with room for more. */
export function takesMembers(schema: JsonSchema): boolean {
  const additional = own(schema, 'additionalProperties');
  return (
    asObject(additional) !== undefined || additional === true || objectOf(schema, 'patternProperties') !== undefined
  );
}
