import { describe, expect, test } from 'vitest';

import { describeJsonFault } from '../../../src-core/base/describeJsonFault.ts';

describe('a text that is not valid JSON', () => {
  test.each([
    ['', 'line 1, column 1: the text is empty; add a value'],
    ['{', 'line 1, column 2: the text ends too early; add a name in double quotes or }'],
    ['{"a":1', 'line 1, column 7: the text ends too early; add a comma or }'],
    ['{"a":"}"\n', 'line 1, column 9: the text ends too early; add a comma or }'],
    ['{"a":1,', 'line 1, column 8: the text ends too early; add a name in double quotes'],
    ['[', 'line 1, column 2: the text ends too early; add a value or ]'],
    ['[1', 'line 1, column 3: the text ends too early; add a comma or ]'],
    ['[{}', 'line 1, column 4: the text ends too early; add a comma or ]'],
    ['{\n "a": [1,\n', 'line 2, column 10: the text ends too early; add a value'],
    ['{"a"', 'line 1, column 5: the text ends too early; add a colon behind the name'],
    ['{"a" 1}', 'line 1, column 6: a colon behind the name is expected'],
    ['{"a":x}', 'line 1, column 6: a value is expected'],
    ['{\n "a": 1\n "b": 2}', 'line 3, column 2: a comma is expected'],
    ["{'a':1}", 'line 1, column 2: a name in double quotes is expected'],
    ['{"a":1,}', 'line 1, column 7: there is a comma before }'],
    ['[1,]', 'line 1, column 3: there is a comma before ]'],
    ['[1 2]', 'line 1, column 4: a comma is expected'],
    ['{} x', 'line 1, column 4: something follows the JSON'],
    ['-', 'line 1, column 2: the text ends too early; add a digit'],
    ['"a', 'line 1, column 3: the text ends too early; add the closing quote'],
    ['"a\tb"', 'line 1, column 3: a text contains a character that must be escaped'],
    ['"\\x"', 'line 1, column 2: a backslash does not begin a valid escape'],
    ['{"a":1,"a":2}', 'line 1, column 9: a name occurs twice, with different values'],
  ])('%j: %s', (text, clause) => {
    expect(describeJsonFault(text, new SyntaxError('of the parser'))).toBe(clause);
  });

  test('returns other errors unchanged', () => {
    expect(describeJsonFault('{}', new Error('out of memory'))).toBe('out of memory');
  });
});
