import type { Reading } from './useParse.ts';

const openEnded: ReadonlySet<string> = new Set([
  'unclosed-block',
  'unclosed-value',
  'unclosed-fence',
  'unclosed-reasoning',
]);

/** Whether a problem of this code is none if the text goes on. */
export const isOpenEnded = (code: string): boolean => openEnded.has(code);

/** A reading of the first part of a text: what is open at its end is not a mistake yet. */
export function stillComing(reading: Reading): Reading & { partial: true } {
  const lastMarker = reading.regions.findLast(({ kind }) => kind === 'marker')?.start ?? 0;
  const diagnostics = reading.diagnostics.filter(({ code, start }) => !isOpenEnded(code) || start < lastMarker);
  return { ...reading, diagnostics, partial: true };
}
