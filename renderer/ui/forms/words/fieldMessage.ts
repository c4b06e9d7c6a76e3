import type { ArgumentIssue } from '../../../../src-core/contract/types.ts';
import { nearestNames } from '../../../../src-core/base/nearestNames.ts';
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
  remedy?: Remedy;
}

/** Sets the field to `json`, renames it, or omits it. */
export interface Remedy {
  word: string;
  json?: string;
  name?: string;
}

/** Formats a local issue. */
export function wordIssue({ code, params, choice, known = [], remedy = nearestOf(choice) }: LocalIssue): FieldNote {
  const message = choice
    ? wordNotChosen(shorten(choice.value), choice.options)
    : code === 'format'
      ? wordFormat(String(params['format']))
      : code === 'type'
        ? wordEngine(typeSentence(String(params['value']), String(params['wanted']), remedy !== undefined))
        : t(`executor.issue.${code}`, params, Number(params['length'] ?? params['count'] ?? 1));
  if (remedy !== undefined)
    return { message, remedy: { word: t('executor.issue.use', { value: remedy }), json: remedy } };
  const meant = code === 'unknown' ? nearestName(String(params['name']), known) : undefined;
  if (meant !== undefined)
    return { message, remedy: { word: t('executor.issue.rename', { name: meant }), name: meant } };
  if (code === 'unknown') return { message, remedy: { word: t('executor.issue.remove') } };
  return { message };
}

/** The name that was probably meant by an unknown one. */
function nearestName(query: string, items: readonly string[]): string | undefined {
  return nearestNames({ query, items, keysOf: (item) => [item], limit: 1, least: 0.6 })[0];
}

/** The sentence of the engine's own check. */
function typeSentence(value: string, wanted: string, isConvertible: boolean): string {
  if (value === '""') return `The value is empty, not ${wanted}.`;
  return `${value} is ${isConvertible && value.startsWith('"') ? 'a string, ' : ''}not ${wanted}.`;
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
