import type { JsonValue } from '../../tools/json.ts';
import type { PropertyType, PropertyValue, VirtualProperty } from './profile.ts';

const int32 = { lowest: -(2 ** 31), highest: 2 ** 31 - 1 };

/**
 * Arguments as the firmware takes them (spec/xiaozhi.md §1.4): names without regard to case, numbers cut to 32-bit
 * integers, a wrong type the same as a missing one, extra ones ignored. Throws the firmware's own words.
 */
export function bindArguments(
  properties: readonly VirtualProperty[],
  given: { [name: string]: JsonValue },
): Record<string, PropertyValue> {
  const byName = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const bound: Record<string, PropertyValue> = {};
  for (const property of properties) {
    const value = read(property.type, byName.get(property.name.toLowerCase())) ?? property.defaultValue;
    if (value === undefined) throw new Error(`Missing valid argument: ${property.name}`);
    if (typeof value === 'number') checkRange(value, property);
    bound[property.name] = value;
  }
  return bound;
}

function read(type: PropertyType, value: JsonValue | undefined): PropertyValue | undefined {
  if (type === 'integer') {
    if (typeof value !== 'number') return undefined;
    return Math.min(int32.highest, Math.max(int32.lowest, Math.trunc(value)));
  }
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function checkRange(value: number, { minimum, maximum }: VirtualProperty): void {
  if (minimum !== undefined && value < minimum) throw new Error(`Value is below minimum allowed: ${minimum}`);
  if (maximum !== undefined && value > maximum) throw new Error(`Value exceeds maximum allowed: ${maximum}`);
}
