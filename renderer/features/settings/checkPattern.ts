import { t } from '../../i18n/index.ts';

const maxChars = 256;
const maxListed = 200;

/** Why the settings would reject a name for the list of tools that ask first; `undefined` if it is valid. */
export function checkPattern(pattern: string, listed: readonly string[]): string | undefined {
  if (pattern === '') return t('settings.askFirst.problem.empty');
  if (pattern.length > maxChars) return t('settings.askFirst.problem.long', { max: maxChars });
  if (listed.includes(pattern)) return t('settings.askFirst.problem.twice');
  return listed.length >= maxListed ? t('settings.askFirst.problem.full', { max: maxListed }) : undefined;
}
