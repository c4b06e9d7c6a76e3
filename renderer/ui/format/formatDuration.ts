import { formatDuration as formatPlain } from '../../../src-core/base/formatDuration.ts';
import { language } from '../../i18n/index.ts';

const long: Record<string, string> = { h: '小时', m: '分', s: '秒' };

/** Milliseconds in the window's language: `0.42 ms`, `2.6 ms`, `184 ms`, `2.41 s`, `3 m 12 s` (`3分12秒`), `1 h 30 m` (`1小时30分`). */
export function formatDuration(ms: number): string {
  const text = formatPlain(ms);
  if (ms < 60_000 || language.value !== 'zh') return text;
  return text.replace(/ ([hms]) ?/g, (_, unit: string) => long[unit] ?? unit);
}
