import type { Settings } from '../../contract/types.ts';
import { countToolTokens } from '../chat/countToolTokens.ts';
import { effectiveConfig, newChatProtocol } from '../chat/effectiveConfig.ts';
import { offerTools } from '../chat/offerTools.ts';
import type { ToolDiscoveryService } from '../../engine/discovery.ts';
import { formatToolRequest } from '../../protocols/vcp/formatToolRequest.ts';
import { exampleCall } from '../../protocols/vcp/generateToolDefinitions.ts';
import type { ToolCallingProtocol } from '../../protocols/base.ts';
import type { ProtocolRegistry } from '../../protocols/registry.ts';
import { ToolError } from '../../base/errors.ts';
import { RequestError } from '../../base/requestError.ts';
import { resolveToolName } from '../../registry/resolveToolName.ts';
import { getToolIndex } from '../../registry/toolIndex.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ToolsService } from '../../workbench/services.ts';
import { createToolChanges } from './toolChanges.ts';
import { createToolViews } from './toolViews.ts';

/** The registered tools as the panes show them, and the texts generated from them. */
export function createToolsService(options: {
  toolRegistryManager: ToolRegistryManager;
  discovery: ToolDiscoveryService;
  protocol: ToolCallingProtocol;
  protocols: ProtocolRegistry;
  settings: () => Settings;
  whenLoaded: () => Promise<void>;
}): ToolsService {
  const { toolRegistryManager, discovery, protocol, protocols, settings, whenLoaded } = options;
  const views = createToolViews(toolRegistryManager, settings);
  const { changes } = createToolChanges(views.current);

  return {
    whenLoaded,
    list: () => [...views.current().values()],
    changes: ({ since }) => changes(since),
    texts({ toolId, methodName }) {
      const entry = getToolIndex(toolRegistryManager).tools.get(toolId);
      const target = entry?.byName.get(methodName);
      if (!entry || !target) {
        throw new ToolError(
          entry ? 'unknown-method' : 'unknown-tool',
          `"${toolId}" "${methodName}" is not registered any more.`,
        );
      }
      // The method's own texts are useful even if the method is not offered to models.
      const method = { ...target.method, agentCallable: true };
      const tool = { toolId, toolName: entry.registry.name, methods: [method] };
      return {
        prompt: protocol.generateToolDefinitions([tool]),
        example: formatToolRequest(exampleCall(tool, method)),
      };
    },
    async reload({ toolId }) {
      const registry = toolRegistryManager.getTool(toolId);
      if (registry === undefined) throw new ToolError('unknown-tool', `"${toolId}" is not registered any more.`);
      if (registry.reload === undefined)
        throw new RequestError(`"${toolId}" has no file to load again. Only tools of the modules folder have one.`);
      await registry.reload();
    },
    missing({ toolName }) {
      try {
        resolveToolName({ toolRegistryManager, toolName });
        return {};
      } catch (error) {
        if (error instanceof ToolError) return { error: error.info };
        throw error;
      }
    },
    async prompt({ protocol: asked }) {
      const { toolCallConfig } = settings();
      const chosen = asked ?? newChatProtocol(toolCallConfig);
      // Composed as for a new chat, so that what is shown is what is sent.
      const config = effectiveConfig(toolCallConfig, { mode: toolCallConfig.mode, protocol: chosen, config: {} });
      const { text, tools, tokens } = offerTools({ discovery, config, protocol: chosen });
      const byTool = await countToolTokens({ discovery, protocols, config, protocol: chosen });
      return { protocol: chosen, text, tools, tokens, byTool };
    },
  };
}
