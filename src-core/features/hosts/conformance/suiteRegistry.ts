import type { JsonValue } from '../../../base/json.ts';
import type { MethodMetadata } from '../../../base/toolTypes.ts';
import type { InvokeOptions, ToolOutput, ToolRegistry } from '../../../registry/types.ts';

/** A tool of the suite. Its schema allows every argument by default. */
export interface SuiteTool extends Partial<Pick<MethodMetadata, 'inputSchema'>> {
  run: (args: Record<string, JsonValue>, options: InvokeOptions) => ToolOutput | Promise<ToolOutput>;
}

/** A registry of tools of the suite. */
export function suiteRegistry(id: string, tools: Record<string, SuiteTool>): ToolRegistry {
  const methods = Object.entries(tools).map(([name, { inputSchema }]): MethodMetadata => ({
    name,
    description: `The tool ${name}`,
    agentCallable: true,
    inputSchema: inputSchema ?? { type: 'object', properties: {} },
  }));
  return {
    id,
    name: id,
    source: { kind: 'mcp', id: 'fixture', label: id },
    getMetadata: () => ({ methods }),
    async invoke(name, args, options) {
      const tool = tools[name];
      if (tool === undefined) throw new Error(`There is no tool "${name}".`);
      return tool.run(args, options);
    },
  };
}
