import fc from 'fast-check';
import { expect, it } from 'vitest';

import { keepVariables } from '../../../../renderer/features/collections/save/keepVariables.ts';

const kept = (saved: string, gave: string, now: string): string =>
  keepVariables({ saved, gave, now }).replace(/\s/g, '');

it('keeps the variables of unchanged values and takes the other values as they are', () => {
  expect(kept('{"a":"{{n}}","b":1}', '{"a":5,"b":1}', '{"a":5,"b":2}')).toBe('{"a":"{{n}}","b":2}');
  expect(kept('{"a":"{{n}}"}', '{"a":5}', '{"a":6}')).toBe('{"a":6}');
  expect(kept('{"a":{"b":["{{x}}",1]}}', '{"a":{"b":["y",1]}}', '{"a":{"b":["y",2,3]}}')).toBe(
    '{"a":{"b":["{{x}}",2,3]}}',
  );
});

it('takes members that came and leaves those that went', () => {
  expect(kept('{"a":"{{n}}","b":"{{n}}"}', '{"a":5,"b":5}', '{"b":5,"c":7}')).toBe('{"b":"{{n}}","c":7}');
});

it('takes apart what one variable gave once a part of it was changed', () => {
  expect(kept('{"a":"{{all}}"}', '{"a":{"b":1,"c":2}}', '{"a":{"b":1,"c":3}}')).toBe('{"a":{"b":1,"c":3}}');
});

it('keeps numbers as they are written, and unreadable text unchanged', () => {
  expect(kept('{"a":9007199254740993}', '{"a":9007199254740993}', '{"a":1e400}')).toBe('{"a":1e400}');
  expect(kept('{"a":"{{n}}"}', '{"a":5}', '{"a":')).toBe('{"a":');
});

it('returns the saved text if nothing changed, and the current text if it had no variables', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [saved, now] = [JSON.stringify(one), JSON.stringify(other)];
      expect(JSON.parse(keepVariables({ saved, gave: now, now }))).toEqual(JSON.parse(saved));
      expect(JSON.parse(keepVariables({ saved, gave: saved, now }))).toEqual(JSON.parse(now));
    }),
  );
});
