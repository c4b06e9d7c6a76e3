import { wordEngine } from '../../i18n/engine/wordEngine.ts';
import type { MethodView, ToolChanges, ToolView } from '../../../src-core/contract/types.ts';

/** A method with the tool it belongs to. */
export interface ToolMethod {
  tool: ToolView;
  method: MethodView;
}

/** The tools as they stood at one moment. The map of names is the same object at the next: it is read at once, not kept. */
export interface ToolsNow {
  list: readonly ToolView[];
  byId: ReadonlyMap<string, ToolView>;
  byQualifiedName: ReadonlyMap<string, ToolMethod>;
}

/** A built-in tool with its descriptions in the window's language. Models and hosts are offered the English ones. */
export function wordBuiltin(tool: ToolView): ToolView {
  if (tool.source.kind !== 'builtin') return tool;
  const methods = tool.methods.map((method) => {
    const { inputSchema, description } = method;
    const properties = Object.entries(inputSchema.properties ?? {}).map(([name, schema]) => [name, worded(schema)]);
    const schema = { ...inputSchema, ...(properties.length > 0 && { properties: Object.fromEntries(properties) }) };
    const parameters = method.parameters.map(worded);
    return { ...method, description: wordEngine(description), inputSchema: schema, parameters };
  });
  return { ...worded(tool), methods };
}

function worded<T>(described: T): T {
  const { description } = described as { description?: unknown };
  return typeof description === 'string' ? { ...described, description: wordEngine(description) } : described;
}

/** The window's copy of what is registered, kept in step by what has changed. */
export function createToolCopy(): { take(changes: ToolChanges): void; now(): ToolsNow } {
  const tools = new Map<string, ToolView>();
  const methods = new Map<string, ToolMethod>();

  const remove = (id: string): void => {
    for (const { qualifiedName } of tools.get(id)?.methods ?? []) {
      // Another tool's method may have the same qualified name, and have come later.
      if (methods.get(qualifiedName)?.tool.id === id) methods.delete(qualifiedName);
    }
  };

  return {
    take({ whole, tools: changed, gone }) {
      if (whole) {
        tools.clear();
        methods.clear();
      }
      for (const id of gone) {
        remove(id);
        tools.delete(id);
      }
      for (const tool of changed) {
        remove(tool.id);
        tools.set(tool.id, tool);
        for (const method of tool.methods) methods.set(method.qualifiedName, { tool, method });
      }
    },
    now: () => ({ list: [...tools.values()], byId: new Map(tools), byQualifiedName: methods }),
  };
}
