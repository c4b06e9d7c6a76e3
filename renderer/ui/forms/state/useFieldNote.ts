import { computed, type ComputedRef } from 'vue';

import { t } from '../../../i18n/index.ts';
import { shorten } from '../../format/shorten.ts';
import { isUnfilled } from '../check/localIssue.ts';
import { pathKey } from '../json/jsonNode.ts';
import type { Field } from '../schema/fieldOf.ts';
import { wordEngineIssue, wordIssue, type FieldNote } from '../words/fieldMessage.ts';
import { useForm } from './formContext.ts';

/** The default of a required field is not sent automatically. It is offered as a remedy. */
function useDefault({ defaultValue }: Field): Pick<FieldNote, 'remedy'> {
  if (defaultValue === undefined) return {};
  const word = t('executor.issue.use', { value: shorten(JSON.stringify(defaultValue)) });
  return { remedy: { word, json: JSON.stringify(defaultValue, null, 2) } };
}

/** The message under a field, and its one-click remedy. */
export function useFieldNote(field: () => Field): {
  note: ComputedRef<FieldNote | undefined>;
  /** The note is an error, not only a hint. */
  wrong: ComputedRef<boolean>;
  mend: () => void;
} {
  const { args, showMissing, engineIssueAt } = useForm();

  const note = computed<FieldNote | undefined>(() => {
    const { path, required } = field();
    const local = args.issueAt(path);
    if (local !== undefined && (!isUnfilled(local) || showMissing.value))
      return { ...wordIssue(local), ...(local.code === 'required' ? useDefault(field()) : {}) };
    const engine = engineIssueAt(path);
    if (engine !== undefined) return wordEngineIssue(engine);
    if (local?.unfilled) return { ...wordIssue(local), hint: true };
    if (args.nodeAt(path) !== undefined) return undefined;
    if (required && field().defaultValue !== undefined)
      return { message: t('executor.args.defaultWaits'), hint: true, ...useDefault(field()) };
    const open = !required && args.isOpen(path) && !args.drafts.has(pathKey(path));
    return open ? { message: t('executor.args.emptyOpen'), hint: true } : undefined;
  });

  function mend(): void {
    const remedy = note.value?.remedy;
    if (remedy !== undefined) args.mend(field().path, remedy);
  }

  return { note, wrong: computed(() => note.value !== undefined && note.value.hint !== true), mend };
}
