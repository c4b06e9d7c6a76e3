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
import { showValue, typeNames } from './showValue.ts';
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
  /** Whether a message proposes a value that would be accepted; true unless set. What a tool returned cannot be corrected. */
  proposes?: boolean;
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
  proposes = true,
}: ValidateArgumentsOptions): ValidatedArguments {
  const warnings = [...prepared.warnings];
  const { errors, unchecked } = checkValue({ prepared, value: args, budget });
  if (unchecked !== undefined) return { issues: [], warnings, unchecked };
  if (errors.length === 0) return { issues: [], warnings };
  try {
    return { issues: budget.run(() => toIssues(errors, { prepared, args, budget, proposes })), warnings };
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
  { prepared, args, budget, proposes }: Required<ValidateArgumentsOptions>,
): ArgumentIssue[] {
  const byPlace = new Map<string, ArgumentIssue>();
  const fits = proposes ? createFitCheck(prepared, budget) : undefined;
  for (const error of selectErrors(errors, maximumIssues)) {
    for (const issue of issuesOf(error, prepared, args, fits)) {
      // A value that is wrong in two ways is reported once: the first is the most general.
      if (!byPlace.has(issue.path)) byPlace.set(issue.path, issue);
    }
  }
  return [...byPlace.values()].slice(0, maximumIssues);
}

function issuesOf(
  error: Selected,
  prepared: PreparedSchema,
  args: JsonObject,
  fits: FitCheck | undefined,
): ArgumentIssue[] {
  const path = pathOf(error.instanceLocation);
  const value = valueAt(args, path) ?? null;
  const [first, ...others] = (error.among ?? [error.keywordLocation]).map((at) => schemaOfKeyword(prepared, at));
  const schema =
    others.length === 0 ? first : { enum: [first, ...others].flatMap((one) => one?.enum ?? one?.const ?? []) };
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
  const remedy = isScalar(proposal) && fits?.(proposal, part) === true ? proposal : undefined;
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
      const types = typeNames(schemaTypes(property, prepared.lookup)).join(' | ');
      return issueAt([...path, name], types === '' ? `"${name}" is required.` : `"${name}" is required (${types}).`);
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
  const what = `Unknown argument ${showValue(name)}.`;
  if (nearest !== undefined) return `${what} Did you mean "${nearest}"?`;
  return known.length === 0 ? what : `${what} It has ${known.slice(0, 10).join(', ')}${known.length > 10 ? ' …' : ''}.`;
}

function issueAt(path: string[], message: string): ArgumentIssue {
  return { path: toJsonPointer(path), parameter: path[0] ?? '', message };
}

/** An error worth telling. `among` is set if no branch has the value of a property: the locations of what they have. */
type Selected = OutputUnit & { among?: string[] };

/**
 * The errors worth telling out of the validator's full list: causes instead of wrappers, and for a choice the errors of
 * the branch that fits best, or the choice as a whole if nothing says which that is.
 */
function selectErrors(errors: OutputUnit[], limit: number): Selected[] {
  const selected: Selected[] = [];
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

/** The validator locates the schema `false` at the value; its error follows that of the keyword that holds it. */
function isUnder(choice: OutputUnit, error: OutputUnit): boolean {
  return error.keyword === 'false' || error.keywordLocation.startsWith(`${choice.keywordLocation}/`);
}

function selectBranch(choice: OutputUnit, inner: OutputUnit[], limit: number): Selected[] | undefined {
  const noneFits = choice.keyword === 'anyOf' || (choice.keyword === 'oneOf' && choice.error.includes('(0 matches)'));
  if (!noneFits) return undefined;
  let name = '';
  const branches = Map.groupBy(inner, ({ keyword, keywordLocation }) => {
    if (keyword !== 'false') name = keywordLocation.slice(choice.keywordLocation.length + 1).split('/', 1)[0] ?? '';
    return name;
  });
  const isHere = ({ instanceLocation }: OutputUnit): boolean => instanceLocation === choice.instanceLocation;
  // A branch for null is not what another value was meant for.
  const others = [...branches.values()].filter((branch) => !branch.some((error) => isHere(error) && isOfNull(error)));
  const ofType = others.filter((branch) => !branch.some((error) => isHere(error) && isOfType(error)));
  const marks = ofType.map((branch) => branch.find((error) => isMark(error, choice)));
  const mark = marks.every((one) => one?.instanceLocation === marks[0]?.instanceLocation) ? marks[0] : undefined;
  const isWhole = mark !== undefined && isHere(mark);
  if (mark && marks.length > 1 && (!isWhole || ofType.length === others.length))
    return [{ ...mark, keyword: 'enum', among: marks.flatMap((one) => one?.keywordLocation ?? []) }];
  if (isWhole && others.length > 1) return undefined;
  const told = ofType.map((branch) => selectErrors(branch, limit));
  const [best] = told.toSorted((a, b) => distance(a, choice) - distance(b, choice));
  const isVague = ofType.length > 1 && best?.every((error) => isHere(error) && error.keyword !== 'required');
  return isVague === true ? undefined : best;
}

const isOfType = ({ keyword }: OutputUnit): boolean => keyword === 'type' || keyword === 'false';
const isOfNull = ({ keyword, error }: OutputUnit): boolean => keyword === 'type' && error.endsWith(' "null".');

/** What tells branches apart, the value or a property of it (`kind: "circle"`), is another. */
function isMark({ instanceLocation, keyword }: OutputUnit, choice: OutputUnit): boolean {
  const inner = instanceLocation.slice(choice.instanceLocation.length + 1);
  return (keyword === 'const' || keyword === 'enum') && !inner.includes('/');
}

/** How far a value is from a branch: a value that tells branches apart says most about which was meant, a missing one least. */
function distance(errors: Selected[], choice: OutputUnit): number {
  const weights = errors.map((error) => {
    if (isMark(error, choice)) return 100;
    return error.keyword === 'required' ? 2 : error.keyword === 'false' ? 10 : 5;
  });
  return weights.reduce((sum, weight) => sum + weight, 0);
}
