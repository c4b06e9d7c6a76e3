import type { JsonContent } from '../json/jsonNode.ts';
import { isSameJson } from '../json/sameJson.ts';
import type { Choice } from '../schema/fieldOf.ts';

/**
 * For each option the place at which it stands in a list, or -1. Undefined where boxes could not show the list: it holds
 * something else, or one option twice.
 */
export function tickedChoice({ options }: Choice, list: JsonContent | undefined): number[] | undefined {
  const items = list?.kind === 'array' ? list.items : [];
  const places = options.map((option) => items.findIndex((item) => isSameJson(item, option)));
  const ticked = places.filter((place) => place !== -1);
  return ticked.length === items.length ? places : undefined;
}
