import { defineToolRegistry, type ToolMethodDefinition } from '../../../src-core/registry/defineTool.ts';
import type { ToolRegistry } from '../../../src-core/registry/types.ts';

/** A method with what a test does not care about filled in. */
export type TestMethod = Pick<ToolMethodDefinition, 'name'> & Partial<ToolMethodDefinition>;

/** A real registry of functions. Methods answer with their own name unless told otherwise. */
export function makeTool(id: string, methods: TestMethod[], name = `Tool ${id}`): ToolRegistry {
  return defineToolRegistry({
    id,
    name,
    source: { kind: 'builtin', id, label: name },
    methods: methods.map((method) => ({
      description: `Does ${method.name}.`,
      agentCallable: true,
      inputSchema: { type: 'object', properties: {} },
      handler: () => method.name,
      ...method,
    })),
  });
}
