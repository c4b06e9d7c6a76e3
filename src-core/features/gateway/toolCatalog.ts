import { isOfferedTo } from '../../registry/isOfferedTo.ts';
import { resolveToolEnabled } from '../../engine/resolveToolEnabled.ts';
import type { ChatTool } from '../../contract/chatMessages.ts';
import type { ToolCallConfig } from '../../base/calls.ts';
import { getToolIndex } from '../../registry/toolIndex.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { MethodMetadata } from '../../base/toolTypes.ts';
import type { ToolRegistry } from '../../registry/types.ts';
import { createWireNames } from '../../registry/wireNames.ts';
import { serverToolsId } from './serverTools/createServerTools.ts';

/** A tool that the model of a turn may call. */
export interface OfferedTool {
  /** As the client knows it: its own name, a server tool's, or the qualified name of another source's. */
  name: string;
  toolId: string;
  method: MethodMetadata;
  /** Whether the client runs it. */
  isClients: boolean;
  /** Whether it is a server tool or the client's, not another source's. */
  isOwn: boolean;
}

/** The tools of one turn. */
export interface ToolCatalog {
  /** As they go to the model. */
  tools: ChatTool[];
  /** By the name that the model used. */
  find: (wireName: string) => OfferedTool | undefined;
}

/** What a turn's tools are chosen from. */
export interface ToolCatalogOptions {
  toolRegistryManager: ToolRegistryManager;
  /** Id of the connection's own registry. */
  clientToolsId: string;
  /** Every other tool that models may call, too; never another client's. */
  offerOtherTools: boolean;
  config: Pick<ToolCallConfig, 'toolToggles' | 'defaultToolEnabled'>;
}

/**
 * The server tools, the client's own and, where asked for, those of other sources, under names that a model may carry
 * (docs/protocols/gateway.md#tool-names). A tool that the user has switched off for models is left out.
 */
export function createToolCatalog({
  toolRegistryManager,
  clientToolsId,
  offerOtherTools,
  config,
}: ToolCatalogOptions): ToolCatalog {
  const byName = new Map<string, OfferedTool>();
  const { tools } = getToolIndex(toolRegistryManager);

  function offer(registry: ToolRegistry, own: boolean): void {
    const enabled = own ? { ...config, defaultToolEnabled: true } : config;
    if (!resolveToolEnabled(registry.id, enabled)) return;
    for (const { method, qualifiedName } of tools.get(registry.id)?.byName.values() ?? []) {
      const name = own ? method.name : qualifiedName;
      if (!isOfferedTo(method, 'gateway') || byName.has(name)) continue;
      byName.set(name, { name, toolId: registry.id, method, isClients: registry.id === clientToolsId, isOwn: own });
    }
  }

  for (const id of [serverToolsId, clientToolsId]) {
    const registry = toolRegistryManager.getTool(id);
    if (registry !== undefined) offer(registry, true);
  }
  if (offerOtherTools)
    for (const { registry } of tools.values()) if (registry.source.kind !== 'gateway') offer(registry, false);
  const wireNames = createWireNames(byName.keys());
  return {
    tools: [...byName.values()].map(({ name, method, isClients }) => ({
      name: wireNames.toWire(name),
      description: method.description,
      parameters: method.inputSchema,
      ...(isClients && { isClients }),
    })),
    // A model that has seen the real name in a text may use that.
    find: (wireName) => byName.get(wireNames.fromWire(wireName) ?? wireName),
  };
}
