import type { JsonObject, JsonValue } from '../base/json.ts';
import type { MethodParameter } from '../base/toolTypes.ts';
import { methodParameters } from './methodParameters.ts';

/** What a prompt's example passes for a parameter: its default, a listed value or a plain one of its type. */
export function exampleValue(parameter: MethodParameter): JsonValue {
  const { name, type, defaultValue, enum: values, minimum, maximum, properties = [] } = parameter;
  if (defaultValue !== undefined && defaultValue !== null) return defaultValue;
  if (values?.[0] !== undefined) return values[0];
  switch (type.split('|')[0]) {
    case 'integer':
    case 'number':
      return minimum ?? (maximum !== undefined && Number(JSON.stringify(maximum)) < 1 ? maximum : 1);
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return exampleObject(properties);
    case 'null':
      return null;
    default:
      return `<${name}>`;
  }
}

/** An example of each parameter that a tool needs. */
export function exampleArguments(inputSchema: unknown): JsonObject {
  return exampleObject(methodParameters(inputSchema));
}

function exampleObject(parameters: readonly MethodParameter[]): JsonObject {
  const needed = parameters.filter(({ required }) => required);
  return Object.fromEntries(needed.map((parameter) => [parameter.name, exampleValue(parameter)]));
}
