/** Characters that count as one value, because comparing and copying them takes about as long. */
const charactersPerValue = 100;

/** Largest size of the arguments of a model's call. Reading and checking arguments of this size takes about 10 ms. */
export const maxForeignValues = 20_000;

/**
 * The size of a value: one for each value in it, itself included, and one for every 100 characters of its texts and keys.
 * Stops counting once the size exceeds `most`, so it also ends for a value that contains itself.
 */
export function measureJson(value: unknown, most: number): number {
  const open = [value];
  let size = 0;
  while (open.length > 0 && size <= most) {
    const next = open.pop();
    size += 1;
    if (typeof next === 'string') size += next.length / charactersPerValue;
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      if (size + open.length + next.length > most) return most + 1;
      for (const item of next) open.push(item);
      continue;
    }
    for (const key in next) {
      if (size + open.length > most) return most + 1;
      size += key.length / charactersPerValue;
      open.push((next as Record<string, unknown>)[key]);
    }
  }
  return size;
}
