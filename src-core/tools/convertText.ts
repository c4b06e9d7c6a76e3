import { parse as parseExactly } from 'lossless-json';
import { cloneJson } from './cloneJson.ts';
import { describeThrown } from './describeThrown.ts';
import type { JsonValue } from './json.ts';
import type { JsonType } from './schemaTypes.ts';

/** What a text can be read as. */
export interface TextReadings {
  /** The readings whose type is accepted, in the order in which they are to be tried. */
  values: JsonValue[];
  /** Why a reading that was meant is none, a sentence each. */
  problems: string[];
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const wholeNumber = /^-?\d+$/;
const limit = Number.MAX_SAFE_INTEGER;

/**
 * Reads a text as the accepted types, strictly as JSON writes them and never by guessing: `50` is a number, `5abc`,
 * `0x10` and an empty text are not; only `true` and `false` are booleans. In this order: the text itself where text (or
 * anything) is accepted, null, boolean, number, object or list.
 */
export function readText(text: string, types: ReadonlySet<JsonType>): TextReadings {
  const trimmed = text.trim();
  const values: JsonValue[] = [];
  const problems: string[] = [];
  if (types.size === 0 || types.has('string')) values.push(text);
  if (types.has('null') && trimmed === 'null') values.push(null);
  if (types.has('boolean') && (trimmed === 'true' || trimmed === 'false')) values.push(trimmed === 'true');
  if ((types.has('integer') || types.has('number')) && jsonNumber.test(trimmed)) {
    const problem = numberProblem(trimmed);
    if (problem === undefined) values.push(Number(trimmed));
    else problems.push(problem);
  }
  if (types.has('object') || types.has('array')) readStructure(trimmed, types, values, problems);
  return { values, problems };
}

function numberProblem(text: string): string | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return `${shorten(text)} is larger than any number that can be sent.`;
  if (!wholeNumber.test(text) || Number.isSafeInteger(value)) return undefined;
  return `${shorten(text)} cannot be sent exactly: whole numbers are exact only from -${limit} to ${limit}.`;
}

function readStructure(text: string, types: ReadonlySet<JsonType>, values: JsonValue[], problems: string[]): void {
  const wanted = text.startsWith('{') ? 'object' : text.startsWith('[') ? 'array' : undefined;
  if (wanted === undefined || !types.has(wanted)) return;
  try {
    const cloned = cloneJson(JSON.parse(text));
    const problem = 'problem' in cloned ? `The JSON cannot be used: ${cloned.problem}.` : roundingProblem(text);
    if (problem !== undefined) problems.push(problem);
    else if ('value' in cloned) values.push(cloned.value);
  } catch (error) {
    problems.push(`This is not valid JSON: ${describeThrown(error)}.`);
  }
}

/** What is wrong with the first whole number in a JSON text that reading would round. */
function roundingProblem(json: string): string | undefined {
  // Fewer digits are always exact; the exact reader is slower, so it only reads where there are more.
  if (!/\d{16}/.test(json)) return undefined;
  let problem: string | undefined;
  parseExactly(json, null, {
    parseNumber: (number) => {
      problem ??= numberProblem(number);
      return 0;
    },
    onDuplicateKey: ({ newValue }) => newValue,
  });
  return problem;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
