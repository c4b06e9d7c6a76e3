import { createFitCheck, type FitCheck } from './checkValue.ts';
import { cloneJson } from './cloneJson.ts';
import { readText } from './convertText.ts';
import type { ArgumentIssue } from './errors.ts';
import { createJsonObject, isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from './json.ts';
import { toJsonPointer } from './locateSchema.ts';
import { prepareSchema, type PreparedSchema } from './prepareSchema.ts';
import { schemaParameters, type SchemaParameters } from './schemaParameters.ts';
import { schemaTypes, typeOfJson, type JsonType } from './schemaTypes.ts';
import { showValue } from './showValue.ts';
import { unknownParameter, validateArguments } from './validateArguments.ts';

/** What became of one argument, or of one that was not given. */
export type ArgumentStatus =
  | 'ok' // sent as it came
  | 'converted' // a text became another type
  | 'invalid' // see the issue of the same parameter
  | 'unknown' // the schema does not name it; sent all the same
  | 'missing' // required, and not there
  | 'default-not-sent'; // left out; the tool uses its own default

/** One row of the parser's preview: raw, converted, verdict. */
export interface ArgumentConversion {
  parameter: string;
  status: ArgumentStatus;
  /** As it came. Absent where nothing came. */
  raw?: JsonValue;
  /** As it is sent; for `default-not-sent` what the tool says it will use. */
  value?: JsonValue;
  /** The type that came, and the type that is sent. */
  from?: JsonType;
  to?: JsonType;
  message?: string;
}

/** Issues that are told, and unknown names for which a known one is looked up. */
const maximumIssues = 20;

/** Where arguments come from: a protocol's text, where every value is a string, or JSON, where none is coerced. */
export type ArgumentSource = 'text' | 'json';

/** Arguments by name, as they came, and the JSON Schema that they are to fit; neither is trusted. */
export interface ConvertArgumentsOptions {
  args: Readonly<Record<string, unknown>>;
  inputSchema: unknown;
  source: ArgumentSource;
}

/** Arguments ready to send, when and only when `issues` is empty. */
export interface ConvertedArguments {
  /** With a null prototype; `__proto__` and the like are plain data. */
  args: JsonObject;
  conversions: ArgumentConversion[];
  issues: ArgumentIssue[];
  /** What of the schema could not be used, so that less was checked than it says. */
  warnings: string[];
}

/**
 * Turns arguments into what the method takes and checks them: the one place for it, shared by the executor and the
 * parser's preview (spec/vcp.md §7). A string from text becomes the type that its parameter's schema accepts (`readText`
 * has the rules and the order; of several readings the first that fits the schema counts, and text stays text where text
 * is accepted). Defaults are never sent unasked (spec/xiaozhi.md §2). Never throws, whatever the schema is.
 */
export function convertArguments({ args, inputSchema, source }: ConvertArgumentsOptions): ConvertedArguments {
  const prepared = prepareSchema(inputSchema);
  const parameters = schemaParameters(prepared);
  const converted = createJsonObject();
  const conversions: ArgumentConversion[] = [];
  const problems = new Map<string, ArgumentIssue>();
  const fits = createFitCheck(prepared);
  let nodes = 1;

  for (const parameter of Object.keys(args)) {
    const given = args[parameter];
    if (given === undefined) continue;
    const cloned = parameter.isWellFormed()
      ? cloneJson(given)
      : { problem: 'the name holds half a character', path: [] };
    if ('problem' in cloned) {
      const path = toJsonPointer([parameter, ...cloned.path]);
      problems.set(parameter, { path, parameter, message: `This cannot be sent: ${cloned.problem}.` });
      conversions.push({ parameter, status: 'invalid' });
      continue;
    }
    nodes += cloned.nodes;
    const raw = cloned.value;
    const schema = parameters.schemas.get(parameter) ?? parameters.additional;
    const { value, problem } =
      source === 'text' && typeof raw === 'string' ? fromText(raw, schema, prepared, fits) : { value: raw };
    if (problem !== undefined)
      problems.set(parameter, { path: toJsonPointer([parameter]), parameter, message: problem });
    converted[parameter] = value;
    const known = parameters.schemas.has(parameter) || isJsonObject(parameters.additional);
    const status = !known ? 'unknown' : raw === value ? 'ok' : 'converted';
    conversions.push({ parameter, raw, value, from: typeOfJson(raw), to: typeOfJson(value), status });
  }
  const isGiven = (parameter: string): boolean => Object.hasOwn(converted, parameter) || problems.has(parameter);
  conversions.push(...notGiven(isGiven, parameters));

  const { issues: found, warnings } = validateArguments({ prepared, args: converted, nodes });
  // What went wrong in reading says more than that the text then has the wrong type.
  const issues = [...problems.values(), ...found.filter((issue) => !problems.has(issue.parameter))];
  return {
    args: converted,
    conversions: withMessages(conversions, issues, parameters),
    issues: issues.slice(0, maximumIssues),
    warnings,
  };
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

function notGiven(
  isGiven: (parameter: string) => boolean,
  { schemas, required, names }: SchemaParameters,
): ArgumentConversion[] {
  const rows: ArgumentConversion[] = [];
  for (const parameter of names) {
    if (isGiven(parameter)) continue;
    const schema = schemas.get(parameter) as JsonValue | undefined;
    const value = isJsonObject(schema) ? schema.default : undefined;
    if (required.has(parameter)) rows.push({ parameter, status: 'missing' });
    else if (value !== undefined) {
      rows.push({
        parameter,
        status: 'default-not-sent',
        value,
        message: `Not sent. The tool uses ${showValue(value)}.`,
      });
    }
  }
  return rows;
}

/** Rows of parameters with an issue say so, with their first issue; unknown ones get the nearest known name. */
function withMessages(
  rows: ArgumentConversion[],
  issues: ArgumentIssue[],
  parameters: SchemaParameters,
): ArgumentConversion[] {
  if (issues.length === 0 && !rows.some((row) => row.status === 'unknown')) return rows;
  const first = new Map(issues.toReversed().map((issue) => [issue.parameter, issue]));
  const known = [...parameters.schemas.keys()];
  let hints = maximumIssues;
  return rows.map((row) => {
    const issue = first.get(row.parameter);
    if (issue !== undefined)
      return { ...row, status: row.status === 'missing' ? 'missing' : 'invalid', message: issue.message };
    if (row.status !== 'unknown' || hints === 0) return row;
    hints -= 1;
    return { ...row, message: unknownParameter(row.parameter, known) };
  });
}
