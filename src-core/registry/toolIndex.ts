import { readMetadata } from './readMetadata.ts';
import type { ToolRegistryManager } from './toolRegistryManager.ts';
import type { MethodMetadata } from '../base/toolTypes.ts';
import type { ToolMetadata, ToolRegistry } from './types.ts';

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

/** The index of a manager, and the data to update it. */
class LiveIndex {
  readonly #manager: ToolRegistryManager;
  readonly #entries = new Map<string, ToolIndexEntry>();
  readonly #byQualifiedName = new Map<string, ToolTarget[]>();
  readonly #byMethodName = new Map<string, ToolTarget[]>();
  /** Of each entry: the revision it was read at. */
  readonly #readAt = new Map<string, number>();
  #shown: ToolIndex | undefined;

  constructor(manager: ToolRegistryManager) {
    this.#manager = manager;
  }

  get(): ToolIndex {
    const { revision } = this.#manager;
    if (this.#shown?.revision !== revision) {
      this.#shown = {
        revision,
        tools: this.#update(),
        byQualifiedName: this.#byQualifiedName,
        byMethodName: this.#byMethodName,
      };
    }
    return this.#shown;
  }

  /** Reads only what has changed, because of a thousand devices one connects or disconnects all the time. Returns all, in the order of registration. */
  #update(): Map<string, ToolIndexEntry> {
    for (const [id, readAt] of this.#readAt) if (this.#manager.revisionOf(id) !== readAt) this.#remove(id);
    const all = this.#manager.getAllTools();
    return new Map(all.map((registry) => [registry.id, this.#entries.get(registry.id) ?? this.#add(registry)]));
  }

  #remove(id: string): void {
    for (const target of this.#entries.get(id)?.byName.values() ?? []) {
      withdraw(this.#byQualifiedName, target.qualifiedName, target);
      withdraw(this.#byMethodName, target.method.name, target);
    }
    this.#entries.delete(id);
    this.#readAt.delete(id);
  }

  #add(registry: ToolRegistry): ToolIndexEntry {
    const metadata = readMetadata(registry);
    const byName = new Map<string, ToolTarget>();
    const byCommand = new Map<string, ToolTarget[]>();
    for (const method of metadata.methods) {
      const target = { registry, method, qualifiedName: `${registry.id}_${method.name}` };
      byName.set(method.name, target);
      append(this.#byQualifiedName, target.qualifiedName, target);
      append(this.#byMethodName, method.name, target);
      const command = method.protocolConfig?.vcpCommand;
      if (typeof command === 'string' && command !== method.name) append(byCommand, command, target);
    }
    const entry = { registry, metadata, byName, byCommand };
    this.#entries.set(registry.id, entry);
    this.#readAt.set(registry.id, this.#manager.revisionOf(registry.id) ?? 0);
    return entry;
  }
}

const indexes = new WeakMap<ToolRegistryManager, LiveIndex>();

/**
 * The names of a manager's tools; a tool is read again only when it has changed. The object is another after each change,
 * its maps of names the same: they are to be read at once, not kept.
 */
export function getToolIndex(toolRegistryManager: ToolRegistryManager): ToolIndex {
  let index = indexes.get(toolRegistryManager);
  if (index === undefined) indexes.set(toolRegistryManager, (index = new LiveIndex(toolRegistryManager)));
  return index.get();
}

function append(map: Map<string, ToolTarget[]>, key: string, target: ToolTarget): void {
  const present = map.get(key);
  if (present === undefined) map.set(key, [target]);
  else present.push(target);
}

function withdraw(map: Map<string, ToolTarget[]>, key: string, target: ToolTarget): void {
  const left = map.get(key)?.filter((other) => other !== target) ?? [];
  if (left.length === 0) map.delete(key);
  else map.set(key, left);
}
