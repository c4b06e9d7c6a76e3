import type { JsonSchema } from '../../../src-core/api/types.ts';
import { addSteps, compareNumbers } from '../json/decimal.ts';
import { numberOf } from '../schema/readKeyword.ts';

/** 0 where the limits allow it, else the number nearest to it that they allow. */
export function firstNumber(schema: JsonSchema): string {
  const step = String(numberOf(schema, 'multipleOf') ?? 1);
  const least = numberOf(schema, 'minimum');
  const most = numberOf(schema, 'maximum');
  const above = numberOf(schema, 'exclusiveMinimum');
  const below = numberOf(schema, 'exclusiveMaximum');
  if (least !== undefined && compareNumbers(String(least), '0') > 0) return String(least);
  if (above !== undefined && compareNumbers(String(above), '0') >= 0) return addSteps(String(above), step, 1) ?? '0';
  if (most !== undefined && compareNumbers(String(most), '0') < 0) return String(most);
  if (below !== undefined && compareNumbers(String(below), '0') <= 0) return addSteps(String(below), step, -1) ?? '0';
  return '0';
}
