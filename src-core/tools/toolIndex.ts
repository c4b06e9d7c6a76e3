import { readMetadata } from './readMetadata.ts';
import type { ToolRegistryManager } from './toolRegistryManager.ts';
import type { MethodMetadata, ToolMetadata, ToolRegistry } from './types.ts';

/** One method of one registered tool: what a name resolves to. */
export interface ToolTarget {
  registry: ToolRegistry;
  method: MethodMetadata;
  /** `toolId_methodName`. */
  qualifiedName: string;
}

/** A registered tool with its methods by name and by VCP command. */
export interface ToolIndexEntry {
  registry: ToolRegistry;
  metadata: ToolMetadata;
  byName: ReadonlyMap<string, ToolTarget>;
  byCommand: ReadonlyMap<string, ToolTarget[]>;
}

/** Every registered name, for look-ups that cost the same with ten tools and with ten thousand. */
export interface ToolIndex {
  revision: number;
  tools: ReadonlyMap<string, ToolIndexEntry>;
  byQualifiedName: ReadonlyMap<string, ToolTarget[]>;
  byMethodName: ReadonlyMap<string, ToolTarget[]>;
}

const indexes = new WeakMap<ToolRegistryManager, ToolIndex>();

/** The names of a manager's tools; read anew from the registries only when its revision has changed. */
export function getToolIndex(toolRegistryManager: ToolRegistryManager): ToolIndex {
  const present = indexes.get(toolRegistryManager);
  if (present?.revision === toolRegistryManager.revision) return present;
  const index = buildToolIndex(toolRegistryManager);
  indexes.set(toolRegistryManager, index);
  return index;
}

function buildToolIndex(toolRegistryManager: ToolRegistryManager): ToolIndex {
  const { revision } = toolRegistryManager;
  const tools = new Map<string, ToolIndexEntry>();
  const byQualifiedName = new Map<string, ToolTarget[]>();
  const byMethodName = new Map<string, ToolTarget[]>();
  for (const registry of toolRegistryManager.getAllTools()) {
    const metadata = readMetadata(registry);
    const byName = new Map<string, ToolTarget>();
    const byCommand = new Map<string, ToolTarget[]>();
    for (const method of metadata.methods) {
      const target = { registry, method, qualifiedName: `${registry.id}_${method.name}` };
      byName.set(method.name, target);
      append(byQualifiedName, target.qualifiedName, target);
      append(byMethodName, method.name, target);
      const command = method.protocolConfig?.vcpCommand;
      if (typeof command === 'string' && command !== method.name) append(byCommand, command, target);
    }
    tools.set(registry.id, { registry, metadata, byName, byCommand });
  }
  return { revision, tools, byQualifiedName, byMethodName };
}

function append(map: Map<string, ToolTarget[]>, key: string, target: ToolTarget): void {
  const present = map.get(key);
  if (present === undefined) map.set(key, [target]);
  else present.push(target);
}
