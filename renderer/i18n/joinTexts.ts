import { language } from './index.ts';

/** Joins sentences as the window's language writes them: Chinese has no space after 。 */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(language.value === 'zh' ? '' : ' ');
}

/** Joins the items of a list, as in `a, b` or `a、b`. */
export function joinList(items: readonly string[]): string {
  return items.join(language.value === 'zh' ? '、' : ', ');
}

/** The first sentence of a text, as its headline, and the rest. */
export function splitHeadline(text: string): { headline: string; rest: string } {
  const end = /\. |。/.exec(text);
  const at = end === null ? text.length : end.index + 1;
  return { headline: text.slice(0, at), rest: text.slice(at).trimStart() };
}
