import { formatCount } from '../../ui/format/formatCount.ts';
import { t } from '../../i18n/index.ts';
import type { Reading } from './useParse.ts';

/** As wide as a digit. */
export const figureSpace = '\u2007';

/** How many are shown: `500`, or `500 of 13,000` if a bounded reading leaves some out. */
export function countOf(shown: number, omitted = 0): string {
  if (omitted === 0) return formatCount(shown);
  return t('parser.countOf', { shown: formatCount(shown), all: formatCount(shown + omitted) });
}

/** Calls, and what looks like one, that a bounded reading leaves out. */
export function omittedCards({ omitted }: Pick<Reading, 'omitted'>): number {
  return (omitted?.calls ?? 0) + (omitted?.refused ?? 0);
}
