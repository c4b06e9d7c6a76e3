import { language } from './index.ts';

/** In the order in which a person looks for a name: "Room 2" is before "Room 10". Those of one name are in the order of their ids. */
export function sortByName<T extends { id: string; name: string }>(items: readonly T[]): T[] {
  const { compare } = new Intl.Collator(language.value, { numeric: true, sensitivity: 'base' });
  return items.toSorted((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
}
