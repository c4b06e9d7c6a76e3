import type { ArgumentIssue } from '../../../../src-core/contract/types.ts';
import { wordEngine } from '../../../i18n/engine/wordEngine.ts';
import { t } from '../../../i18n/index.ts';
import type { LocalIssue } from '../check/localIssue.ts';
import { shorten } from '../../format/shorten.ts';
import { formatSample, formatShape } from '../values/formatSample.ts';
import { nearestChoice, wordNotChosen } from './choiceWords.ts';

/** A message under a field, with a one-click remedy if there is one. */
export interface FieldNote {
  message: string;
  /** Not an error, but information about the field's state. */
  hint?: boolean;
  remedy?: { word: string; json: string | undefined };
}

/** Formats a local issue. A remedy without JSON omits the field. */
export function wordIssue({ code, params, choice, remedy = nearestOf(choice) }: LocalIssue): FieldNote {
  const message = choice
    ? wordNotChosen(shorten(choice.value), choice.options)
    : code === 'format'
      ? wordFormat(String(params['format']))
      : t(
          `executor.issue.${code}`,
          code === 'type' ? { ...params, wanted: wordEngine(String(params['wanted'])) } : params,
          Number(params['length'] ?? params['count'] ?? 1),
        );
  if (remedy !== undefined)
    return { message, remedy: { word: t('executor.issue.use', { value: remedy }), json: remedy } };
  if (code === 'unknown') return { message, remedy: { word: t('executor.issue.remove'), json: undefined } };
  return { message };
}

function nearestOf(choice: LocalIssue['choice']): string | undefined {
  return choice && nearestChoice(choice.value, choice.options);
}

/** The message for a text of a wrong format; names the required one. */
function wordFormat(format: string): string {
  const sample = formatSample(format);
  if (sample === undefined || sample === '') return t('executor.issue.format', { format });
  const shape = formatShape(format);
  if (shape === undefined) return t('executor.issue.formatLike', { format, sample });
  return t('executor.issue.formatAs', { format, shape, sample });
}

/** The engine's own issue. */
export function wordEngineIssue(issue: ArgumentIssue): FieldNote {
  const { remedy } = issue;
  const message = wordEngine(withoutRemedy(issue));
  if (remedy === undefined) return { message };
  const json = JSON.stringify(remedy);
  return { message, remedy: { word: t('executor.issue.use', { value: json }), json } };
}

/** The message without its closing "Use 100.", because the remedy is a separate link here. */
function withoutRemedy({ message, remedy }: ArgumentIssue): string {
  if (remedy === undefined) return message;
  const closing = message.lastIndexOf(' Use ');
  return closing === -1 ? message : message.slice(0, closing);
}
