import { describeJsonFault } from '../base/describeJsonFault.ts';
import { ToolError } from '../base/errors.ts';
import { isExactNumber, maxForeignNumbers, parseExactly } from '../base/exactNumber.ts';
import { isJsonObject } from '../base/json.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { TooManyNumbersError } from '../base/parseKeeping.ts';

/**
 * The arguments object in a JSON text; empty text is no arguments. Numbers stay as they are written (`exactNumber.ts`), up
 * to the wire.
 * @throws ToolError `invalid-arguments`. The message states the position of the JSON error, or the type found instead of an object.
 */
export function parseArgsJson(text: string): JsonObject {
  if (text.trim() === '') return {};
  let value: JsonValue;
  try {
    value = parseExactly(text, { most: maxForeignNumbers });
  } catch (error) {
    if (error instanceof TooManyNumbersError)
      throw invalid(
        `The arguments have more than ${maxForeignNumbers} numbers that cannot be read without rounding them. Send fewer of them.`,
      );
    throw invalid(
      `The arguments are not valid JSON: ${describeJsonFault(text, error)}. Write an object, such as {"volume": 50}.`,
    );
  }
  if (isJsonObject(value)) return value;
  const what = Array.isArray(value)
    ? 'an array'
    : value === null
      ? 'null'
      : `a ${isExactNumber(value) ? 'number' : typeof value}`;
  throw invalid(`The arguments are ${what}. Write an object, such as {"volume": 50}.`);
}

function invalid(message: string): ToolError {
  return new ToolError('invalid-arguments', message, { issues: [{ path: '', parameter: '', message }] });
}
