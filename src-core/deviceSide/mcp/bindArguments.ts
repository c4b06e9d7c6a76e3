import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { ToolArguments } from './mcpTool.ts';
import { isOfType, type PropertyValue } from './property.ts';
import type { PropertyList } from './propertyList.ts';

/**
 * Arguments by exact name and type, defaults filled in, extra ones left out.
 * @throws Error that names the argument and what would be right.
 */
export function bindArguments(properties: PropertyList, args: JsonValue | undefined): ToolArguments {
  if (args !== undefined && !isJsonObject(args)) throw new Error('"arguments" must be an object.');
  const given = args ?? {};
  const bound = Object.create(null) as Record<string, PropertyValue>;
  for (const property of properties) {
    const { name, type, defaultValue } = property;
    const value = Object.hasOwn(given, name) ? given[name] : defaultValue;
    if (value === undefined) throw new Error(`Missing required argument: ${name} (${type})`);
    if (!isOfType(type, value)) throw new Error(`Invalid type for argument ${name}: it must be of type ${type}`);
    const problem = property.rangeProblem(value);
    if (problem !== undefined) throw new Error(`Argument ${name} is out of range: ${problem}`);
    bound[name] = value;
  }
  return bound;
}
