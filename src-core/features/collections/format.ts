import * as z from 'zod';

import { isJsonObject, type ExactJson } from '../../base/exactJson.ts';
import { variableName } from '../../base/variableName.ts';
import { assertionSchema, exactJson, jsonPath, maxCalls } from '../../contract/collections.ts';
import { timeoutMs } from '../../contract/fields.ts';

/** Any object, including a member `__proto__`, which zod's records drop. */
const object = z.unknown().refine(isJsonObject, 'must be an object').meta({ type: 'object' });
const nameRule = 'must begin with a letter or _ and contain only letters, digits, _, - and ., at most 64';
const variables = named(exactJson).refine((all) => Object.keys(all).length <= 500, 'must have at most 500 entries');

/** `NAME.call.json`: one call. */
export const savedCallSchema = z.strictObject({
  $schema: z.string().max(2_000).optional(),
  name: z.string().min(1).max(200),
  description: z.string().max(10_000).optional(),
  /** `toolId_methodName`; may hold variables. */
  tool: z.string().min(1).max(1_024),
  arguments: object,
  timeoutMs: timeoutMs.optional(),
  /** Runs it without asking even if the tool is dangerous, in a collection that the user trusts. */
  confirm: z.boolean().optional(),
  /** Variables for the calls after it: a JSON path into the result by name. */
  extract: named(jsonPath)
    .refine((all) => Object.keys(all).length <= 100, 'must have at most 100 entries')
    .optional(),
  assertions: z.array(assertionSchema).max(100).optional(),
});

/** `toolwire.json`: the file that makes a folder a collection. */
export const manifestSchema = z.strictObject({
  $schema: z.string().max(2_000).optional(),
  format: z.literal(1),
  name: z.string().min(1).max(200),
  description: z.string().max(10_000).optional(),
  variables: variables.optional(),
  /** Files of calls in the order in which they run; other files follow, by name. */
  order: z.array(z.string().max(255)).max(maxCalls).optional(),
});

/** `environments/NAME.json`: variables that take precedence over the collection's own. */
export const environmentSchema = z.strictObject({ $schema: z.string().max(2_000).optional(), variables });

export type SavedCall = z.infer<typeof savedCallSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type Environment = z.infer<typeof environmentSchema>;
/** Variables by name. */
export type Variables = Record<string, ExactJson>;

/** Values by a variable's name. `__proto__` is not allowed, since zod's records drop it silently. */
function named<T extends z.ZodType>(value: T) {
  const record = z.record(z.string().regex(variableName, nameRule), value);
  const { type, propertyNames, additionalProperties } = z.toJSONSchema(record, { io: 'input', unrepresentable: 'any' });
  return z
    .unknown()
    .refine((all) => !isJsonObject(all) || !Object.hasOwn(all, '__proto__'), 'must not have a member "__proto__"')
    .meta({ type, propertyNames, additionalProperties })
    .pipe(record);
}
