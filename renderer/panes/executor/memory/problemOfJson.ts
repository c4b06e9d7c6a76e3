import { parseJsonText } from '../../../forms/json/parseJsonText.ts';
import { wordProblem } from '../../../forms/words/wordProblem.ts';
import { t } from '../../../i18n/index.ts';

/** What is wrong with a text as JSON, in words; undefined where nothing is. With `object` nothing else will do; no text at all is an empty one. */
export function problemOfJson(text: string, { object = false }: { object?: boolean } = {}): string | undefined {
  if (object && text.trim() === '') return undefined;
  const read = parseJsonText(text);
  if (!read.ok) return wordProblem(read.problem);
  return object && read.root.kind !== 'object' ? t('saved.json.notObject') : undefined;
}
