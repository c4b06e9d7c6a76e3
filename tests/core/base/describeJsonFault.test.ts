import { describe, expect, test } from 'vitest';

import { describeJsonFault } from '../../../src-core/base/describeJsonFault.ts';

describe('a text that is not valid JSON', () => {
  test.each([
    ['', 'at its end: a value is expected'],
    ['{', 'at its end: a name in double quotes or } is expected'],
    ['{"a":1', 'at its end: a comma or } is expected'],
    ['{"a":"}"\n', 'at its end: a comma or } is expected'],
    ['{"a":1,', 'at its end: a name in double quotes is expected'],
    ['[', 'at its end: a value or ] is expected'],
    ['[1', 'at its end: a comma or ] is expected'],
    ['[{}', 'at its end: a comma or ] is expected'],
    ['{"a" 1}', 'line 1, column 6: a colon is expected behind the name'],
    ['{"a":x}', 'line 1, column 6: a value is expected'],
    ['{\n "a": 1\n "b": 2}', 'line 3, column 2: a comma is expected'],
    ["{'a':1}", 'line 1, column 2: a name in double quotes is expected'],
    ['{"a":1,}', 'line 1, column 8: a name in double quotes is expected'],
    ['[1,]', 'line 1, column 4: a value is expected'],
    ['[1 2]', 'line 1, column 4: a comma is expected'],
    ['{} x', 'line 1, column 4: something follows the JSON'],
    ['-', 'at its end: a digit is expected'],
    ['"a', 'at its end: a text has no closing quote'],
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
