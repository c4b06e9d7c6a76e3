import fc from 'fast-check';
import { expect, it } from 'vitest';

import { indentJson } from '../../../../renderer/ui/forms/json/indentJson.ts';

it('lays JSON out as JSON.stringify does, whatever is in it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const laid = JSON.stringify(value, null, 2);
      expect(indentJson(JSON.stringify(value))).toBe(laid);
      expect(indentJson(laid)).toBe(laid);
    }),
  );
});

it('leaves every number as it is written', () => {
  const numbers = ['9007199254740993', '1e400', '-0', '1.0', '0.123456789012345678901234567890'];
  expect(indentJson(`[${numbers.join(',')}]`)).toBe(`[\n${numbers.map((each) => `  ${each}`).join(',\n')}\n]`);
});
