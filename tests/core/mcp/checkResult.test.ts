import { expect, it } from 'vitest';

import { isResultOf } from '../../../src-core/mcp/checkResult.ts';

it.each([
  ['user', true],
  ['assistant', true],
  ['system', false],
  [['user'], false],
])('a message of a prompt with the role %j is valid: %j', (role, isValid) => {
  expect(isResultOf('prompts/get', { messages: [{ role, content: { type: 'text', text: 'x' } }] })).toBe(isValid);
});
