import type { ToolArguments } from '../../../../deviceSide/mcp/mcpTool.ts';
import type { Property, PropertyValue } from '../../../../deviceSide/mcp/property.ts';
import type { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import { isJsonObject, type JsonValue } from '../../../../base/json.ts';

/**
 * Arguments as py-xiaozhi takes them (docs/protocols/device-mcp.md): `true` is an integer, as in Python; what is not an
 * object holds no arguments; extra ones are ignored. Throws its own words.
 */
export function bindPythonArguments(properties: PropertyList, args: JsonValue | undefined): ToolArguments {
  const given = isJsonObject(args) ? args : {};
  const bound = Object.create(null) as Record<string, PropertyValue>;
  for (const property of properties) {
    const { name, defaultValue } = property;
    const value = Object.hasOwn(given, name) ? given[name] : defaultValue;
    if (value === undefined) throw new Error(`Missing required argument: ${name}`);
    if (!fits(property, value)) throw new Error(`Invalid type for property ${name}`);
    checkRange(Number(value), property);
    bound[name] = value;
  }
  return bound;
}

function fits({ type }: Property, value: JsonValue): value is PropertyValue {
  if (type === 'integer') return typeof value === 'boolean' || Number.isInteger(value);
  return typeof value === type;
}

function checkRange(value: number, { minimum, maximum }: Property): void {
  if (minimum !== undefined && value < minimum) throw new Error(`Value ${value} is below minimum allowed: ${minimum}`);
  if (maximum !== undefined && value > maximum) throw new Error(`Value ${value} exceeds maximum allowed: ${maximum}`);
}
