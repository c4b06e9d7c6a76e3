import type { OutputUnit } from '@cfworker/json-schema';

import { checkValue, createFitCheck, type FitCheck } from './checkValue.ts';
import { describeIssue, isScalar } from './describeIssue.ts';
import type { ArgumentIssue } from '../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../base/json.ts';
import { pathOf, schemaOfKeyword, toJsonPointer, valueAt } from './locateSchema.ts';
import { nearestNames } from '../base/nearestNames.ts';
import type { PreparedSchema } from './prepareSchema.ts';
import { schemaParameters } from './schemaParameters.ts';
import { schemaTypes } from './schemaTypes.ts';
import { showTypes, showValue } from './showValue.ts';
import { TooMuchWorkError, type WorkBudget } from '../base/workBudget.ts';

/** Keywords whose error only says that an inner one follows. */
const wrappers = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', '$ref', 'allOf', 'dependentSchemas', 'if'],
]);

/** Keywords whose error replaces those of its branches. */
const choices = new Set(['anyOf', 'oneOf', 'contains', 'not', 'propertyNames']);

/** Arguments as JSON, against the schema of their method. */
export interface ValidateArgumentsOptions {
  prepared: PreparedSchema;
  args: JsonObject;
  /** What the check may cost; `prepared.budgetFor(args)` unless set. */
  budget?: WorkBudget;
}

/** The arguments fit if `issues` is empty, as far as the schema could be used; `warnings` says how far. */
export interface ValidatedArguments {
  issues: ArgumentIssue[];
  warnings: string[];
  /** Set if the check did not end: why, as a clause. Then `issues` is empty, and nothing is known. */
  unchecked?: string;
}

const maximumIssues = 20;

/** Checks arguments and describes every issue: the parameter, what is wrong, and a value that would be accepted. Never throws. */
export function validateArguments({
  prepared,
  args,
  budget = prepared.budgetFor(args),
}: ValidateArgumentsOptions): ValidatedArguments {
  const warnings = [...prepared.warnings];
  const { errors, unchecked } = checkValue({ prepared, value: args, budget });
  if (unchecked !== undefined) return { issues: [], warnings, unchecked };
  if (errors.length === 0) return { issues: [], warnings };
  try {
    return { issues: budget.run(() => toIssues(errors, prepared, args, budget)), warnings };
  } catch (error) {
    if (!(error instanceof TooMuchWorkError)) throw error;
    return {
      issues: [issueAt([], 'The value does not fit the schema. Describing where would take too long.')],
      warnings,
    };
  }
}

function toIssues(
  errors: OutputUnit[],
  prepared: PreparedSchema,
  args: JsonObject,
  budget: WorkBudget,
): ArgumentIssue[] {
  const byPlace = new Map<string, ArgumentIssue>();
  const fits = createFitCheck(prepared, budget);
  for (const error of selectErrors(errors, maximumIssues)) {
    for (const issue of issuesOf(error, prepared, args, fits)) {
      // A value that is wrong in two ways is reported once: the first is the most general.
      if (!byPlace.has(issue.path)) byPlace.set(issue.path, issue);
    }
  }
  return [...byPlace.values()].slice(0, maximumIssues);
}

function issuesOf(error: OutputUnit, prepared: PreparedSchema, args: JsonObject, fits: FitCheck): ArgumentIssue[] {
  const path = pathOf(error.instanceLocation);
  const value = valueAt(args, path) ?? null;
  const schema = schemaOfKeyword(prepared, error.keywordLocation);
  if (error.keyword === 'required' && schema !== undefined) return missing(path, value, schema, prepared);
  if (error.keyword === 'false') return [notAllowed(path, prepared)];
  if (schema === undefined) return [issueAt(path, error.error)];
  const { message, proposal } = describeIssue({
    keyword: error.keyword,
    schema,
    value,
    lookup: prepared.lookup,
    fallback: error.error,
  });
  // A parameter's whole schema may ask for more than the one keyword that was not met.
  const part = (path.length === 1 ? schemaParameters(prepared).schemas.get(path[0] ?? '') : undefined) ?? schema;
  const remedy = isScalar(proposal) && fits(proposal, part) === true ? proposal : undefined;
  if (remedy === undefined) return [issueAt(path, message)];
  return [{ ...issueAt(path, `${message} Use ${showValue(remedy)}.`), remedy }];
}

