import type { JsonContent } from '../json/jsonNode.ts';
import { isSameJson } from '../json/sameJson.ts';
import type { Choice } from '../schema/fieldOf.ts';

/**
 * Returns the index of each option in a list, or -1. Returns undefined if checkboxes cannot represent the list, because
 * it has another value or an option twice.
 */
export function tickedChoice({ options }: Choice, list: JsonContent | undefined): number[] | undefined {
  const items = list?.kind === 'array' ? list.items : [];
  const places = options.map((option) => items.findIndex((item) => isSameJson(item, option)));
  const ticked = places.filter((place) => place !== -1);
  return ticked.length === items.length ? places : undefined;
}
