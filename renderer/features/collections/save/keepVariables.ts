import { propertyOf, type JsonNode } from '../../../ui/forms/json/jsonNode.ts';
import { indentJson } from '../../../ui/forms/json/indentJson.ts';
import { jsonOf } from '../../../ui/forms/json/nodeFacts.ts';
import { parseJsonText } from '../../../ui/forms/json/parseJsonText.ts';

/**
 * The arguments in the form, with the variables of the saved call they came from: what is still as the variables `gave` it stays as
 * it is `saved`, all else is as it stands `now`. JSON texts; what cannot be read is taken as it stands now.
 */
export function keepVariables({ saved, gave, now }: { saved: string; gave: string; now: string }): string {
  const [from, filled, form] = [parseJsonText(saved), parseJsonText(gave), parseJsonText(now)];
  return from.ok && filled.ok && form.ok ? indentJson(merge(from.root, filled.root, form.root)) : now;
}

function merge(saved: JsonNode | undefined, gave: JsonNode | undefined, now: JsonNode): string {
  if (saved === undefined || gave === undefined) return jsonOf(now);
  if (jsonOf(gave) === jsonOf(now)) return jsonOf(saved);
  if (saved.kind === 'object' && gave.kind === 'object' && now.kind === 'object') {
    const members = now.properties.map(({ key, value }) => {
      const merged = merge(propertyOf(saved, key)?.value, propertyOf(gave, key)?.value, value);
      return `${JSON.stringify(key)}:${merged}`;
    });
    return `{${members.join(',')}}`;
  }
  if (saved.kind === 'array' && gave.kind === 'array' && now.kind === 'array')
    return `[${now.items.map((item, at) => merge(saved.items[at], gave.items[at], item)).join(',')}]`;
  return jsonOf(now);
}
