import type { JsonValue } from '../../../../src-core/contract/types.ts';
import { nearestNames } from '../../../../src-core/base/nearestNames.ts';
import { formatCount } from '../../format/formatCount.ts';
import { joinList } from '../../../i18n/joinTexts.ts';
import { language, t } from '../../../i18n/index.ts';
import { shorten } from '../../format/shorten.ts';

/** Values that a sentence names one by one. */
const maxNamed = 12;
/** Examples of more values than that. */
const maxExamples = 2;

/** Says that a value, as JSON, is none of the values of an `enum`. */
export function wordNotChosen(json: string, options: readonly JsonValue[]): string {
  if (options.length > maxNamed)
    return t('executor.issue.enumMany', {
      value: quoted(json),
      count: countOf(options),
      examples: examplesOf(options),
    }).trim();
  return t('executor.issue.enum', { value: json, options: joinList(options.map((option) => JSON.stringify(option))) });
}

/** Says how many values can be typed, with examples. */
export function wordChoices(options: readonly JsonValue[]): string {
  return t('executor.args.oneOfMany', { count: countOf(options), examples: examplesOf(options) });
}

/** The value that was probably meant, as JSON; undefined if none is like it. */
export function nearestChoice(json: string, options: readonly JsonValue[]): string | undefined {
  const items = options.map((option) => JSON.stringify(option)).filter((option) => !/^[[{n]/.test(option));
  const query = bare(json);
  return (
    items.find((item) => bare(item) === query) ??
    nearestNames({ query, items, keysOf: (item) => [bare(item)], limit: 1 }).at(0)
  );
}

function countOf({ length }: readonly JsonValue[]): string {
  return language.value === 'zh' ? String(length) : formatCount(length);
}

function examplesOf(options: readonly JsonValue[]): string {
  const examples = options.slice(0, maxExamples).map((option) => quoted(shorten(JSON.stringify(option))));
  // Chinese quotation marks separate their texts themselves.
  const isQuoted = examples.every((example) => example.startsWith('“'));
  return isQuoted ? examples.join('') : joinList(examples.map((example) => example.trim()));
}

/** A value in a sentence: in Chinese, texts have Chinese quotation marks, and other values a space on each side. */
function quoted(json: string): string {
  if (language.value !== 'zh') return json;
  return json.startsWith('"') ? `“${json.slice(1).replace(/"$/, '')}”` : ` ${json} `;
}

/** A text without its quotation marks. */
function bare(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}
