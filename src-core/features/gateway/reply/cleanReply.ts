import { speakMath } from './speakMath.ts';
import { speakSymbols } from './speakSymbols.ts';
import { speakTables } from './speakTables.ts';
import { stripMarkdown } from './stripMarkdown.ts';
import { stripPictographs } from './stripPictographs.ts';

/** Characters of an answer in which words are put for signs, which makes it longer: ten minutes of speech. */
const maxSpoken = 32 * 1024;

/**
 * A model's answer as it can be spoken: without pictographs, decoration and Markdown, with words for tables, formulas,
 * web addresses, units and signs (docs/protocols/gateway.md#replies). `stripReasoning` comes first. Takes time in
 * proportion to the text.
 */
export function cleanReply(text: string): string {
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
  const isShort = text.length <= maxSpoken;
  const prepared = isShort ? speakMath(speakTables(text, language), language) : text;
  const stripped = stripMarkdown(stripPictographs(prepared).replace(/\n{3,}/g, '\n\n'));
  return (isShort ? speakSymbols(stripped, language) : stripped)
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
