import { formatDuration as formatPlain } from '../../../src-core/base/formatDuration.ts';
import { t } from '../../i18n/index.ts';

/** Milliseconds in the window's language: `0.42 ms`, `184 ms`, `2.41 s`, `3 min 12 s`. */
export function formatDuration(ms: number): string {
  if (ms < 60_000) return formatPlain(ms);
  const seconds = Math.floor(ms / 1_000);
  return t('common.time.minutesSeconds', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}
