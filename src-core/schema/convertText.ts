import { cloneJson } from '../base/cloneJson.ts';
import { describeJsonFault } from '../base/describeJsonFault.ts';
import { maxForeignNumbers, parseExactly } from '../base/exactNumber.ts';
import type { JsonValue } from '../base/json.ts';
import { maxForeignValues, measureJson } from '../base/measureJson.ts';
import { TooManyNumbersError } from '../base/parseKeeping.ts';
import type { JsonType } from './schemaTypes.ts';

/** What a text can be read as. */
export interface TextReadings {
  /** The readings whose type is accepted, in the order in which they are to be tried. */
  values: JsonValue[];
  /** Why a reading that was meant is none, a sentence each. */
  problems: string[];
}

const tooManyValues = `The JSON has more than ${maxForeignValues} values. Send fewer of them.`;
const tooManyNumbers = `The JSON has more than ${maxForeignNumbers} numbers that cannot be read without rounding them. Send fewer of them.`;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads a text as the accepted types, strictly as JSON writes them and never by guessing: `50` is a number, `5abc`,
 * `0x10` and an empty text are not; only `true` and `false` are booleans. Numbers stay as they are written, but `50.0`
 * is 50 if only integers are accepted. In this order: the text itself if text (or anything) is accepted, null, boolean,
 * number, object or list.
 */
export function readText(text: string, types: ReadonlySet<JsonType>): TextReadings {
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
