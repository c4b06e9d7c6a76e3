import { en } from '../i18n/en/index.ts';
import { t } from '../i18n/index.ts';

const reasons = Object.entries(en.errors.danger) as [keyof typeof en.errors.danger, string][];

/**
 * Why a call asks first, in the window's language: the engine's own sentences are worded, also where the person's list
 * comes after them; what a tool's author wrote stays as it is.
 */
export function wordDanger(danger: string): string {
  const listed = /"[^"]*" is on your list of tools that ask first(?:, as "([^"]*)")?\.$/.exec(danger);
  const own = (listed ? danger.slice(0, listed.index) : danger).trim();
  const known = reasons.find(([, sentence]) => sentence === own);
  const parts = [known === undefined ? own : t(`errors.danger.${known[0]}`)];
  if (listed) {
    const pattern = listed[1];
    parts.push(pattern === undefined ? t('executor.askFirst.listed') : t('executor.askFirst.pattern', { pattern }));
  }
  return parts.filter((part) => part !== '').join(' ');
}
