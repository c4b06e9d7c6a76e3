import { en } from '../../i18n/en/index.ts';
import { t } from '../../i18n/index.ts';
import { joinSentences } from '../../i18n/joinTexts.ts';

const reasons = Object.entries(en.errors.danger) as [keyof typeof en.errors.danger, string][];

/**
 * Why a call asks first, in the window's language: the engine's own sentences, then what the user's list says. A sentence
 * that a tool's author wrote is not translated.
 */
export function wordDanger(danger: string): string {
  const listed = /"[^"]*" is on your list of tools that ask first(?:, as "([^"]*)")?\.$/.exec(danger);
  let rest = (listed ? danger.slice(0, listed.index) : danger).trim();
  const parts: string[] = [];
  const steered =
    /^Text of this call occurs in an earlier result of "([^"]*)": that result may be steering the model\./.exec(rest);
  if (steered) {
    parts.push(t('errors.steered', { tool: steered[1] ?? '' }));
    rest = rest.slice(steered[0].length).trim();
  }
  for (;;) {
    const known = reasons.find(([, sentence]) => rest.startsWith(sentence));
    if (known === undefined) break;
    parts.push(t(`errors.danger.${known[0]}`));
    rest = rest.slice(known[1].length).trim();
  }
  const contains = /^It contains "(.*)", a word of dangerous calls\.$/.exec(rest);
  parts.push(contains ? t('errors.containsWords', { words: contains[1] ?? '' }) : rest);
  if (listed) {
    const pattern = listed[1];
    parts.push(pattern === undefined ? t('executor.askFirst.listed') : t('executor.askFirst.pattern', { pattern }));
  }
  return joinSentences(parts);
}
