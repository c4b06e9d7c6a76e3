import { expect, it } from 'vitest';

import { fromCause } from '../../../../renderer/features/servers/detail/fromCause.ts';

const stack = Array.from({ length: 10 }, (_, at) => `    at load (node:internal:${at})`);

it.each(["Error: Cannot find module '/nope.js'", 'Error [ERR_X]: no', "ModuleNotFoundError: No module named 'mcp'"])(
  'begins with %s, which a long stack follows',
  (cause) => {
    expect(fromCause(['node:internal:1', '', cause, ...stack])).toEqual([cause, ...stack]);
  },
);

it('begins with the first line that npm marks as an error, without the empty ones', () => {
  const named = ['npm error code E404', 'npm error 404 Not Found - GET http://127.0.0.1:1/nope'];
  const rest = [
    "npm error 404  'nope@*' is not in this registry.",
    'npm error A complete log of this run can be found in: /x',
  ];
  expect(fromCause(['npm warn exec', ...named, 'npm error 404', ...rest])).toEqual([...named, ...rest]);
});

it('shows the last six lines if none names an error', () => {
  expect(fromCause(stack)).toEqual(stack.slice(-6));
});
