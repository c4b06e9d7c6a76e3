/** A plain function as a tool: what its source tells, and what is refused. */
import { describe, expect, test } from 'vitest';

import { functionToToolDefinition } from '../../../src-core/converters.ts';
import type { LocalFunction } from '../../../src-core/converters.ts';
import { PlainConverter } from './plainConverter.ts';

/** As it reaches a program that runs JavaScript: comments and minified names included. */
const compile = (source: string): LocalFunction => new Function(`return (${source})`)() as LocalFunction;

test('a function becomes a tool with its name and parameters, and gets them in their places', async () => {
  async function getWeather(city: string, days = 1): Promise<string> {
    return Promise.resolve(`${city}: Sunny for ${days}`);
  }
  const tool = new PlainConverter().convertLocalTool(getWeather, {
    description: 'Returns the weather for a city.',
    parameters: { city: { type: 'string', description: 'In English' } },
  });
  expect(tool).toMatchObject({
    wireName: 'getWeather',
    description: 'Returns the weather for a city.',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'In English' },
        days: { type: 'number', default: 1 },
      },
      required: ['city'],
    },
  });
  expect(await tool.run('{"days":3,"city":"Kyiv"}', {})).toMatchObject({ result: 'Kyiv: Sunny for 3' });
  expect(await tool.run({ city: 'Kyiv' }, {})).toMatchObject({ result: 'Kyiv: Sunny for 1' });
  expect(await tool.run({ city: 5 }, {})).toMatchObject({ status: 'error', error: { code: 'invalid-arguments' } });
});

test('a function that takes one object gets the arguments as that object', async () => {
  const converter = new PlainConverter();
  const setLight = ({ room, level = 50 }: { room: string; level?: number }): string => `${room} ${level}`;
  const [clock, light] = converter.convertLocalTools([() => 'noon', setLight].map((tool, at) => named(tool, at)));
  expect(light?.parameters).toEqual({
    type: 'object',
    properties: { room: {}, level: { type: 'number', default: 50 } },
    required: ['room'],
  });
  expect(await light?.run({ room: 'hall' }, {})).toMatchObject({ result: 'hall 50' });
  expect(await clock?.run('', {})).toMatchObject({ result: 'noon' });
});

function named(tool: LocalFunction, at: number): LocalFunction {
  return Object.defineProperty(tool, 'name', { value: `tool_${at}` });
}

describe('the parameters', () => {
  const one = (name: string, schema: object = {}, required = [name]) => ({ properties: { [name]: schema }, required });

  test.each([
    ['() => 1', { properties: {}, required: [] }],
    ['city => city', one('city')],
    ['async city => city', one('city')],
    ['async => async', one('async')],
    ['async (city) => city', one('city')],
    ['(city, /* , no */ ) => city /* ) */', one('city')],
    ['function (\n  // the (city)\n  city,\n) { return /[)]/ }', one('city')],
    ['async function* f(city) {}', one('city')],
    ["({ 'f'(city) {} }).f", one('city')],
    ['({ async f(city) {} }).f', one('city')],
    ['(größe) => größe', one('größe')],
    ["(a = 'it\\'s, (\"x\")') => a", one('a', { type: 'string', default: 'it\'s, ("x")' }, [])],
    ['(a = `x`) => a', one('a', { type: 'string', default: 'x' }, [])],
    ['(a = -1.5) => a', one('a', { type: 'number', default: -1.5 }, [])],
    ['(a = true) => a', one('a', { type: 'boolean', default: true }, [])],
    ['({a:e=!1})=>e', one('a', { type: 'boolean', default: false }, [])],
    ['({ a: { b } }) => b', one('a')],
    ["({ 'content-type': t = 'x' }) => t", one('content-type', { type: 'string', default: 'x' }, [])],
    ['({ a } = {}) => a', one('a')],
    ['(a = null) => a', one('a', {}, [])],
    ['(a = (x, y) => ({ x, y })) => a', one('a', {}, [])],
    ['(a = { b: [1, 2] }) => a', one('a', {}, [])],
    ['(a = `${1 + 1}`) => a', one('a', {}, [])],
  ])('of %s', (source, expected) => {
    expect(functionToToolDefinition(compile(source), { name: 'f' }).parameters).toEqual({
      type: 'object',
      ...expected,
    });
  });

  test.each<[string, LocalFunction, string]>([
    ['rest', compile('(...all) => all'), 'it takes any number of arguments'],
    ['an array', compile('([a, b]) => a'), 'it takes one of its arguments apart'],
    ['an object among others', compile('(a, { b }) => a'), 'it takes one of its arguments apart'],
    ['the rest of an object', compile('({ a, ...rest }) => a'), 'it takes any properties'],
    ['a computed name', compile('({ ["a" + 1]: b }) => b'), 'the name of a property is computed'],
    ['a regular expression', compile('(a = /[(]/) => a'), 'a default holds a division or a regular expression'],
    ['a bound function', compile('((a) => a).bind(1)'), 'it is built-in or bound'],
    ['a built-in function', Math.max, 'it is built-in or bound'],
    ['a class', compile('class A { constructor(a) {} }'), 'it is a class'],
  ])('are refused: %s', (_what, tool, why) => {
    expect(() => functionToToolDefinition(tool, { name: 'f' })).toThrow(
      new TypeError(
        `The parameters of the function "f" cannot be read: ${why}. ` +
          'Pass a definition instead: { name, description, parameters, executor }.',
      ),
    );
  });

  test('that the options name must be the function’s', () => {
    expect(() => functionToToolDefinition((city: string) => city, { name: 'f', parameters: { town: {} } })).toThrow(
      'The function "f" has no parameter "town". It has: city.',
    );
    expect(() => functionToToolDefinition(() => 1, { name: 'f', parameters: { town: {} } })).toThrow('It has none.');
  });
});

test('a function without a name needs one, and a definition takes no options', () => {
  expect(() => functionToToolDefinition(compile('() => 1'))).toThrow('Pass one in the options: { name }.');
  const converter = new PlainConverter();
  const definition = functionToToolDefinition(() => 1, { name: 'one' });
  expect(() => converter.convertLocalTool(definition, { name: 'two' })).toThrow('"one" is a definition already');
});
