import { expect, test } from 'vitest';

import { pathProblem } from '../../../../src-core/features/collections/jsonPath.ts';

const brackets = 'a name in quotes, an index, a range such as 0:2, * or a filter is expected';
const wrong: [path: string, problem: string][] = [
  ['', 'it is empty'],
  ['a.b', 'at character 1: a path begins with $'],
  [' $', 'at character 1: a path begins with $'],
  ['$ ', 'at the end of the path: remove the space'],
  ['$a', 'at character 2: a dot, [ or the end is expected'],
  ['$.a b', 'at character 5: a dot, [ or the end is expected'],
  ['$.', 'at the end of the path: add a name or * after the dot'],
  ['$.1', 'at character 3: add a name or * after the dot'],
  ['$. a', 'at character 4: add a name or * after the dot'],
  ['$..', 'at the end of the path: add a name, * or [ after ..'],
  ['$.escape[', 'at the end of the path: add the missing bracket'],
  ['$[?(@.a==1]', 'at character 11: add the missing bracket'],
  ['$[]', `at character 2: ${brackets}`],
  ['$[a]', `at character 3: ${brackets}`],
  ['$[0,]', `at character 5: ${brackets}`],
  ['$[1:2:3:4]', `at character 8: ${brackets}`],
  ['$["a]', 'at the end of the path: add the closing quote'],
  [String.raw`$["\q"]`, String.raw`at character 5: an escape as JSON has it is expected, such as \n`],
  ['$[01]', 'at character 3: a number as JSON has it is expected'],
  ['$[?@.a==1.]', 'at character 11: a number as JSON has it is expected'],
  ['$[9007199254740993]', 'at character 3: an index of at most 2^53 - 1 is expected'],
  ['$[?]', 'at character 4: a condition is expected, such as @.price < 10'],
  ['$[?@.a = 1]', 'at character 8: a condition is expected, such as @.price < 10'],
  ['$[?1]', 'at character 4: a comparison is expected, such as == 1'],
  ['$[?foo(@.a)]', 'at character 4: the functions are length, count, match, search and value'],
  ['$[?length(@.a)]', 'at character 4: a comparison is expected, such as == 1'],
  ['$[?length(@.a,1)==1]', 'at character 4: the function takes other arguments'],
  ['$[?@.* == 1]', 'at character 4: only a single value can be compared'],
];

test.each(wrong)('%j is not a JSON path: %s', (path, problem) => {
  expect(pathProblem(path)).toBe(problem);
});

test('a path that is one has no problem', () => {
  for (const path of ['$', '$.a[0].b', '$..*', "$['a b']", '$[?@.price < 10 && length(@.name) > 2]'])
    expect(pathProblem(path)).toBeUndefined();
});
