import { describe, expect, test } from 'vitest';
import { checkValue } from '../../../src-core/schema/checkValue.ts';
import type { JsonObject, JsonValue } from '../../../src-core/base/json.ts';
import { prepareSchema } from '../../../src-core/schema/prepareSchema.ts';
import { createWorkBudget } from '../../../src-core/base/workBudget.ts';
import { filterOperators, filterSchema } from '../../helpers/filterSchema.ts';

const filter = (depth: number, field: JsonValue): JsonObject =>
  depth === 0 ? { op: 'eq', field } : { op: filterOperators[depth % 6] ?? '', args: [filter(depth - 1, field)] };

describe.each([false, true])('kinds within kinds, their mark last: %s', (markLast) => {
  const prepared = prepareSchema(filterSchema({ markLast }));

  test('are checked many levels deep', () => {
    // No limit that a slow machine could meet: all of each kind would be 7 to the power of 20 looks.
    const budget = createWorkBudget(20_000);
    expect(checkValue({ prepared, budget, value: { filter: filter(20, 'a') } })).toEqual({ errors: [] });
  });

  test('do not pass if what is wrong by each kind cannot all be found out', () => {
    const budget = createWorkBudget(2_000);
    const { errors, unchecked } = checkValue({ prepared, budget, value: { filter: filter(20, 1) } });
    expect(unchecked).toBeUndefined();
    expect(errors.length).toBeGreaterThan(0);
  });
});
