import { variableName } from '../../../src-core/base/variableName.ts';
import { t } from '../../i18n/index.ts';
import { visibleText } from '../../ui/format/visibleText.ts';
import { parseJsonText } from '../../ui/forms/json/parseJsonText.ts';

/** Why a text cannot be the name of a variable beside `others`; undefined if it can. */
export function problemOfName(name: string, others: readonly string[]): string | undefined {
  if (name.trim() === '') return t('saved.names.none');
  if (others.includes(name.trim())) return t('saved.names.taken');
  return variableName.test(name.trim()) ? undefined : t('saved.names.rule');
}

/** Why the members of a JSON object cannot all be variables; undefined if they can, or if it cannot be read. */
export function problemOfNames(json: string): string | undefined {
  const read = parseJsonText(json);
  if (!read.ok || read.root.kind !== 'object') return undefined;
  const wrong = read.root.properties.find(({ key }) => !variableName.test(key));
  if (wrong === undefined) return undefined;
  return `${t('saved.names.invalid', { name: visibleText(wrong.key) })} ${t('saved.names.rule')}`;
}
