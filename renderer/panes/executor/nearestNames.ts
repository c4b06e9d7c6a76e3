/** The registered names that a typed one most likely means, best first. */
export function nearestNames(typed: string, names: readonly string[], limit: number): string[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return [];
  const scored = names.map((name) => ({ name, score: score(wanted, name.toLowerCase()) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Prefix over substring over words in order over letters in common. */
function score(wanted: string, name: string): number {
  if (name === wanted) return 1_000;
  if (name.startsWith(wanted)) return 900 - name.length / 10;
  if (name.includes(wanted)) return 800 - name.length / 10;
  const words = wanted.split(/[\s._-]+/).filter((word) => word !== '');
  if (words.length > 0 && words.every((word) => name.includes(word))) return 700 - name.length / 10;
  const common = pairsInCommon(wanted, name);
  return common > 0.35 ? common * 500 : 0;
}

/** Share of neighbouring letter pairs that both have (Dice's coefficient). */
function pairsInCommon(a: string, b: string): number {
  const left = pairs(a);
  const right = pairs(b);
  if (left.length === 0 || right.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const pair of left) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of right) {
    const count = counts.get(pair) ?? 0;
    if (count === 0) continue;
    counts.set(pair, count - 1);
    shared += 1;
  }
  return (2 * shared) / (left.length + right.length);
}

function pairs(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
}
