import { expect, test } from 'vitest';
import { compareTools } from '../../../../../src-core/features/devices/session/compareTools.ts';
import type { ListedTool } from '../../../../../src-core/features/devices/session/readTool.ts';

const tool = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties: {} },
  userOnly: false,
  ...more,
});

test('the same tools in another order are not a change', () => {
  expect(compareTools([], [])).toBeUndefined();
  expect(compareTools([tool('a'), tool('b')], [tool('b'), tool('a')])).toBeUndefined();
});

test('what came, what went, and what is other than it was', () => {
  const before = ['gone', 'same', 'words', 'schema', 'audience', '__proto__'].map((name) => tool(name));
  const after = [
    tool('same'),
    tool('words', { description: 'new' }),
    tool('schema', { inputSchema: { type: 'object', properties: { a: { type: 'string' } } } }),
    tool('audience', { userOnly: true }),
    tool('new'),
    tool('constructor'),
  ];
  expect(compareTools(before, after)).toEqual({
    added: ['new', 'constructor'],
    removed: ['gone', '__proto__'],
    changed: ['words', 'schema', 'audience'],
  });
});
