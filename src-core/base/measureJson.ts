/** Characters that count as much as one value: comparing and copying them takes about as long as one step. */
const charactersPerValue = 100;

/** The most that the arguments of a model's call may measure: reading and checking so much takes about 10 ms. */
export const maxForeignValues = 20_000;

/**
 * How much there is in a value: one for each value in it, itself included, and one for every 100 characters of its texts
 * and keys. Stops counting once it is more than `most`, so it ends for a value inside itself too.
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
