import { queryWords } from '../../search/matchWords.ts';
import { nodeAt, type JsonContent } from '../json/jsonNode.ts';
import type { Field } from '../schema/fieldOf.ts';

/** Required fields first, then those that have a value, then the others; each group in the schema's order. */
export function urgentFirst(fields: readonly Field[], root: JsonContent): Field[] {
  const rank = ({ required, path }: Field): number => (required ? 0 : nodeAt(root, path) === undefined ? 2 : 1);
  return fields.toSorted((a, b) => rank(a) - rank(b));
}

/** Fields whose name or description has every word of a query. */
export function findFields(fields: readonly Field[], query: string): readonly Field[] {
  const words = queryWords(query);
  if (words.length === 0) return fields;
  return fields.filter(({ name, description = '' }) => {
    const text = `${name}\n${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
