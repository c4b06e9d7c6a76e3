import type { MethodView, Settings, ToolView } from '../api/types.ts';
import type { ToolDiscoveryService } from '../engine/discovery.ts';
import { resolveToolEnabled } from '../engine/resolveToolEnabled.ts';
import { formatToolRequest } from '../protocols/vcp/formatToolRequest.ts';
import { exampleCall } from '../protocols/vcp/generateToolDefinitions.ts';
import type { ToolCallingProtocol } from '../protocols/base.ts';
import { callDanger } from '../tools/callDanger.ts';
import { ToolError } from '../tools/errors.ts';
import { matchesPattern } from '../tools/matchesPattern.ts';
import { methodParameters } from '../tools/methodParameters.ts';
import { getToolIndex } from '../tools/toolIndex.ts';
import type { ToolIndexEntry, ToolTarget } from '../tools/toolIndex.ts';
import type { ToolRegistryManager } from '../tools/toolRegistryManager.ts';
import { parseArgsJson } from '../tools/parseArgsJson.ts';
import type { ToolsService } from './services.ts';

/** What is registered, as the panes show it. Views are made once for each revision of the manager. */
export function createToolsService(options: {
  toolRegistryManager: ToolRegistryManager;
  discovery: ToolDiscoveryService;
  protocol: ToolCallingProtocol;
  settings: () => Settings;
}): ToolsService {
  const { toolRegistryManager, discovery, protocol, settings } = options;
  const views = new WeakMap<ToolIndexEntry, MethodView[]>();

  const methodsOf = (entry: ToolIndexEntry): MethodView[] => {
    const known = views.get(entry);
    if (known) return known;
    const made = [...entry.byName.values()].map(methodView);
    views.set(entry, made);
    return made;
  };

  return {
    list() {
      const { toolCallConfig, dangerousTools } = settings();
      return [...getToolIndex(toolRegistryManager).tools.values()].map((entry): ToolView => {
        const { registry, metadata } = entry;
        return {
          id: registry.id,
          name: registry.name,
          ...(registry.description !== undefined && { description: registry.description }),
          source: registry.source,
          enabled: resolveToolEnabled(registry.id, toolCallConfig),
          ...(metadata.error !== undefined && { error: metadata.error }),
          methods: withDanger(methodsOf(entry), dangerousTools),
        };
      });
    },
    texts({ toolId, methodName }) {
      const entry = getToolIndex(toolRegistryManager).tools.get(toolId);
      const target = entry?.byName.get(methodName);
      if (!entry || !target) {
        throw new ToolError(
          entry ? 'unknown-method' : 'unknown-tool',
          `"${toolId}" "${methodName}" is not registered any more.`,
        );
      }
      // The method's own texts are of interest also where a model is not offered it.
      const method = { ...target.method, agentCallable: true };
      const tool = { toolId, toolName: entry.registry.name, methods: [method] };
      return {
        prompt: protocol.generateToolDefinitions([tool]),
        example: formatToolRequest(exampleCall(tool, method)),
      };
    },
    prompt({ agentId }) {
      const config = settings().toolCallConfig;
      return { prompt: discovery.generatePrompt({ config, ...(agentId !== undefined && { agentId }) }) };
    },
    formatRequest({ toolName, command, argsJson }) {
      const args = parseArgsJson(argsJson);
      return { text: formatToolRequest({ toolName, ...(command !== undefined && { command }), args }) };
    },
  };
}

/** Marks what the person's list names; most lists are empty. */
function withDanger(methods: MethodView[], dangerousTools: readonly string[]): MethodView[] {
  if (dangerousTools.length === 0) return methods;
  return methods.map((method) => {
    const { qualifiedName, asksFirst } = method;
    const patterns = dangerousTools.filter((pattern) => matchesPattern(qualifiedName, pattern));
    const danger = callDanger({ method, qualifiedName }, patterns);
    return patterns.length === 0 || danger === undefined
      ? method
      : { ...method, danger, asksFirst: { ...asksFirst, patterns } };
  });
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
