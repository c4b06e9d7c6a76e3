import { dereference, type Schema } from '@cfworker/json-schema';
import { cleanSchema, slowKeywords } from './cleanSchema.ts';
import { describeThrown } from './describeThrown.ts';
import { roundExact } from './exactNumber.ts';
import type { JsonSchema } from './json.ts';

/** An untrusted schema, made safe to read and to validate with. */
export interface PreparedSchema {
  /** A copy with every known keyword well-formed and every `$ref` resolvable; objects have a null prototype. */
  readonly root: JsonSchema;
  /** What was left out, and why: a sentence each. */
  readonly warnings: readonly string[];
  /** True where checking may take long: regular expressions, references, comparisons of all with all. */
  readonly needsDeadline: boolean;
  /** There are numbers in it that no double holds (`exactNumber.ts`). */
  readonly hasExact: boolean;
  /** The validator's table of references. Undefined where it could not be made; then nothing can be checked. */
  readonly lookup: SchemaLookup | undefined;
  /** The same without the keywords that can take long: for when a check with them did not end. Made when asked for. */
  readonly withoutSlowKeywords: () => PreparedSchema;
}

/** The schemas of a document by absolute URI. */
export type SchemaLookup = Record<string, Schema | boolean>;

const prepared = new WeakMap<object, PreparedSchema>();

/** Prepares a schema once an object; the same object gives the same result. Takes anything at all, never throws. */
export function prepareSchema(schema: unknown): PreparedSchema {
  if (typeof schema !== 'object' || schema === null) return prepare(schema);
  const present = prepared.get(schema);
  if (present !== undefined) return present;
  const made = prepare(schema);
  prepared.set(schema, made);
  return made;
}

function prepare(schema: unknown, omit?: ReadonlySet<string>): PreparedSchema {
  const { root, warnings, references, needsDeadline } = cleanSchema(schema, omit);
  const withoutSlowKeywords = (): PreparedSchema => prepare(schema, slowKeywords);
  const hasExact = roundExact(root) !== root;
  const { type } = root;
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) {
    warnings.push(
      `The schema says ${JSON.stringify(type)}, but arguments are always an object; its type is not checked.`,
    );
    delete root.type;
  }
  try {
    const lookup: SchemaLookup = dereference(root);
    for (const { holder, location } of references) {
      if (followReference(holder, lookup) !== undefined) continue;
      warnings.push(
        `${location}: the reference ${JSON.stringify(holder.$ref)} leads nowhere in this schema; it is not checked.`,
      );
      delete holder.$ref;
    }
    return { root, warnings, needsDeadline, hasExact, lookup, withoutSlowKeywords };
  } catch (error) {
    // The validator's own checks: one URI twice, a reference that is no URI.
    warnings.push(`The schema cannot be used to check arguments: ${describeThrown(error)}`);
    return { root, warnings, needsDeadline, hasExact, lookup: undefined, withoutSlowKeywords };
  }
}

/** What the `$ref` of a prepared schema stands for; undefined where it has none or nothing is there. */
export function followReference(
  schema: JsonSchema,
  lookup: SchemaLookup | undefined,
): JsonSchema | boolean | undefined {
  // Set by the validator's `dereference`, beside every `$ref` it saw.
  const uri = schema.$ref === undefined ? undefined : schema.__absolute_ref__;
  return typeof uri === 'string' ? lookup?.[uri] : undefined;
}
