import { expect, it } from 'vitest';

import { createToolCopy } from '../../../renderer/features/discovery/toolCopy.ts';
import type { ToolView } from '../../../src-core/contract/types.ts';

const tool = (id: string, ...methods: string[]): ToolView => ({
  id,
  name: id,
  source: { kind: 'device', id, label: id },
  enabled: true,
  methods: methods.map((name) => ({
    name,
    description: '',
    agentCallable: true,
    inputSchema: { type: 'object' },
    qualifiedName: `${id}_${name}`,
    parameters: [],
  })),
});
const changes = (change: { whole?: boolean; tools?: ToolView[]; gone?: string[] }) => ({
  whole: false,
  tools: [],
  gone: [],
  at: '1',
  more: false,
  ...change,
});

it('takes what came, changed and went, and leaves the other tools the objects they were', () => {
  const copy = createToolCopy();
  copy.take(changes({ whole: true, tools: [tool('a', 'x', 'y'), tool('b', 'x')] }));
  const { list: before } = copy.now();

  copy.take(changes({ tools: [tool('a', 'y', 'z'), tool('c', 'x')] }));
  const { list, byQualifiedName } = copy.now();
  expect(list.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(list[1]).toBe(before[1]);
  expect([...byQualifiedName.keys()].sort()).toEqual(['a_y', 'a_z', 'b_x', 'c_x']);

  copy.take(changes({ gone: ['a', 'never-known'] }));
  expect([...copy.now().byQualifiedName.keys()].sort()).toEqual(['b_x', 'c_x']);
  copy.take(changes({ whole: true, tools: [tool('d')] }));
  expect(copy.now().list.map(({ id }) => id)).toEqual(['d']);
  expect(copy.now().byQualifiedName.size).toBe(0);
});

it("keeps a name that two tools' methods share while one of them stays", () => {
  const copy = createToolCopy();
  copy.take(changes({ whole: true, tools: [tool('a', 'b_c'), tool('a_b', 'c')] }));
  expect(copy.now().byQualifiedName.get('a_b_c')?.tool.id).toBe('a_b');
  copy.take(changes({ gone: ['a'] }));
  expect(copy.now().byQualifiedName.get('a_b_c')?.tool.id).toBe('a_b');
});
