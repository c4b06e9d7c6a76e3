import { format as formats } from '@cfworker/json-schema';

import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { compareNumbers, isMultipleOf } from '../json/decimal.ts';
import type { JsonPath } from '../json/jsonNode.ts';
import { matchesSafely } from '../schema/matchesSafely.ts';
import { limitOf, numberOf, textOf } from '../schema/readKeyword.ts';
import type { Doubt } from './checkRun.ts';
import type { LocalIssue } from './localIssue.ts';

/** Range and step of a number, given as it is written: nothing is rounded. */
export function checkNumber(raw: string, schema: JsonSchema, path: JsonPath): LocalIssue[] {
  const against = (keyword: string): { limit: string; order: number } | undefined => {
    const limit = limitOf(schema, keyword);
    return limit === undefined ? undefined : { limit, order: compareNumbers(raw, limit) };
  };
  const issue = (code: LocalIssue['code'], limit: string, remedy?: string): LocalIssue[] => {
    const params = { value: raw, limit };
    return [{ path, code, params, ...(remedy === undefined ? {} : { remedy }) }];
  };
  const least = against('minimum');
  if (least !== undefined && least.order < 0) return issue('minimum', least.limit, least.limit);
  const most = against('maximum');
  if (most !== undefined && most.order > 0) return issue('maximum', most.limit, most.limit);
  const above = against('exclusiveMinimum');
  if (above !== undefined && above.order <= 0) return issue('exclusiveMinimum', above.limit);
  const below = against('exclusiveMaximum');
  if (below !== undefined && below.order >= 0) return issue('exclusiveMaximum', below.limit);
  const step = limitOf(schema, 'multipleOf');
  if (step === undefined || Number(step) <= 0 || isMultipleOf(raw, step)) return [];
  return [{ path, code: 'multipleOf', params: { value: raw, step } }];
}

/** A text longer than this has no format that is looked at while typing. */
const maxFormatted = 1_000;

/** Length of a string, in characters as people count them; its pattern and its format. Says in `doubt` what it left open. */
export function checkString(value: string, schema: JsonSchema, path: JsonPath, doubt?: Doubt): LocalIssue[] {
  const issues = readString(value, schema, path, doubt);
  return value === '' ? issues.map((issue) => ({ ...issue, unfilled: true })) : issues;
}

function readString(value: string, schema: JsonSchema, path: JsonPath, doubt?: Doubt): LocalIssue[] {
  const least = numberOf(schema, 'minLength');
  const most = numberOf(schema, 'maxLength');
  const length = least === undefined && most === undefined ? 0 : [...value].length;
  if (least !== undefined && length < least) return [{ path, code: 'minLength', params: { length, limit: least } }];
  if (most !== undefined && length > most) return [{ path, code: 'maxLength', params: { length, limit: most } }];
  const pattern = textOf(schema, 'pattern');
  if (pattern !== undefined) {
    const matches = matchesSafely(pattern, value, doubt?.budget);
    if (matches === false) return [{ path, code: 'pattern', params: { pattern } }];
    if (matches === undefined && doubt !== undefined) doubt.open = true;
  }
  const format = textOf(schema, 'format');
  if (format === undefined || !Object.hasOwn(formats, format)) return [];
  if (value.length > maxFormatted) {
    if (doubt !== undefined) doubt.open = true;
    return [];
  }
  // The engine's own table: both say the same of a format.
  return formats[format]?.(value) === false ? [{ path, code: 'format', params: { format } }] : [];
}
