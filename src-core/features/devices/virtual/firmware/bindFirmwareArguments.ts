import type { ToolArguments } from '../../../../deviceSide/mcp/mcpTool.ts';
import type { Property, PropertyValue } from '../../../../deviceSide/mcp/property.ts';
import type { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import { isJsonObject, type JsonValue } from '../../../../base/json.ts';
import { toInt32 } from './toInt32.ts';

/**
 * Arguments as the firmware takes them (docs/protocols/device-mcp.md): names without regard to case, numbers cut to
 * 32-bit integers, a wrong type the same as a missing one, extra ones ignored. Throws the firmware's own words.
 */
export function bindFirmwareArguments(properties: PropertyList, args: JsonValue | undefined): ToolArguments {
  const given = Object.entries(isJsonObject(args) ? args : {});
  const byName = new Map(given.map(([name, value]) => [name.toLowerCase(), value]));
  const bound = Object.create(null) as Record<string, PropertyValue>;
  for (const property of properties) {
    const value = read(property, byName.get(property.name.toLowerCase())) ?? property.defaultValue;
    if (value === undefined) throw new Error(`Missing valid argument: ${property.name}`);
    if (typeof value === 'number') checkRange(value, property);
    bound[property.name] = value;
  }
  return bound;
}

function read({ type }: Property, value: JsonValue | undefined): PropertyValue | undefined {
  if (type === 'integer') return typeof value === 'number' ? toInt32(value) : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function checkRange(value: number, { minimum, maximum }: Property): void {
  if (minimum !== undefined && value < minimum) throw new Error(`Value is below minimum allowed: ${minimum}`);
  if (maximum !== undefined && value > maximum) throw new Error(`Value exceeds maximum allowed: ${maximum}`);
}