function missing(path: string[], value: JsonValue, schema: JsonSchema, prepared: PreparedSchema): ArgumentIssue[] {
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const present = isJsonObject(value) ? value : {};
  return required
    .filter((name) => !Object.hasOwn(present, name))
    .map((name) => {
      const property = isJsonObject(schema.properties) ? schema.properties[name] : undefined;
      const wanted = showTypes(schemaTypes(property, prepared.lookup));
      return issueAt([...path, name], `"${name}" is missing. It is required: ${wanted}.`);
    });
}

function notAllowed(path: string[], prepared: PreparedSchema): ArgumentIssue {
  const name = path.at(-1) ?? '';
  const known = path.length === 1 ? [...schemaParameters(prepared).schemas.keys()] : [];
  return issueAt(path, known.includes(name) ? `"${name}" is not allowed.` : unknownParameter(name, known));
}

/** Words a parameter that the method does not name. */
export function unknownParameter(name: string, known: string[]): string {
  const [nearest] = nearestNames({ query: name, items: known, keysOf: (item) => [item], limit: 1 });
  const what = `${showValue(name)} is not a parameter here.`;
  if (nearest !== undefined) return `${what} Did you mean "${nearest}"?`;
  return known.length === 0 ? what : `${what} It has ${known.slice(0, 10).join(', ')}${known.length > 10 ? ' …' : ''}.`;
}

function issueAt(path: string[], message: string): ArgumentIssue {
  return { path: toJsonPointer(path), parameter: path[0] ?? '', message };
}

/**
 * The errors worth telling out of the validator's full list: causes instead of wrappers, and for a choice the errors of
 * the one branch that the value was meant for if its type shows which, otherwise the choice as a whole.
 */
function selectErrors(errors: OutputUnit[], limit: number): OutputUnit[] {
  const selected: OutputUnit[] = [];
  let at = 0;
  while (at < errors.length && selected.length < limit) {
    const error = errors[at] as OutputUnit;
    at += 1;
    if (choices.has(error.keyword)) {
      const start = at;
      while (at < errors.length && isUnder(error, errors[at] as OutputUnit)) at += 1;
      selected.push(...(selectBranch(error, errors.slice(start, at), limit) ?? [error]));
    } else if (!wrappers.has(error.keyword)) {
      selected.push(error);
    }
  }
  return selected.slice(0, limit);
}

function isUnder(choice: OutputUnit, error: OutputUnit): boolean {
  return error.keywordLocation.startsWith(`${choice.keywordLocation}/`);
}

function selectBranch(choice: OutputUnit, inner: OutputUnit[], limit: number): OutputUnit[] | undefined {
  const noneFits = choice.keyword === 'anyOf' || (choice.keyword === 'oneOf' && choice.error.includes('(0 matches)'));
  if (!noneFits) return undefined;
  const branches = new Map<string, OutputUnit[]>();
  for (const error of inner) {
    const branch = error.keywordLocation.slice(choice.keywordLocation.length + 1).split('/', 1)[0] ?? '';
    const known = branches.get(branch);
    if (known === undefined) branches.set(branch, [error]);
    else known.push(error);
  }
  const meant = [...branches.values()].filter((branch) => !branch.some((error) => rulesOut(error, choice)));
  const [only] = meant;
  return meant.length === 1 && only !== undefined ? selectErrors(only, limit) : undefined;
}

/** The branch is not for this value at all: another type or constant, nothing allowed, or another mark on the object. */
function rulesOut(error: OutputUnit, choice: OutputUnit): boolean {
  if (error.instanceLocation === choice.instanceLocation)
    return ['type', 'const', 'enum', 'false'].includes(error.keyword);
  const inner = error.instanceLocation.slice(choice.instanceLocation.length + 1);
  return error.keyword === 'const' && !inner.includes('/');
}
