import type { MethodView, ToolSourceKind, ToolView } from '../../../src-core/api/types.ts';
import { toolName } from '../../format/sourceName.ts';

/** The order groups stand in: what comes and goes first. */
export const sourceOrder: readonly ToolSourceKind[] = ['device', 'builtin', 'module', 'gateway', 'mcp'];

export type ToolOrder = 'name' | 'methods';

/** A tool in the list, with those of its methods that answer the search. */
export interface ToolEntry {
  tool: ToolView;
  methods: MethodView[];
  /** It is no longer registered, but was a moment ago. */
  gone: boolean;
}

export interface ToolGroup {
  kind: ToolSourceKind;
  entries: ToolEntry[];
}

const texts = new WeakMap<object, string>();

/** The text of a tool or method that a search looks at, in lower case, made once. */
function searchText(about: ToolView | MethodView): string {
  let text = texts.get(about);
  if (text === undefined) {
    const parts =
      'methods' in about
        ? [about.name, about.id, about.description, about.source.label]
        : [
            about.name,
            about.displayName,
            about.description,
            about.protocolConfig?.vcpCommand,
            ...about.parameters.flatMap((parameter) => [parameter.name, parameter.description]),
          ];
    text = parts.filter(Boolean).join('\n').toLowerCase();
    texts.set(about, text);
  }
  return text;
}

/** The tool with its methods that hold every word, in themselves or together with the tool's own texts; or nothing. */
function findIn(tool: ToolView, words: readonly string[]): MethodView[] | undefined {
  const own = `${searchText(tool)}\n${toolName(tool).toLowerCase()}`;
  const open = words.filter((word) => !own.includes(word));
  if (open.length === 0) return tool.methods;
  const methods = tool.methods.filter((method) => open.every((word) => searchText(method).includes(word)));
  return methods.length > 0 ? methods : undefined;
}

/** The tools that answer the search, grouped by where they come from, each group in order. */
export function toolGroups(options: {
  tools: readonly ToolView[];
  gone: readonly ToolView[];
  words: readonly string[];
  kind: ToolSourceKind | null;
  order: ToolOrder;
  language: string;
}): ToolGroup[] {
  const { tools, gone, words, kind, order, language } = options;
  const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const byKind = new Map<ToolSourceKind, ToolEntry[]>(sourceOrder.map((source) => [source, []]));
  const place = (tool: ToolView, isGone: boolean): void => {
    if (kind !== null && tool.source.kind !== kind) return;
    const methods = findIn(tool, words);
    if (methods) byKind.get(tool.source.kind)?.push({ tool, methods, gone: isGone });
  };
  for (const tool of tools) place(tool, false);
  for (const tool of gone) place(tool, true);
  const compare = (a: ToolEntry, b: ToolEntry): number =>
    (order === 'methods' ? b.tool.methods.length - a.tool.methods.length : 0) ||
    collator.compare(toolName(a.tool), toolName(b.tool)) ||
    collator.compare(a.tool.id, b.tool.id);
  return [...byKind]
    .filter(([, entries]) => entries.length > 0)
    .map(([source, entries]) => ({ kind: source, entries: entries.sort(compare) }));
}
