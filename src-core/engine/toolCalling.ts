import type { ToolCallingProtocol } from '../protocols/base.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import {
  defaultToolCallConfig,
  type ToolCallConfig,
  type ToolCallCycleResult,
  type ToolExecutionResult,
} from '../base/calls.ts';
import type { ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import { createToolDiscoveryService, type DiscoveredTool, type MethodFilter } from './discovery.ts';
import { formatResultsForContext, processToolCallCycle } from './engine.ts';
import type { ExecutionOptions } from './executionOptions.ts';
import { resolveProtocol } from './resolveProtocol.ts';

/** What a turn may be given besides its text: cancellation, hooks, limits. */
export type CycleOptions = Omit<ExecutionOptions, 'toolRegistryManager' | 'config' | 'onBeforeExecute'>;

/** Everything that an agent needs for tool calling, in one object. */
export interface ToolCalling {
  /** Parses a reply and executes its calls. Rejects only with a `ToolError` `unknown-protocol`. */
  processCycle(
    text: string,
    config: ToolCallConfig,
    onBeforeExecute?: ExecutionOptions['onBeforeExecute'],
    options?: Partial<CycleOptions>,
  ): Promise<ToolCallCycleResult>;
  /** The text that feeds results back; throws a `ToolError` `unknown-protocol`. */
  formatCycleResults(results: ToolExecutionResult[], protocolId?: string): string;
  /** The prompt that offers the enabled tools; throws a `ToolError` `unknown-protocol`. */
  generateToolsPrompt(config: ToolCallConfig, agentId?: string): string;
  getDiscoveredMethods(filter?: MethodFilter): DiscoveredTool[];
  invalidateDiscoveryCache(): void;
  /** Whether a turn would parse and offer tools at all. */
  hasToolCallingEnabled(config: ToolCallConfig | undefined): boolean;
  resolveProtocol(id?: string): ToolCallingProtocol;
  /** Ends the subscription to the registry centre. */
  close(): void;
}

/** The registry centre and the protocols that a `ToolCalling` works with. */
export interface ToolCallingOptions {
  toolRegistryManager: ToolRegistryManager;
  protocols: ProtocolRegistry;
}

/** Puts discovery, parsing and execution together over one registry centre. */
export function createToolCalling({ toolRegistryManager, protocols }: ToolCallingOptions): ToolCalling {
  const discovery = createToolDiscoveryService({ toolRegistryManager, protocols });
  const protocolOf = (id: string = defaultToolCallConfig.protocol): ToolCallingProtocol =>
    resolveProtocol(protocols, id);

  return {
    processCycle: async (text, config, onBeforeExecute, options = {}) =>
      processToolCallCycle(text, {
        ...options,
        protocol: protocolOf(config.protocol),
        toolRegistryManager,
        config,
        onBeforeExecute,
      }),
    formatCycleResults: (results, protocolId) => formatResultsForContext(results, protocolOf(protocolId)),
    generateToolsPrompt: (config, agentId) => discovery.generatePrompt({ config, agentId }),
    getDiscoveredMethods: (filter) => discovery.getDiscoveredMethods(filter),
    invalidateDiscoveryCache: () => {
      discovery.invalidateCache();
    },
    hasToolCallingEnabled: (config) => config?.enabled === true,
    resolveProtocol: protocolOf,
    close: () => {
      discovery.close();
    },
  };
}
