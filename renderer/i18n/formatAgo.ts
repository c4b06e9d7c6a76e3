import { t } from './index.ts';

/** A stretch of time in its largest unit, `14 min`, in the window's language. */
export function formatAgo(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return t('common.time.seconds', { n: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t('common.time.minutes', { n: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? t('common.time.hours', { n: hours }) : t('common.time.days', { n: Math.floor(hours / 24) });
}

/** How long ago something was, `14 min ago`, in the window's language. */
export function formatPast(ms: number): string {
  return ms < 1_000 ? t('common.time.now') : t('common.time.ago', { time: formatAgo(ms) });
}
