import { computed, type ComputedRef } from 'vue';

import { t } from '../../i18n/index.ts';
import { isUnfilled } from '../check/localIssue.ts';
import type { Field } from '../schema/fieldOf.ts';
import { wordEngineIssue, wordIssue, type FieldNote } from '../words/fieldMessage.ts';
import { useForm } from './formContext.ts';

/** What is to be said under a field, and the remedy on one press. */
export function useFieldNote(field: () => Field): {
  note: ComputedRef<FieldNote | undefined>;
  /** Something is wrong, and not only to be told. */
  wrong: ComputedRef<boolean>;
  mend: () => void;
} {
  const { args, showMissing, engineIssueAt } = useForm();

  const note = computed<FieldNote | undefined>(() => {
    const { path, required } = field();
    const local = args.issueAt(path);
    if (local !== undefined && (!isUnfilled(local) || showMissing.value)) return wordIssue(local);
    const engine = engineIssueAt(path);
    if (engine !== undefined) return wordEngineIssue(engine);
    if (local?.unfilled) return { ...wordIssue(local), hint: true };
    const open = !required && args.isOpen(path) && args.nodeAt(path) === undefined;
    return open ? { message: t('executor.args.emptyOpen'), hint: true } : undefined;
  });

  function mend(): void {
    const remedy = note.value?.remedy;
    if (remedy === undefined) return;
    if (remedy.json === undefined) args.leaveOut(field().path);
    else args.set(field().path, remedy.json);
  }

  return { note, wrong: computed(() => note.value !== undefined && note.value.hint !== true), mend };
}
