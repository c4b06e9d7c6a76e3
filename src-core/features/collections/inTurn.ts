const last = new Map<string, Promise<unknown>>();

/** Does pieces of work of one name one after the other, in the order in which they were asked for; others do not wait. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(name);
  const mine = (async () => {
    await before?.catch(() => undefined); // Whoever asked for it hears of it.
    return work();
  })();
  last.set(name, mine);
  try {
    return await mine;
  } finally {
    if (last.get(name) === mine) last.delete(name);
  }
}
