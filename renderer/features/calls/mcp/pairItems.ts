import { stepText } from '../../../ui/json/stepText.ts';
import { propertyOf, type JsonContent } from '../../../ui/forms/json/jsonNode.ts';

/** Of the lists of MCP: the member that names an item, whatever its place. */
const names: Partial<Record<string, string>> = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
};

/** The step of its path, and an item of each list. */
type ItemPair = [step: string, one: JsonContent | undefined, other: JsonContent | undefined];

/** Two lists item by item: lists of MCP by name if each item has one of its own, others by index. `path` is that of the lists. */
export function pairItems(a: readonly JsonContent[], b: readonly JsonContent[], path: string): ItemPair[] {
  const member = names[/\.(\w+)$/.exec(path)?.[1] ?? ''];
  const named = member === undefined ? undefined : byName([a, b], member);
  if (named !== undefined) return [...named].map(([name, [one, other]]) => [`[${JSON.stringify(name)}]`, one, other]);
  return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => [stepText(at), a[at], b[at]]);
}

function byName(
  lists: readonly (readonly JsonContent[])[],
  member: string,
): Map<string, (JsonContent | undefined)[]> | undefined {
  const found = new Map<string, (JsonContent | undefined)[]>();
  for (const [side, items] of lists.entries()) {
    for (const item of items) {
      const name = item.kind === 'object' ? propertyOf(item, member)?.value : undefined;
      if (name?.kind !== 'string') return undefined;
      const pair = found.get(name.value) ?? [undefined, undefined];
      if (pair[side] !== undefined) return undefined;
      pair[side] = item;
      found.set(name.value, pair);
    }
  }
  return found;
}
