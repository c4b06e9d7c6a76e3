import { propertyOf, type JsonContent } from './jsonNode.ts';

/**
 * `now`, with every part that says the same as in `before` taken from there: whoever holds on to a part sees by its
 * identity whether it changed. A form of 500 fields draws the one anew that was typed in.
 */
export function shareContent(before: JsonContent | undefined, now: JsonContent): JsonContent {
  if (before === undefined || before.kind !== now.kind) return now;
  switch (now.kind) {
    case 'object': {
      if (before.kind !== 'object') return now;
      const old = before.properties;
      const properties = now.properties.map(({ key, value }, at) => {
        const same = old[at]?.key === key ? old[at] : propertyOf(before, key);
        const shared = shareContent(same?.value, value);
        return same !== undefined && same.value === shared ? same : { key, value: shared };
      });
      const unchanged = properties.length === old.length && properties.every((property, at) => property === old[at]);
      return unchanged ? before : { kind: 'object', properties };
    }
    case 'array': {
      if (before.kind !== 'array') return now;
      const items = now.items.map((item, at) => shareContent(before.items[at], item));
      const unchanged = items.length === before.items.length && items.every((item, at) => item === before.items[at]);
      return unchanged ? before : { kind: 'array', items };
    }
    case 'number':
      return before.kind === 'number' && before.raw === now.raw ? before : now;
    case 'string':
    case 'word':
      return 'value' in before && before.value === now.value ? before : now;
  }
}
