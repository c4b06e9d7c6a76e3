import { isWhole } from './decimal.ts';
import type { JsonContent } from './jsonNode.ts';

/** The JSON Schema type of a value; a number without a fraction is `integer`. */
export function typeOfNode(
  node: JsonContent,
): 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null' {
  if (node.kind === 'number') return isWhole(node.raw) ? 'integer' : 'number';
  if (node.kind === 'word') return node.value === null ? 'null' : 'boolean';
  return node.kind;
}

/** The value as compact JSON, numbers as they were written. */
export function jsonOf(node: JsonContent): string {
  switch (node.kind) {
    case 'object':
      return `{${node.properties.map(({ key, value }) => `${JSON.stringify(key)}:${jsonOf(value)}`).join(',')}}`;
    case 'array':
      return `[${node.items.map(jsonOf).join(',')}]`;
    case 'string':
      return JSON.stringify(node.value);
    case 'number':
      return node.raw;
    case 'word':
      return String(node.value);
  }
}
