import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { addSteps, compareNumbers } from '../json/decimal.ts';
import { limitOf } from '../schema/readKeyword.ts';

/** Returns 0 if the limits allow it, otherwise the allowed number nearest to 0. */
export function firstNumber(schema: JsonSchema): string {
  const step = limitOf(schema, 'multipleOf') ?? '1';
  const least = limitOf(schema, 'minimum');
  const most = limitOf(schema, 'maximum');
  const above = limitOf(schema, 'exclusiveMinimum');
  const below = limitOf(schema, 'exclusiveMaximum');
  if (least !== undefined && compareNumbers(least, '0') > 0) return least;
  if (above !== undefined && compareNumbers(above, '0') >= 0) return addSteps(above, step, 1) ?? '0';
  if (most !== undefined && compareNumbers(most, '0') < 0) return most;
  if (below !== undefined && compareNumbers(below, '0') <= 0) return addSteps(below, step, -1) ?? '0';
  return '0';
}
