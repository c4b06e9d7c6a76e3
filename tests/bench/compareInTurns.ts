/** ms of one act of each side, and the ratio of both, each as the median over the turns. */
export interface Comparison {
  ours: number;
  peer: number;
  ratio: number;
}

/** What is measured. It may return what is to be done after it, which is not measured. */
type Act = () => Promise<unknown>;

const warmUpTurns = 3;

/** Two sides do the same `times` a turn, one after the other; each turn begins with the other side. */
export async function compareInTurns(options: {
  turns: number;
  times: number;
  ours: Act;
  peer: Act;
}): Promise<Comparison> {
  const { turns, times } = options;
  const found: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] };
  for (let turn = 0; turn < warmUpTurns + turns; turn += 1) {
    const sides = turn % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const);
    for (const side of sides) {
      const ms = await measure(options[side], times);
      if (turn >= warmUpTurns) found[side].push(ms);
    }
  }
  const ratios = found.ours.map((ms, turn) => ms / (found.peer[turn] ?? NaN));
  return { ours: median(found.ours), peer: median(found.peer), ratio: median(ratios) };
}

/** How often `compareInRounds` compares. */
export const rounds = 5;

/** The comparison with the median ratio of several, one after the other. */
export async function compareInRounds(compare: () => Promise<Comparison>): Promise<Comparison> {
  const found: Comparison[] = [];
  while (found.length < rounds) found.push(await compare());
  return found.toSorted((one, other) => one.ratio - other.ratio)[rounds >> 1] as Comparison;
}

/** The median ms of an act. */
async function measure(act: Act, times: number): Promise<number> {
  const found: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const begun = performance.now();
    const after = await act();
    found.push(performance.now() - begun);
    if (typeof after === 'function') await (after as () => Promise<void>)();
  }
  return median(found);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? NaN;
}
