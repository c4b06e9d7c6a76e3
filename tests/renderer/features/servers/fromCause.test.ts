import { expect, it } from 'vitest';

import { fromCause } from '../../../../renderer/features/servers/detail/fromCause.ts';

const stack = Array.from({ length: 10 }, (_, at) => `    at load (node:internal:${at})`);

it.each(["Error: Cannot find module '/nope.js'", 'Error [ERR_X]: no', "ModuleNotFoundError: No module named 'mcp'"])(
  'begins with %s, which a long stack follows',
  (cause) => {
    expect(fromCause(['node:internal:1', '', cause, ...stack])).toEqual([cause, ...stack]);
  },
);

it('shows the last six lines if none names an error', () => {
  expect(fromCause(stack)).toEqual(stack.slice(-6));
});
