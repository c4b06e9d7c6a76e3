import * as z from 'zod';

import { isExactNumber, keepIntegers } from '../../base/exactNumber.ts';
import type { JsonSchema } from '../../base/json.ts';
import { comparable, isJsonObject, type ExactJson } from './exactJson.ts';

/** Any JSON, its numbers as they are written. */
const json = z.unknown().transform((value) => value as ExactJson);
/** Any object, including a member `__proto__`, which zod's records drop. */
const object = z.unknown().refine(isJsonObject, 'must be an object').meta({ type: 'object' });
/** Any JSON, to compare with: whole numbers of any size, others as doubles. */
const wanted = json.transform(comparable).refine(isFinite, 'must hold no number beyond ±1.8e308');
/** A JSON Schema: whole numbers of any size, others as doubles. */
const schema = z
  .record(z.string(), json)
  .transform((value) => keepIntegers(value as JsonSchema))
  .refine(isFinite, 'must hold no number beyond ±1.8e308');
/** The name of a variable, as written between `{{` and `}}`. */
const variableName = z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/, 'must be letters, digits, _, - and ., at most 64');
const variables = named(json).refine((all) => Object.keys(all).length <= 500, 'must have at most 500 entries');
const path = z.string().min(1).max(2_000);
const ms = z.int().min(1).max(3_600_000);

/** Calls of one collection; more files than these are not read, and a problem says so. */
export const maxCalls = 2_000;

/** Comparisons of a value that a JSON path found. */
const pathOperators = [
  'equals',
  'notEquals',
  'contains',
  'matches',
  'exists',
  'type',
  'greaterThan',
  'atLeast',
  'lessThan',
  'atMost',
] as const;

const checks = ['status', 'softFailure', 'path', 'schema', 'duration'] as const;

/** One condition that a result must meet. */
export const assertionSchema = z.discriminatedUnion(
  'check',
  [
    /** `success`, `error` for any error, or the code of one error. */
    z.strictObject({ check: z.literal('status'), is: z.string().min(1).max(64) }),
    z.strictObject({ check: z.literal('softFailure'), is: z.boolean() }),
    z.strictObject({ check: z.literal('path'), path, op: z.enum(pathOperators), value: wanted.optional() }),
    z.strictObject({
      check: z.literal('schema'),
      schema: z.union([z.boolean(), schema], 'must be true, false or an object'),
    }),
    z
      .strictObject({
        check: z.literal('duration'),
        atMostMs: ms.optional(),
        atMostTimesMedian: z.number().min(1).max(1_000).optional(),
      })
      .refine(
        ({ atMostMs, atMostTimesMedian }) => (atMostMs === undefined) !== (atMostTimesMedian === undefined),
        'must have either atMostMs or atMostTimesMedian',
      ),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union' ? `must be one of ${checks.map((name) => `"${name}"`).join(', ')}` : undefined,
  },
);

/** `NAME.call.json`: one call. */
export const savedCallSchema = z.strictObject({
  $schema: z.string().max(2_000).optional(),
  name: z.string().min(1).max(200),
  description: z.string().max(10_000).optional(),
  /** `toolId_methodName`; may hold variables. */
  tool: z.string().min(1).max(1_024),
  arguments: object,
  timeoutMs: ms.optional(),
  /** Runs it without asking even if the tool is dangerous, in a collection that the user trusts. */
  confirm: z.boolean().optional(),
  /** Variables for the calls after it: a JSON path into the result by name. */
  extract: named(path)
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

export type Assertion = z.infer<typeof assertionSchema>;
export type SavedCall = z.infer<typeof savedCallSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type Environment = z.infer<typeof environmentSchema>;
/** Variables by name. */
export type Variables = Record<string, ExactJson>;

function isFinite(value: ExactJson): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || isExactNumber(value) || Object.values(value).every(isFinite);
}

/** Values by a variable's name. `__proto__` is not allowed, since zod's records drop it silently. */
function named<T extends z.ZodType>(value: T) {
  const record = z.record(variableName, value);
  const { type, propertyNames, additionalProperties } = z.toJSONSchema(record, { io: 'input', unrepresentable: 'any' });
  return z
    .unknown()
    .refine((all) => !isJsonObject(all) || !Object.hasOwn(all, '__proto__'), '__proto__ can be no name')
    .meta({ type, propertyNames, additionalProperties })
    .pipe(record);
}
