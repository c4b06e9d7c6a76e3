import { describe, expect, test } from 'vitest';

import { describeJsonFault } from '../../../src-core/base/describeJsonFault.ts';

describe('a text that is not valid JSON', () => {
  test.each([
    ['', 'line 1, column 1: the text is empty'],
    ['{', 'line 1, column 2: the text ends before the JSON does; add }'],
    ['{"a":1', 'line 1, column 7: the text ends before the JSON does; add }'],
    ['{"a":"}"\n', 'line 1, column 9: the text ends before the JSON does; add }'],
    ['{"a":1,', 'line 1, column 8: the text ends before the JSON does; add a key'],
    ['[', 'line 1, column 2: the text ends before the JSON does; add ]'],
    ['[1', 'line 1, column 3: the text ends before the JSON does; add ]'],
    ['[{}', 'line 1, column 4: the text ends before the JSON does; add ]'],
    ['{\n "a": [1,\n', 'line 2, column 10: the text ends before the JSON does; add a value'],
    ['{"a"', 'line 1, column 5: the text ends before the JSON does; add a colon'],
    ['{"a" 1}', 'line 1, column 6: a colon is expected here'],
    ['{"a":x}', 'line 1, column 6: x is not a JSON value'],
    ['{\n "a": 1\n "b": 2}', 'line 3, column 2: a comma is missing'],
    ["{'a':1}", 'line 1, column 2: a string is in quotes other than "'],
    ['{"a":1,}', 'line 1, column 7: there is a comma before }'],
    ['[1,]', 'line 1, column 3: there is a comma before ]'],
    ['[1 2]', 'line 1, column 4: a comma or the end is expected here'],
    ['{} x', 'line 1, column 4: text follows the JSON'],
    ['-', 'line 1, column 1: a value is expected here'],
    ['"a', 'line 1, column 3: the text ends inside a string'],
    ['"a\tb"', 'line 1, column 3: a string contains an unescaped \\t'],
    ['"\\x"', 'line 1, column 2: a backslash does not begin a valid JSON escape'],
    ['{"a":1,"a":2}', 'line 1, column 9: a key occurs twice, with different values'],
  ])('%j: %s', (text, clause) => {
    expect(describeJsonFault(text, new SyntaxError('of the parser'))).toBe(clause);
  });

  test('returns other errors unchanged', () => {
    expect(describeJsonFault('{}', new Error('out of memory'))).toBe('out of memory');
  });
});
