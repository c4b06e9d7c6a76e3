import { engineWording, wordEngine } from '../../i18n/engine/wordEngine.ts';
import type { MethodView, ToolChanges, ToolView } from '../../../src-core/contract/types.ts';

/** A method with the tool it belongs to. */
export interface ToolMethod {
  tool: ToolView;
  method: MethodView;
}

/** The tools as they stood at one moment, in English. The map of names is the same object at the next: it is read at once, not kept. */
export interface ToolsNow {
  list: readonly ToolView[];
  /** Tools of devices that have disconnected since the window opened, as they were last. */
  departed: readonly ToolView[];
  byQualifiedName: ReadonlyMap<string, ToolMethod>;
}

let wording = engineWording();
let made = new WeakMap<object, object>();

/** What `word` returns for `source`: the same object until the language changes. */
function wordOnce<T extends object>(source: T, word: (source: T) => T): T {
  if (wording !== engineWording()) [wording, made] = [engineWording(), new WeakMap()];
  const worded = (made.get(source) as T | undefined) ?? word(source);
  made.set(source, worded);
  return worded;
}

function wordView(method: MethodView): MethodView {
  const { inputSchema } = method;
  const properties = Object.entries(inputSchema.properties ?? {}).map(([name, schema]) => [name, worded(schema)]);
  const schema = { ...inputSchema, ...(properties.length > 0 && { properties: Object.fromEntries(properties) }) };
  return { ...worded(method), inputSchema: schema, parameters: method.parameters.map(worded) };
}

function worded<T>(described: T): T {
  const { description } = described as { description?: unknown };
  return typeof description === 'string' ? { ...described, description: wordEngine(description) } : described;
}

const isBuiltin = ({ source }: ToolView): boolean => source.kind === 'builtin';
const wordWhole = (tool: ToolView): ToolView => ({ ...worded(tool), methods: tool.methods.map(wordView) });

/** A built-in tool in the window's language; others stay unchanged. Models and hosts are offered the English ones. Reactive. */
export const wordTool = (tool: ToolView): ToolView => (isBuiltin(tool) ? wordOnce(tool, wordWhole) : tool);

/** The same for one method. */
export const wordMethod = (entry: ToolMethod): ToolMethod =>
  isBuiltin(entry.tool) ? wordOnce(entry, wordEntry) : entry;

function wordEntry(entry: ToolMethod): ToolMethod {
  const tool = wordTool(entry.tool);
  return { tool, method: tool.methods.find(({ name }) => name === entry.method.name) ?? entry.method };
}

/** The window's copy of what is registered, kept in step by what has changed. */
export function createToolCopy(): { take(changes: ToolChanges): void; now(): ToolsNow } {
  const tools = new Map<string, ToolView>();
  const departed = new Map<string, ToolView>();
  const methods = new Map<string, ToolMethod>();

  const remove = (id: string): void => {
    for (const { qualifiedName } of tools.get(id)?.methods ?? []) {
      // Another tool's method may have the same qualified name, and have come later.
      if (methods.get(qualifiedName)?.tool.id === id) methods.delete(qualifiedName);
    }
  };

  return {
    take({ whole, tools: changed, gone }) {
      for (const id of whole ? tools.keys() : gone) {
        const tool = tools.get(id);
        if (tool?.source.kind === 'device') departed.set(id, tool);
      }
      if (whole) {
        tools.clear();
        methods.clear();
      }
      for (const id of gone) {
        remove(id);
        tools.delete(id);
      }
      for (const tool of changed) {
        departed.delete(tool.id);
        remove(tool.id);
        tools.set(tool.id, tool);
        for (const method of tool.methods) methods.set(method.qualifiedName, { tool, method });
      }
    },
    now: () => ({ list: [...tools.values()], departed: [...departed.values()], byQualifiedName: methods }),
  };
}
