import { t } from '../../../i18n/index.ts';

/** How a turn ended, in the language of the window; the code of the error if it failed. */
export function wordOutcome(outcome: string): string {
  const isNamed = outcome === 'answered' || outcome === 'running' || outcome === 'disconnected';
  return isNamed ? t(`gateway.turn.${outcome}`) : outcome;
}
