import type { ArgumentIssue } from '../base/errors.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { readArguments, type ReadArguments, type ReadArgumentsOptions } from './readArguments.ts';
import type { SchemaParameters } from './schemaParameters.ts';
import { typeOfJson, type JsonType } from './schemaTypes.ts';
import { showValue } from './showValue.ts';
import { unknownParameter } from './validateArguments.ts';

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
  /** As received. Absent if nothing was received. */
  raw?: JsonValue;
  /** As it is sent; for `default-not-sent` what the tool says it will use. */
  value?: JsonValue;
  /** The type that came, and the type that is sent. */
  from?: JsonType;
  to?: JsonType;
  message?: string;
}

/** Arguments ready to send, when and only when `issues` is empty, and what became of each. */
export interface ConvertedArguments extends Pick<ReadArguments, 'args' | 'issues' | 'warnings'> {
  conversions: ArgumentConversion[];
}

/** Unknown names for which a known one is looked up. */
const maximumHints = 20;

/** What `readArguments` makes of arguments, with a row for each. Never throws, whatever the schema is. */
export function convertArguments(options: ReadArgumentsOptions): ConvertedArguments {
  const read = readArguments(options);
  const { args, issues, warnings } = read;
  return { args, issues, warnings, conversions: conversionsOf(read) };
}

/** What became of each argument that was given, and of each that was not though the schema names it. */
export function conversionsOf({ args, given, allIssues, parameters }: ReadArguments): ArgumentConversion[] {
  const names = Object.keys(given).filter((parameter) => given[parameter] !== undefined);
  const rows = names.map((parameter): ArgumentConversion => {
    const value = args[parameter];
    if (value === undefined) return { parameter, status: 'invalid' };
    // Text alone is ever changed.
    const text = given[parameter];
    const raw = typeof text === 'string' ? text : value;
    const known = parameters.schemas.has(parameter) || isJsonObject(parameters.additional);
    const status = !known ? 'unknown' : raw === value ? 'ok' : 'converted';
    return { parameter, raw, value, from: typeOfJson(raw), to: typeOfJson(value), status };
  });
  return withMessages([...rows, ...notGiven(new Set(names), parameters)], allIssues, parameters);
}

function notGiven(given: ReadonlySet<string>, { schemas, required, names }: SchemaParameters): ArgumentConversion[] {
  const rows: ArgumentConversion[] = [];
  for (const parameter of names) {
    if (given.has(parameter)) continue;
    const schema = schemas.get(parameter) as JsonValue | undefined;
    const value = isJsonObject(schema) ? schema.default : undefined;
    if (required.has(parameter)) rows.push({ parameter, status: 'missing' });
    else if (value !== undefined) {
      rows.push({
        parameter,
        status: 'default-not-sent',
        value,
        message: `Not sent. Default in the schema: ${showValue(value)}.`,
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
  let hints = maximumHints;
  return rows.map((row) => {
    const issue = first.get(row.parameter);
    if (issue !== undefined)
      return {
        ...row,
        status: row.status === 'missing' ? 'missing' : 'invalid',
        message: issue.message,
      };
    if (row.status !== 'unknown' || hints === 0) return row;
    hints -= 1;
    return { ...row, message: unknownParameter(row.parameter, known) };
  });
}
