import type { MethodView, Settings, ToolView } from '../../contract/types.ts';
import { resolveToolEnabled } from '../../engine/resolveToolEnabled.ts';
import { callDanger } from '../../registry/callDanger.ts';
import { matchesPattern } from '../../base/matchesPattern.ts';
import { methodParameters } from '../../registry/methodParameters.ts';
import { getToolIndex } from '../../registry/toolIndex.ts';
import type { ToolIndexEntry, ToolTarget } from '../../registry/toolIndex.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';

/** The settings that a view shows. */
type ShownSettings = Pick<Settings, 'toolCallConfig' | 'dangerousTools'>;

/** A cached view of a tool: what it was made from, and the result. */
interface Standing {
  entry: ToolIndexEntry;
  /** The user's patterns at the time it was made. */
  dangerousTools: readonly string[];
  view: ToolView;
}

/**
 * The registered tools as the panes show them, in the order they registered. A view is rebuilt if its tool or a setting
 * that it shows has changed; otherwise the same object is returned, so that changes are found by comparing objects.
 */
export function createToolViews(
  toolRegistryManager: ToolRegistryManager,
  settings: () => ShownSettings,
): { current(): ReadonlyMap<string, ToolView> } {
  const plain = new WeakMap<ToolIndexEntry, MethodView[]>();
  const standings = new Map<string, Standing>();

  const methodsOf = (entry: ToolIndexEntry): MethodView[] => {
    const known = plain.get(entry) ?? [...entry.byName.values()].map(methodView);
    plain.set(entry, known);
    return known;
  };

  const viewOf = (entry: ToolIndexEntry, { toolCallConfig, dangerousTools }: ShownSettings): ToolView => {
    const { registry, metadata } = entry;
    const enabled = resolveToolEnabled(registry.id, toolCallConfig);
    const before = standings.get(registry.id);
    const isMarked = before?.entry === entry && sameItems(before.dangerousTools, dangerousTools);
    const methods = isMarked ? before.view.methods : withDanger(methodsOf(entry), dangerousTools);
    if (before?.entry === entry && before.view.enabled === enabled && before.view.methods === methods) {
      before.dangerousTools = dangerousTools;
      return before.view;
    }
    const view: ToolView = {
      id: registry.id,
      name: registry.name,
      ...(registry.description !== undefined && { description: registry.description }),
      source: registry.source,
      enabled,
      ...(metadata.error !== undefined && { error: metadata.error }),
      methods,
    };
    standings.set(registry.id, { entry, dangerousTools, view });
    return view;
  };

  return {
    current() {
      const now = settings();
      const { tools } = getToolIndex(toolRegistryManager);
      for (const id of standings.keys()) if (!tools.has(id)) standings.delete(id);
      return new Map([...tools].map(([id, entry]) => [id, viewOf(entry, now)]));
    },
  };
}

/** Marks the methods that the user's list names; if it names none, returns the given methods. */
function withDanger(methods: MethodView[], dangerousTools: readonly string[]): MethodView[] {
  if (dangerousTools.length === 0) return methods;
  const marked = methods.map((method) => {
    const { qualifiedName, asksFirst } = method;
    const patterns = dangerousTools.filter((pattern) => matchesPattern(qualifiedName, pattern));
    const danger = callDanger({ method, qualifiedName }, patterns);
    return patterns.length === 0 || danger === undefined
      ? method
      : { ...method, danger, asksFirst: { ...asksFirst, patterns } };
  });
  return marked.some((method, at) => method !== methods[at]) ? marked : methods;
}

function methodView({ method, qualifiedName }: ToolTarget): MethodView {
  const { danger } = method;
  return {
    ...method,
    qualifiedName,
    parameters: methodParameters(method.inputSchema),
    ...(danger !== undefined && { asksFirst: { builtIn: danger, patterns: [] } }),
  };
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((item, at) => item === b[at]));
}
