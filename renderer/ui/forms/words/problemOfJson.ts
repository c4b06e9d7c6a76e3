import { t } from '../../../i18n/index.ts';
import { parseJsonText } from '../json/parseJsonText.ts';
import { wordProblem } from './wordProblem.ts';

/**
 * What is wrong with a text as JSON, with its line and column; undefined if nothing is. With `object`, the value must be an
 * object, and an empty text is one.
 */
export function problemOfJson(text: string, { object = false }: { object?: boolean } = {}): string | undefined {
  if (object && text.trim() === '') return undefined;
  const read = parseJsonText(text);
  if (!read.ok) return wordProblem(read.problem);
  return object && read.root.kind !== 'object' ? t('saved.json.notObject') : undefined;
}
