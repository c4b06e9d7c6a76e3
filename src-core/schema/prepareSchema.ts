import { dereference, type Schema } from '@cfworker/json-schema';
import { cleanSchema } from './cleanSchema.ts';
import { describeThrown } from '../base/describeThrown.ts';
import { roundExact } from '../base/exactNumber.ts';
import { createJsonObject, type JsonSchema } from '../base/json.ts';
import { measureJson } from '../base/measureJson.ts';
import { createWorkBudget, smallWork, unlimitedWork, type WorkBudget } from '../base/workBudget.ts';

/** An untrusted schema, made safe to read and to validate with. */
export interface PreparedSchema {
  /** A copy with every known keyword well-formed and every `$ref` resolvable; objects have a null prototype. */
  readonly root: JsonSchema;
  /** What was left out, and why: a sentence each. */
  readonly warnings: readonly string[];
  /** Set if the schema is too large to read: why, as a clause. Then `root` is empty, and nothing can be checked. */
  readonly problem?: string;
  /** A budget for the work with this schema on a value: limited unless schemas × values are few. */
  readonly budgetFor: (value: unknown) => WorkBudget;
  /** There are numbers in it that no double holds (`exactNumber.ts`). */
  readonly hasExact: boolean;
  /** The validator's table of references. Undefined if it could not be made; then nothing can be checked. */
  readonly lookup: SchemaLookup | undefined;
}

/** The schemas of a document by absolute URI. */
export type SchemaLookup = Record<string, Schema | boolean>;

/** Reading a schema takes time in proportion to its size (`measureJson`): some 20 ms for so much. */
const maximumSize = 20_000;

const prepared = new WeakMap<object, PreparedSchema>();

/** Prepares a schema once an object; the same object returns the same result. Accepts any value, never throws. */
export function prepareSchema(schema: unknown): PreparedSchema {
  if (typeof schema !== 'object' || schema === null) return prepare(schema);
  const present = prepared.get(schema);
  if (present !== undefined) return present;
  const made = prepare(schema);
  prepared.set(schema, made);
  return made;
}

function prepare(schema: unknown): PreparedSchema {
  if (measureJson(schema, maximumSize) <= maximumSize) return prepareParts(schema);
  return {
    root: createJsonObject(),
    warnings: [`The schema is too large; nothing can be checked with it. Keep it below ${maximumSize} values.`],
    problem: `the schema has more than ${maximumSize} values`,
    hasExact: false,
    lookup: undefined,
    budgetFor: () => unlimitedWork,
  };
}

function prepareParts(schema: unknown): PreparedSchema {
  const { root, warnings, references, isSlow } = cleanSchema(schema);
  const weight = measureJson(root, smallWork);
  const budgetFor = (value: unknown): WorkBudget => {
    const most = smallWork / weight;
    return !isSlow && measureJson(value, most) <= most ? unlimitedWork : createWorkBudget();
  };
  const hasExact = roundExact(root) !== root;
  const { type } = root;
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) {
    warnings.push(
      `The schema says ${JSON.stringify(type)}, but arguments are always an object; its type is not checked.`,
    );
    delete root.type;
  }
  try {
    const lookup = references.length === 0 ? {} : dereference(root);
    for (const { holder, location } of references) {
      if (followReference(holder, lookup) !== undefined) continue;
      warnings.push(
        `${location}: the reference ${JSON.stringify(holder.$ref)} has no target in this schema and is not checked.`,
      );
      delete holder.$ref;
    }
    return { root, warnings, hasExact, lookup, budgetFor };
  } catch (error) {
    // The validator's own checks: one URI twice, a reference that is not a URI.
    warnings.push(`The schema cannot be used to check arguments: ${describeThrown(error)}`);
    return { root, warnings, hasExact, lookup: undefined, budgetFor };
  }
}

/** The target of a prepared schema's `$ref`; undefined if it has none or the target does not exist. */
export function followReference(
  schema: JsonSchema,
  lookup: SchemaLookup | undefined,
): JsonSchema | boolean | undefined {
  // Set by the validator's `dereference`, beside every `$ref` it saw.
  const uri = schema.$ref === undefined ? undefined : schema.__absolute_ref__;
  return typeof uri === 'string' ? lookup?.[uri] : undefined;
}
