import { visibleText } from '../../ui/format/visibleText.ts';
import { t } from '../../i18n/index.ts';
import type { TextEdit } from './applyEdits.ts';
import type { Reading } from './useParse.ts';

/** Characters of a text that the title of a fix names. */
const maxNamed = 40;

/** The words for a fix of a single short edit. */
export function wordChange(text: string, [edit, ...others]: readonly TextEdit[]): string | undefined {
  if (edit === undefined || others.length > 0 || edit.end - edit.start > maxNamed) return undefined;
  const [old, next] = [text.slice(edit.start, edit.end), edit.newText].map((part) => visibleText(part));
  if (!old || next === undefined || next.length > maxNamed) return undefined;
  if (next === '') return t('parser.problems.remove', { old });
  // “：” and “:” may look alike.
  const isNarrowed = old !== next && old.normalize('NFKC') === next;
  return t(isNarrowed ? 'parser.problems.narrow' : 'parser.problems.replace', { old, next });
}

/** A name as the text has it: within the quotes of JSON. */
export function writtenName({ dialect }: Reading, name: string): string {
  return dialect === 'json' ? JSON.stringify(name).slice(1, -1) : name;
}
