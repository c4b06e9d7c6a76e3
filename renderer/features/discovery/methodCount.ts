import { formatCount } from '../../ui/format/formatCount.ts';
import { t } from '../../i18n/index.ts';

/** How many methods are listed: "12 methods", or "3 of 12 methods" if a search or a filter leaves some out. */
export function methodCount(listed: number, all: number): string {
  const n = formatCount(all);
  return listed === all
    ? t('discovery.methodCount', { n }, all)
    : t('discovery.someMethods', { n: formatCount(listed), all: n }, all);
}
