import { language } from './index.ts';

/** Sorts by name in natural order: "Room 2" comes before "Room 10". Items with the same name are sorted by id. */
export function sortByName<T extends { id: string; name: string }>(items: readonly T[]): T[] {
  const { compare } = new Intl.Collator(language.value, { numeric: true, sensitivity: 'base' });
  return items.toSorted((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
}
