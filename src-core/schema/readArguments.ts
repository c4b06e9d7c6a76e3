import { createFitCheck, type FitCheck } from './checkValue.ts';
import { cloneJson } from '../base/cloneJson.ts';
import type { ArgumentIssue } from '../base/errors.ts';
import { createJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../base/json.ts';
import { toJsonPointer } from './locateSchema.ts';
import { prepareSchema, type PreparedSchema } from './prepareSchema.ts';
import { schemaParameters, type SchemaParameters } from './schemaParameters.ts';
import { schemaTypes, type JsonType } from './schemaTypes.ts';
import { validateArguments } from './validateArguments.ts';
import type { WorkBudget } from '../base/workBudget.ts';
import { describeJsonFault } from '../base/describeJsonFault.ts';
import { maxForeignNumbers, parseExactly } from '../base/exactNumber.ts';
import { maxForeignValues, measureJson } from '../base/measureJson.ts';
import { TooManyNumbersError } from '../base/parseKeeping.ts';

const tooManyValues = `The JSON has more than ${maxForeignValues} values. Send fewer of them.`;

const tooManyNumbers = `The JSON has more than ${maxForeignNumbers} numbers that cannot be read without rounding them. Send fewer of them.`;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The origin of arguments: a protocol's text, in which every value is a string, or JSON, in which none is coerced. */
export type ArgumentSource = 'text' | 'json';

/** Arguments by name, as they came, and the JSON Schema that they are to fit; neither is trusted. */
export interface ReadArgumentsOptions {
  args: Readonly<Record<string, unknown>>;
  inputSchema: unknown;
  source: ArgumentSource;
  /** What reading and checking may cost; a limit for this thread unless set. */
  budget?: WorkBudget;
}

/** Arguments ready to send, when and only when `issues` is empty. */
export interface ReadArguments {
  /** With a null prototype; `__proto__` and the like are plain data. */
  args: JsonObject;
  issues: ArgumentIssue[];
  /** The check did not end; then `issues` says why, and the call is refused. */
  unchecked: boolean;
  /** The check did not end within its budget. It may end in a process of the pool (`checkFully.ts`). */
  isTooMuchWork: boolean;
  /** What of the schema could not be used, so that less was checked than it says. */
  warnings: string[];
  /** What came, itself, and all that is known of it: for `conversionsOf`. */
  given: Readonly<Record<string, unknown>>;
  allIssues: ArgumentIssue[];
  parameters: SchemaParameters;
}

/** Issues that are told. */
const maximumIssues = 20;

/**
 * Turns arguments into what the method takes and checks them: the one place for it, shared by the executor and the
 * parser's preview. A string from text becomes the type that its parameter's schema accepts (`readText` has the rules
 * and the order; of several readings the first that fits the schema counts, and text stays text if text is accepted).
 * Defaults are never sent unasked. Never throws, whatever the schema is.
 */
export function readArguments(options: ReadArgumentsOptions): ReadArguments {
  const { args, inputSchema, source } = options;
  const prepared = prepareSchema(inputSchema);
  const parameters = schemaParameters(prepared);
  const { budget = prepared.budgetFor(args) } = options;
  const fits = source === 'text' ? createFitCheck(prepared, budget) : undefined;
  const converted = createJsonObject();
  const problems: ArgumentIssue[] = [];

  for (const parameter of Object.keys(args)) {
    const value = args[parameter];
    if (value === undefined) continue;
    const cloned = parameter.isWellFormed()
      ? cloneJson(value)
      : { problem: 'the name contains an incomplete character', path: [] };
    if ('problem' in cloned) {
      const path = toJsonPointer([parameter, ...cloned.path]);
      problems.push({ path, parameter, message: `This cannot be sent: ${cloned.problem}.` });
      continue;
    }
    const raw = cloned.value;
    if (fits === undefined || typeof raw !== 'string') {
      converted[parameter] = raw;
      continue;
    }
    const read = fromText(raw, parameters.schemas.get(parameter) ?? parameters.additional, prepared, fits);
    converted[parameter] = read.value;
    if (read.problem !== undefined)
      problems.push({ path: toJsonPointer([parameter]), parameter, message: read.problem });
  }

  const { issues, warnings, unchecked } = validateArguments({ prepared, args: converted, budget });
  if (unchecked !== undefined)
    problems.push({
      path: '',
      parameter: '',
      message: `The arguments were not checked against the inputSchema: ${unchecked}. Send less, or simplify the inputSchema.`,
    });
  const allIssues = problems.length === 0 ? issues : withProblems(problems, issues);
  return {
    args: converted,
    issues: allIssues.slice(0, maximumIssues),
    unchecked: unchecked !== undefined,
    isTooMuchWork: budget.isSpent,
    warnings,
    given: args,
    allIssues,
    parameters,
  };
}

/** What went wrong in reading says more than that the text then has the wrong type. */
function withProblems(problems: ArgumentIssue[], issues: ArgumentIssue[]): ArgumentIssue[] {
  const unread = new Set(problems.map(({ parameter }) => parameter));
  return [...problems, ...issues.filter(({ parameter }) => !unread.has(parameter))];
}

function fromText(
  raw: string,
  schema: JsonSchema | boolean,
  prepared: PreparedSchema,
  fits: FitCheck,
): { value: JsonValue; problem?: string | undefined } {
  const { values, problems } = readText(raw, schemaTypes(schema, prepared.lookup));
  const [first = raw, ...others] = values;
  if (others.length === 0) return { value: first, problem: values.length === 0 ? problems[0] : undefined };
  return { value: values.find((value) => fits(value, schema) === true) ?? first };
}

/** What a text can be read as. */
interface TextReadings {
  /** The readings whose type is accepted, in the order in which they are to be tried. */
  values: JsonValue[];
  /** Why a reading that was meant is none, a sentence each. */
  problems: string[];
}

/**
 * Reads a text as the accepted types, strictly as JSON writes them and never by guessing: `50` is a number, `5abc`,
 * `0x10` and an empty text are not; only `true` and `false` are booleans. Numbers stay as they are written, but `50.0`
 * is 50 if only integers are accepted. In this order: the text itself if text (or anything) is accepted, null, boolean,
 * number, object or list.
 */
function readText(text: string, types: ReadonlySet<JsonType>): TextReadings {
  const trimmed = text.trim();
  const values: JsonValue[] = [];
  const problems: string[] = [];
  if (types.size === 0 || types.has('string')) values.push(text);
  if (types.has('null') && trimmed === 'null') values.push(null);
  if (types.has('boolean') && (trimmed === 'true' || trimmed === 'false')) values.push(trimmed === 'true');
  if ((types.has('integer') || types.has('number')) && jsonNumber.test(trimmed))
    values.push(types.has('number') ? parseExactly(trimmed) : readWhole(trimmed));
  if (types.has('object') || types.has('array')) readStructure(trimmed, types, values, problems);
  return { values, problems };
}

/** Firmware may know `50` and not `50.0`. */
function readWhole(text: string): JsonValue {
  const value = Number(text);
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : parseExactly(text);
}

function readStructure(text: string, types: ReadonlySet<JsonType>, values: JsonValue[], problems: string[]): void {
  const wanted = text.startsWith('{') ? 'object' : text.startsWith('[') ? 'array' : undefined;
  if (wanted === undefined || !types.has(wanted)) return;
  try {
    const value = parseExactly(text, { most: maxForeignNumbers });
    if (measureJson(value, maxForeignValues) > maxForeignValues) {
      problems.push(tooManyValues);
      return;
    }
    const cloned = cloneJson(value);
    if ('problem' in cloned) problems.push(`The JSON cannot be used: ${cloned.problem}.`);
    else values.push(cloned.value);
  } catch (error) {
    if (error instanceof TooManyNumbersError) problems.push(tooManyNumbers);
    else problems.push(`This is not valid JSON: ${describeJsonFault(text, error)}.`);
  }
}
