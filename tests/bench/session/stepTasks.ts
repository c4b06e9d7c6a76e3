import type { Row } from '../watchTasks.ts';

/** The longest task of each step: the first time, when code loads, and in all rounds after. */
export class StepTasks {
  readonly #first = new Map<string, Row>();
  readonly #later = new Map<string, Row>();

  note(row: Row, round: number): void {
    const kept = round === 0 ? this.#first : this.#later;
    const before = kept.get(row.what)?.['longest task, ms of processor'] ?? -1;
    if (row['longest task, ms of processor'] > before) kept.set(row.what, row);
  }

  rows(): Record<string, string | number>[] {
    const shown = (row: Row | undefined): string =>
      row === undefined
        ? ''
        : `${row['longest task, ms of processor']} (${row['of them collecting']}; ${row['longest task, ms']})`;
    return [...this.#first.values()].map((row) => ({
      step: row.what,
      'first time, ms of processor (of them collecting garbage; by the clock)': shown(row),
      'later, ms of processor (of them collecting garbage; by the clock)': shown(this.#later.get(row.what)),
    }));
  }
}
