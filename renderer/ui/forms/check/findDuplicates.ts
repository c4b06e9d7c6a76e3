import type { JsonContent, JsonPath } from '../json/jsonNode.ts';
import type { LocalIssue } from './localIssue.ts';

const maxFound = 50;

/** Keys that stand twice in an object, whatever its schema: readers of JSON take one of them and drop the other. */
export function findDuplicates(root: JsonContent): LocalIssue[] {
  const found: LocalIssue[] = [];

  function look(node: JsonContent, path: JsonPath): void {
    if (found.length >= maxFound) return;
    if (node.kind === 'array') for (const [at, item] of node.items.entries()) look(item, [...path, at]);
    if (node.kind !== 'object') return;
    const once = new Set<string>();
    for (const { key, value } of node.properties) {
      const at = [...path, key];
      if (once.has(key)) found.push({ path: at, code: 'duplicate', params: { name: key } });
      once.add(key);
      look(value, at);
    }
  }

  look(root, []);
  return found;
}
