import type { ScriptIssue } from '../../../../src-core/contract/types.ts';
import type { JsonNode, Span } from '../../../ui/forms/json/jsonNode.ts';

/** Where an issue's field stands in the text; for a missing one, what should hold it. */
export function placeOf({ path }: ScriptIssue, root: JsonNode): Span {
  let node = root;
  for (const step of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    const next = stepInto(node, step);
    if (next === undefined) break;
    node = next;
  }
  return { start: node.start, end: node.end };
}

function stepInto(node: JsonNode, step: string): JsonNode | undefined {
  if (node.kind === 'array') return node.items[Number(step)];
  return node.kind === 'object' ? node.properties.findLast(({ key }) => key === step)?.value : undefined;
}
