import { JSONPathError } from 'json-p3';

import { describeThrown } from '../../base/describeThrown.ts';

/** What the library's words come to: what a path should have at the place where it stopped. The first that fits counts. */
const expectations: readonly [RegExp, string][] = [
  [/^expected '\$'/, 'a path begins with $'],
  [/^can't backup|after dot$|^unexpected shorthand/, 'a name or * is expected after the dot'],
  [/^bald descendant|^unexpected descend/, 'a name, * or [ is expected after ..'],
  [/^expected '\.'/, 'a dot, [ or the end is expected'],
  [/^unexpected token 'TOKEN_ERROR'|^trailing whitespace/, 'a path ends without a space'],
  [/^unclosed string/, 'the quote is not closed'],
  [
    /^invalid (escape|character)|escape sequence|surrogate codepoint|^unexpected codepoint/,
    'an escape as JSON has it is expected, such as \\n',
  ],
  [
    /^empty bracketed|in bracketed selection|^expected token 'TOKEN_COMMA'|trailing comma$/,
    'a name in quotes, an index, a range such as 0:2, * or a filter is expected',
  ],
  [/^unclosed bracketed|^unbalanced|^unexpected end of query/, 'each bracket needs its counterpart'],
  [/^leading zero|^invalid number|^a fractional/, 'a number as JSON has it is expected'],
  [/^index out of range/, 'an index of at most 2^53 - 1 is expected'],
  [/^no such function/, 'the functions are length, count, match, search and value'],
  [/must be compared$/, 'a comparison is expected, such as == 1'],
  [/not comparable$/, 'only a single value can be compared'],
  [/\(\) (takes|argument) /, 'the function takes other arguments'],
  [/^unexpected|^expected an expression|^empty paren/, 'a condition is expected, such as @.price < 10'],
];

/** What is wrong with a JSON path that json-p3 refused with `error`: where, and what is expected there. */
export function pathProblemOf(path: string, error: unknown): string {
  if (path === '') return 'it is empty';
  // Behind its words the library shows the path and the place.
  const library = describeThrown(error).replace(/ \('[^]*$/, '');
  const expected = expectations.find(([words]) => words.test(library))?.[1] ?? `it cannot be read (${library})`;
  const index = error instanceof JSONPathError ? error.token.index : 0;
  return index >= path.length ? `at its end: ${expected}` : `at character ${index + 1}: ${expected}`;
}
