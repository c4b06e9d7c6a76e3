import type { JsonValue } from '../../../../src-core/contract/types.ts';
import { compareNumbers } from './decimal.ts';
import { isExactNumber, numberText } from './exactNumber.ts';
import { propertyOf, type JsonContent } from './jsonNode.ts';

/** Whether a value in the text is the one a schema names; `1.0` is 1, and the order of keys does not count. */
export function isSameJson(node: JsonContent, value: JsonValue): boolean {
  switch (node.kind) {
    case 'string':
    case 'word':
      return node.value === value;
    case 'number': {
      const text = numberText(value);
      return text !== undefined && compareNumbers(node.raw, text) === 0;
    }
    case 'array':
      return (
        Array.isArray(value) &&
        value.length === node.items.length &&
        node.items.every((item, at) => isSameJson(item, value[at] ?? null))
      );
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || isExactNumber(value)) return false;
      const keys = Object.keys(value);
      const names = new Set(node.properties.map(({ key }) => key));
      return (
        names.size === keys.length &&
        keys.every((key) => {
          const property = propertyOf(node, key);
          return property !== undefined && isSameJson(property.value, value[key] ?? null);
        })
      );
    }
  }
}
