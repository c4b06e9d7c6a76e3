import { isJsonObject } from '../../base/json.ts';
import type { JsonValue } from '../../base/json.ts';
import { EventError } from './eventError.ts';
import { anything, checkFields, oneOf, required, text, wrongType } from './fields.ts';

/** A tool that a session offers. */
export interface OfferedTool {
  name: string;
}

const maxTools = 128;
const functionFields = { name: text(64), description: text(100_000), parameters: anything };
const flatFields = { type: oneOf('function'), ...functionFields };

/**
 * Reads `tools` of a session: flat with OpenAI, each in a `function` of its own with Qwen (spec/realtime.md).
 * @throws EventError naming the tool and its field
 */
export function readTools(value: JsonValue, param: string, shape: 'flat' | 'nested'): OfferedTool[] {
  if (!Array.isArray(value)) throw wrongType(param, 'an array');
  if (value.length > maxTools) {
    throw new EventError({
      code: 'array_above_max_length',
      message: `'${param}' has ${value.length} tools; the most is ${maxTools}.`,
      param,
    });
  }
  const names = value.map((tool, index) => {
    const at = `${param}[${index}]`;
    return shape === 'flat' ? readFlat(tool, at) : readNested(tool, at);
  });
  return names.map((name) => ({ name }));
}

function readFlat(tool: JsonValue, param: string): string {
  const read = isJsonObject(tool) ? tool : checkFields(tool, param, flatFields);
  // Before its fields: a tool that is nested misses its name, which says more than a strange field.
  const name = required(read, 'name', param);
  checkFields(read, param, flatFields);
  required(read, 'type', param);
  return checkName(name, `${param}.name`);
}

function readNested(tool: JsonValue, param: string): string {
  const outer = isJsonObject(tool) ? tool : checkFields(tool, param, {});
  const inner = required(outer, 'function', param);
  checkFields(outer, param, { type: oneOf('function'), function: anything });
  const read = checkFields(inner, `${param}.function`, { ...functionFields, strict: anything });
  return checkName(required(read, 'name', `${param}.function`), `${param}.function.name`);
}

function checkName(name: JsonValue, param: string): string {
  if (typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name)) return name;
  throw new EventError({
    code: 'invalid_value',
    message: `Invalid '${param}': a name is 1 to 64 of the letters a-z and A-Z, digits, "_" and "-".`,
    param,
  });
}
