import type { ArgumentIssue } from '../../../../src-core/api/types.ts';
import { t } from '../../../i18n/index.ts';
import type { LocalIssue } from '../schema/checkArguments.ts';

/** A message under a field, with its one-click remedy where there is one. */
export interface FieldNote {
  message: string;
  remedy?: { word: string; json: string | undefined };
}

/** Words a local issue. A remedy without JSON means: leave the field out. */
export function wordIssue({ code, params, remedy }: LocalIssue): FieldNote {
  const message = t(`executor.issue.${code}`, params);
  if (remedy !== undefined) return { message, remedy: { word: t('executor.issue.use', { value: remedy }), json: remedy } };
  if (code === 'unknown') return { message, remedy: { word: t('executor.issue.remove'), json: undefined } };
  return { message };
}

/** The engine's own issue, in its words. */
export function wordEngineIssue({ message, remedy }: ArgumentIssue): FieldNote {
  if (remedy === undefined) return { message };
  const json = JSON.stringify(remedy);
  return { message, remedy: { word: t('executor.issue.use', { value: json }), json } };
}
