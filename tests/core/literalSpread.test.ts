import { Linter } from 'eslint';
import { expect, test } from 'vitest';
// @ts-expect-error A plugin in JavaScript has no types.
import toolwire from '../../.config/literalSpread.js';

const config = { plugins: { toolwire }, rules: { 'toolwire/no-literal-spread': 'error' } } as Linter.Config;

test.each(['x = { ...{ a, b } }', 'x = { c: 1, ...{ a } }', 'f({ d: { ...{ a, b: 2 } } })'])('refuses %s', (code) => {
  expect(new Linter().verify(code, config)).toMatchObject([{ ruleId: 'toolwire/no-literal-spread' }]);
});

test.each(['x = { ...rest, a }', 'x = { ...(a && { a }) }', 'x = [...[a], b]', 'f(...{ a })'])('accepts %s', (code) => {
  expect(new Linter().verify(code, config)).toEqual([]);
});

test('writes the properties without the spread', () => {
  const { output } = new Linter().verifyAndFix('x = { ...{ a, b: [1], }, ...rest }', config);
  expect(output).toBe('x = { a, b: [1], ...rest }');
});
