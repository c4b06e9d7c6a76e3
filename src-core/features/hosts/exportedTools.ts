import { isOfferedTo } from '../../registry/isOfferedTo.ts';
import type { Tool } from '@modelcontextprotocol/server';

import type { ToolCallConfig } from '../../base/calls.ts';
import type { JsonSchema } from '../../base/json.ts';
import type { MethodMetadata, ToolConsumer, ToolSource } from '../../base/toolTypes.ts';
import { callDanger } from '../../registry/callDanger.ts';
import { readMetadata } from '../../registry/readMetadata.ts';
import type { DepartedTool, ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../registry/types.ts';
import { resolveToolEnabled } from '../../engine/resolveToolEnabled.ts';
import type { Clock } from '../../base/clock.ts';
import type { ExportedNames } from './exportedNames.ts';
import type { ToolScope } from './offered.ts';

/** ms for which the tools of a source that left stay listed: hosts read a list once, and a board reconnects. */
const keptMs = 10 * 60_000;

/** A tool as hosts see it, and the method that its calls run. */
export interface ExportedTool {
  tool: Tool;
  /** The names that its name replaced; they are never used for another tool. */
  formerNames: readonly string[];
  registryId: string;
  methodName: string;
  source: ToolRegistry['source'];
  /** When its source left, which calls are answered with. Undefined while the source is registered. */
  departed: DepartedTool | undefined;
}

/** The tools that hosts are offered. */
export interface ExportedTools {
  /** The tools in the order of registration, then those of sources that left. */
  list(scope: ToolScope): ExportedTool[];
  find(scope: ToolScope, name: string): ExportedTool | undefined;
  /** Those that are offered once the user has accepted their changed definitions. */
  withheld(scope: ToolScope): ExportedTool[];
  /** The consumer that is offered the tools. */
  readonly consumer: ToolConsumer;
  /** Reads the tools again after a change of the settings. */
  changed(): void;
  /** Changes the consumers that are offered the tools of a source, which may have left. */
  setConsumers(source: Pick<ToolSource, 'kind' | 'id'>, consumers: readonly ToolConsumer[]): void;
  /** Calls the listener when the tools of any scope may have changed. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
  close(): void;
}

/** Follows the registry and keeps the tools of sources that left for 10 minutes. */
export function createExportedTools(options: {
  toolRegistryManager: ToolRegistryManager;
  names: Pick<ExportedNames, 'fullName' | 'localName' | 'formerNames'>;
  /** The user's settings of tool calling. */
  policy: () => { config: ToolCallConfig; dangerousTools: readonly string[] };
  consumer: ToolConsumer;
  clock: Pick<Clock, 'after'>;
}): ExportedTools {
  const { toolRegistryManager, consumer, clock } = options;
  /** What each source that left offered, by the key of the source. */
  const absent = new Map<
    string,
    { registry: ToolRegistry; methods: MethodMetadata[]; departed: DepartedTool; stop: () => void }
  >();
  /** What each registry offered last: a registry that has left may not be readable any more. */
  const present = new Map<string, { registry: ToolRegistry; methods: MethodMetadata[] }>();
  const listeners = new Set<() => void>();
  /** The lists by scope, until something changes. */
  const lists = new Map<string, ReadonlyMap<string, ExportedTool>>();
  const announce = (): void => {
    lists.clear();
    listeners.forEach((listener) => listener());
  };

  function forget(key: string): boolean {
    absent.get(key)?.stop();
    return absent.delete(key);
  }

  function read(registry: ToolRegistry): MethodMetadata[] {
    const { methods } = readMetadata(registry);
    present.set(registry.id, { registry, methods });
    return methods;
  }

  const unsubscribe = toolRegistryManager.onChange(({ type, registry }) => {
    const key = sourceKey(registry.source);
    if (type === 'unregistered') {
      const left = present.get(registry.id);
      present.delete(registry.id);
      const departed = toolRegistryManager.departed().find(({ id }) => id === registry.id);
      // A source that has returned meanwhile is reported next.
      if (left !== undefined && departed !== undefined && returns(registry)) {
        forget(key);
        const stop = clock.after(keptMs, () => {
          forget(key);
          announce();
        });
        absent.set(key, { ...left, departed, stop });
      }
    } else {
      forget(key);
      read(registry);
    }
    announce();
  });
  for (const registry of toolRegistryManager.getAllTools()) read(registry);

  function build(scope: ToolScope): ExportedTool[] {
    const all = [
      ...toolRegistryManager
        .getAllTools()
        .map((registry) => ({ registry, methods: read(registry), departed: undefined })),
      ...absent.values(),
    ];
    return all.flatMap((source) => exportSource({ ...source, ...options, scope }));
  }

  function cached(scope: ToolScope): ReadonlyMap<string, ExportedTool> {
    const key = scope === 'all' ? '' : `${scope.kind}:${scope.id}`;
    const known = lists.get(key);
    if (known !== undefined) return known;
    const built = new Map(build(scope).map((exported) => [exported.tool.name, exported]));
    lists.set(key, built);
    return built;
  }

  return {
    consumer,
    list: (scope) => [...cached(scope).values()],
    find: (scope, name) => cached(scope).get(name),
    withheld: (scope) =>
      [...present.values()].flatMap((of) => exportSource({ ...of, ...options, scope, isListed: isWithheldFrom })),
    changed: announce,
    setConsumers(source, consumers) {
      // A tick that is set again counts once the source has returned: what it offers then is not known now.
      if (!consumers.includes(consumer) && forget(sourceKey(source))) announce();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      unsubscribe();
      for (const { stop } of absent.values()) stop();
      absent.clear();
      listeners.clear();
    },
  };
}

/** The methods of a source that the consumer is offered, under their names. */
function exportSource({
  registry,
  methods,
  departed,
  scope,
  names,
  policy,
  consumer,
  isListed = isOfferedTo,
}: Pick<Parameters<typeof createExportedTools>[0], 'names' | 'policy' | 'consumer'> & {
  registry: ToolRegistry;
  methods: readonly MethodMetadata[];
  departed?: DepartedTool | undefined;
  scope: ToolScope;
  isListed?: (method: MethodMetadata, consumer: ToolConsumer) => boolean;
}): ExportedTool[] {
  const { config, dangerousTools } = policy();
  const { id: registryId, source } = registry;
  if (!isIn(scope, registry) || !resolveToolEnabled(registryId, config)) return [];
  return methods
    .filter((method) => isListed(method, consumer) && method.error === undefined)
    .map((method) => {
      const named = { source, registryId, methodName: method.name };
      const name = scope === 'all' ? names.fullName(named) : names.localName(named);
      const tool = describeTool({ name, registry, method, dangerousTools });
      return { tool, formerNames: names.formerNames(named), registryId, methodName: method.name, source, departed };
    });
}

function isWithheldFrom({ withheldFrom }: MethodMetadata, consumer: ToolConsumer): boolean {
  return withheldFrom?.includes(consumer) === true;
}

/** Whether a source connects again by itself. */
function returns({ source: { kind } }: ToolRegistry): boolean {
  return kind === 'device' || kind === 'gateway' || kind === 'mcp';
}

function sourceKey({ kind, id }: Pick<ToolSource, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

function isIn(scope: ToolScope, { source }: ToolRegistry): boolean {
  return scope === 'all' || (source.kind === scope.kind && source.id === scope.id);
}

/** Names of built-in tools and tools of boards that only read, such as `self.get_device_status`. Other names may mean anything. */
const readingName = /(?:^|\.)(?:get|query|list)_[^.]*$/;

function describeTool(options: {
  name: string;
  registry: ToolRegistry;
  method: MethodMetadata;
  dangerousTools: readonly string[];
}): Tool {
  const { name, registry, method, dangerousTools } = options;
  const { source } = registry;
  const danger = callDanger({ method, qualifiedName: `${registry.id}_${method.name}` }, dangerousTools);
  const isLocal = source.kind === 'device' || source.kind === 'builtin';
  return {
    name,
    title: method.displayName ?? method.name,
    description: source.kind === 'device' ? `${source.label}: ${method.description}` : method.description,
    inputSchema: objectSchema(method.inputSchema),
    // Clients of the earlier revisions refuse a list with another type.
    ...(method.outputSchema?.['type'] === 'object' && { outputSchema: objectSchema(method.outputSchema) }),
    annotations: {
      ...(isLocal && { readOnlyHint: danger === undefined && readingName.test(method.name) }),
      // A hint that is missing counts as true.
      ...((isLocal || danger !== undefined) && { destructiveHint: danger !== undefined }),
      openWorldHint: !isLocal,
    },
    _meta: { 'dev.toolwire/source': source.kind, 'dev.toolwire/id': source.id, 'dev.toolwire/name': method.name },
  };
}

function objectSchema(schema: JsonSchema): Tool['inputSchema'] {
  return { ...schema, type: 'object' };
}
