import { language } from '../../i18n/index.ts';

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** Epoch ms as the local time of day, `12:41:07`. */
export function formatTime(epochMs: number): string {
  const at = new Date(epochMs);
  return `${pad(at.getHours(), 2)}:${pad(at.getMinutes(), 2)}:${pad(at.getSeconds(), 2)}`;
}

/** Epoch ms as the local time of day with milliseconds, `12:41:07.192`. */
export function formatTimeMs(epochMs: number): string {
  return `${formatTime(epochMs)}.${pad(new Date(epochMs).getMilliseconds(), 3)}`;
}

/** Epoch ms as the local time of day, with the date unless it is today. */
export function formatWhen(epochMs: number): string {
  const isToday = new Date(epochMs).toDateString() === new Date().toDateString();
  return isToday ? formatTime(epochMs) : formatDateTime(epochMs);
}

/** Epoch ms as the local date and time of day in the window's language, `Nov 23, 2026 12:41:07`. */
export function formatDateTime(epochMs: number): string {
  const tag = language.value === 'zh' ? 'zh-CN' : 'en-US';
  return `${new Date(epochMs).toLocaleDateString(tag, { dateStyle: 'medium' })} ${formatTime(epochMs)}`;
}
