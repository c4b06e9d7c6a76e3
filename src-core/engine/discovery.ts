import { createHash } from 'node:crypto';
import type { ToolCallingProtocol, ToolDefinitionInput } from '../protocols/base.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import type { ToolCallConfig } from '../base/calls.ts';
import { getToolIndex } from '../registry/toolIndex.ts';
import type { ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import { isOfferedTo } from '../registry/isOfferedTo.ts';
import type { MethodMetadata, ToolConsumer, ToolSource } from '../base/toolTypes.ts';
import type { ToolRegistry } from '../registry/types.ts';
import { resolveProtocol } from './resolveProtocol.ts';
import { resolveToolEnabled } from './resolveToolEnabled.ts';

/** A registered tool with those of its methods that passed the filter. */
export interface DiscoveredTool extends ToolDefinitionInput {
  description?: string;
  source: ToolSource;
  /** Why the tool cannot be used, or not fully, right now. */
  error?: string;
}

/** Which methods to list. Without one: those that every model is offered. */
export type MethodFilter = (method: MethodMetadata, registry: ToolRegistry) => boolean;

/** Which tools a prompt offers, and to whom. */
export interface GeneratePromptOptions {
  config: ToolCallConfig;
  /** Whose prompt it is; only a part of the cache's key. */
  agentId?: string | undefined;
  /** Who offers the tools to the model. */
  consumer?: ToolConsumer | undefined;
}

/** What can be called now, and the prompt that offers it. */
export interface ToolDiscoveryService {
  /** Tools without any method that passes are left out, except those that have an error to show. */
  getDiscoveredMethods(filter?: MethodFilter): DiscoveredTool[];
  /**
   * The prompt text for the enabled tools; empty if calling is off or no tool is enabled. @throws {ToolError}
   * `unknown-protocol`, or what the protocol throws.
   */
  generatePrompt(options: GeneratePromptOptions): string;
  /** Reads the metadata of every tool again. Only needed after a change that no registry announced. */
  invalidateCache(): void;
  /** Ends the subscription to the registry centre. */
  close(): void;
}

/** The source of the tools, and the protocols a prompt can be written in. */
export interface ToolDiscoveryOptions {
  toolRegistryManager: ToolRegistryManager;
  protocols: ProtocolRegistry;
}

/** Prompts that are kept; beyond, the one unused for longest goes. */
const cacheSize = 100;

/** Makes the discovery service. Its cached prompts go whenever a registry comes, goes or changes. */
export function createToolDiscoveryService({
  toolRegistryManager,
  protocols,
}: ToolDiscoveryOptions): ToolDiscoveryService {
  const cache = new Map<string, { protocol: ToolCallingProtocol; prompt: string }>();
  const stopListening = toolRegistryManager.onChange(() => {
    cache.clear();
  });

  function getDiscoveredMethods(filter: MethodFilter = (method) => isOfferedTo(method, undefined)): DiscoveredTool[] {
    return [...getToolIndex(toolRegistryManager).tools.values()]
      .map(({ registry, metadata }) => ({
        toolId: registry.id,
        toolName: registry.name,
        source: registry.source,
        methods: metadata.methods.filter((method) => filter(method, registry)),
        ...(registry.description !== undefined && { description: registry.description }),
        ...(metadata.error !== undefined && { error: metadata.error }),
      }))
      .filter((tool) => tool.methods.length > 0 || tool.error !== undefined);
  }

  function generatePrompt({ config, agentId = '', consumer }: GeneratePromptOptions): string {
    if (!config.enabled) return '';
    const protocol = resolveProtocol(protocols, config.protocol);
    const key = [protocol.id, agentId, consumer ?? '', hashConfig(config)].map(encodeURIComponent).join('|');
    const cached = cache.get(key);
    // A protocol that was replaced by another of the same id writes its own text.
    const prompt = cached?.protocol === protocol ? cached.prompt : makePrompt(protocol, config, consumer);
    cache.delete(key);
    cache.set(key, { protocol, prompt });
    const [oldest] = cache.keys();
    if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
    return prompt;
  }

  function makePrompt(
    protocol: ToolCallingProtocol,
    config: ToolCallConfig,
    consumer: ToolConsumer | undefined,
  ): string {
    const offered = getDiscoveredMethods((method) => isOfferedTo(method, consumer))
      .filter((tool) => tool.methods.length > 0 && resolveToolEnabled(tool.toolId, config))
      .map(({ toolId, toolName, methods }): ToolDefinitionInput => ({ toolId, toolName, methods }));
    return offered.length === 0 ? '' : protocol.generateToolDefinitions(offered);
  }

  return {
    getDiscoveredMethods,
    generatePrompt,
    invalidateCache: () => {
      // Equal revisions mean equal metadata, so each tool gets a new revision.
      for (const { id } of toolRegistryManager.getAllTools()) toolRegistryManager.notifyChanged(id);
      cache.clear();
    },
    close: stopListening,
  };
}

/** Equal for configurations with equal prompts, whatever the order of their toggles. */
function hashConfig({ toolToggles, defaultToolEnabled }: ToolCallConfig): string {
  const toggles = Object.entries(toolToggles).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([defaultToolEnabled, toggles]))
    .digest('base64url');
}
