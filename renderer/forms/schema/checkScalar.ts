import type { JsonSchema } from '../../../src-core/api/types.ts';
import type { JsonPath } from '../json/jsonNode.ts';
import type { LocalIssue } from './localIssue.ts';
import { numberOf } from './schemaView.ts';

/** Range and step of a number, given as it is written. */
export function checkNumber(raw: string, schema: JsonSchema, path: JsonPath): LocalIssue[] {
  const value = Number(raw);
  const minimum = numberOf(schema, 'minimum');
  const maximum = numberOf(schema, 'maximum');
  const above = numberOf(schema, 'exclusiveMinimum');
  const below = numberOf(schema, 'exclusiveMaximum');
  const step = numberOf(schema, 'multipleOf');
  if (minimum !== undefined && value < minimum) {
    return [{ path, code: 'minimum', params: { value: raw, limit: minimum }, remedy: String(minimum) }];
  }
  if (maximum !== undefined && value > maximum) {
    return [{ path, code: 'maximum', params: { value: raw, limit: maximum }, remedy: String(maximum) }];
  }
  if (above !== undefined && value <= above) {
    return [{ path, code: 'exclusiveMinimum', params: { value: raw, limit: above } }];
  }
  if (below !== undefined && value >= below) {
    return [{ path, code: 'exclusiveMaximum', params: { value: raw, limit: below } }];
  }
  if (step !== undefined && step > 0 && !isMultiple(value, step)) {
    return [{ path, code: 'multipleOf', params: { value: raw, step } }];
  }
  return [];
}

/** Length of a string, in characters as people count them. */
export function checkString(value: string, schema: JsonSchema, path: JsonPath): LocalIssue[] {
  const least = numberOf(schema, 'minLength');
  const most = numberOf(schema, 'maxLength');
  if (least === undefined && most === undefined) return [];
  const length = [...value].length;
  if (least !== undefined && length < least) return [{ path, code: 'minLength', params: { length, limit: least } }];
  if (most !== undefined && length > most) return [{ path, code: 'maxLength', params: { length, limit: most } }];
  return [];
}

function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}
