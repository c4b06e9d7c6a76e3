import { expect, test } from 'vitest';
import { readMetadata } from '../../../src-core/registry/readMetadata.ts';
import { getToolIndex } from '../../../src-core/registry/toolIndex.ts';
import { createToolRegistryManager } from '../../../src-core/registry/toolRegistryManager.ts';
import type { MethodMetadata } from '../../../src-core/base/toolTypes.ts';
import type { ToolMetadata, ToolRegistry } from '../../../src-core/registry/types.ts';
import { makeTool } from './testTool.ts';

function withMetadata(getMetadata: () => unknown): ToolRegistry {
  return { ...makeTool('odd', []), getMetadata: getMetadata as () => ToolMetadata };
}

test('a tool that cannot describe itself has no methods and says why', () => {
  const tool = withMetadata(() => {
    throw new Error('file is gone');
  });
  expect(readMetadata(tool)).toEqual({ methods: [], error: 'The tool could not describe itself: file is gone.' });
});

test.each([undefined, null, 5, {}, { methods: 'all' }])('metadata %j is an error, not a crash', (metadata) => {
  expect(readMetadata(withMetadata(() => metadata))).toEqual({
    methods: [],
    error: expect.stringContaining('could not describe itself'),
  });
});

test('one malformed or doubled method hides no other', () => {
  const [method] = makeTool('x', [{ name: 'good' }]).getMetadata().methods as [MethodMetadata];
  const tool = withMetadata(() => ({
    methods: [null, { name: '' }, { name: 5 }, method, { ...method, description: 'twin' }],
  }));
  const { methods, error } = readMetadata(tool);
  expect(methods).toEqual([method]);
  expect(error).toBe('4 of 5 methods have no usable name or a name used twice: null, "", 5, "good".');
});

test("the source's own error is kept", () => {
  expect(readMetadata(withMetadata(() => ({ methods: [], error: 'Syntax error in line 3.' })))).toEqual({
    methods: [],
    error: 'Syntax error in line 3.',
  });
});

test('the index is read once a revision', () => {
  const toolRegistryManager = createToolRegistryManager();
  let reads = 0;
  const methods: MethodMetadata[] = [...makeTool('x', [{ name: 'one' }]).getMetadata().methods];
  toolRegistryManager.register(withMetadata(() => ((reads += 1), { methods })));
  const first = getToolIndex(toolRegistryManager);
  expect(getToolIndex(toolRegistryManager)).toBe(first);
  expect(reads).toBe(1);

  methods.push(...makeTool('x', [{ name: 'two' }]).getMetadata().methods);
  toolRegistryManager.notifyChanged('odd');
  const second = getToolIndex(toolRegistryManager);
  expect(second).not.toBe(first);
  expect(second.byQualifiedName.has('odd_two')).toBe(true);
  expect(reads).toBe(2);
});

test('of many tools only the one that changed is read again; it keeps its place, and one that went leaves nothing', () => {
  const toolRegistryManager = createToolRegistryManager();
  const reads: string[] = [];
  for (const id of ['a', 'b', 'c']) {
    const methods = makeTool(id, [{ name: 'get' }, { name: id }]).getMetadata().methods;
    toolRegistryManager.register({ ...withMetadata(() => (reads.push(id), { methods })), id });
  }
  const names = () => {
    const { tools, byMethodName, byQualifiedName } = getToolIndex(toolRegistryManager);
    return [
      [...tools.keys()],
      byMethodName
        .get('get')
        ?.map(({ registry }) => registry.id)
        .sort(),
      byQualifiedName.size,
    ];
  };
  expect(names()).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], 6]);
  toolRegistryManager.notifyChanged('a');
  expect(names()).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], 6]);
  expect(reads).toEqual(['a', 'b', 'c', 'a']);

  toolRegistryManager.unregister('b');
  expect(names()).toEqual([['a', 'c'], ['a', 'c'], 4]);
  expect(getToolIndex(toolRegistryManager).byMethodName.has('b')).toBe(false);
  // Another tool of the same id, between two looks.
  toolRegistryManager.unregister('a');
  toolRegistryManager.register(makeTool('a', [{ name: 'other' }]));
  expect(names()).toEqual([['c', 'a'], ['c'], 3]);
  expect(reads).toHaveLength(4);
});
