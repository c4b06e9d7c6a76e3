import { setImmediate as nextTurn } from 'node:timers/promises';

import { countTokens } from '../../base/countTokens.ts';
import type { MethodMetadata } from '../../base/toolTypes.ts';
import type { ChatProtocol, ToolTokens } from '../../contract/chat.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { tools } from '../../contract/tools.ts';
import type { Settings, MethodView, ToolView } from '../../contract/types.ts';
import { resolveProtocol } from '../../engine/resolveProtocol.ts';
import { isOfferedTo } from '../../registry/isOfferedTo.ts';
import { effectiveConfig, newChatProtocol, type EffectiveConfig } from '../chat/effectiveConfig.ts';
import { offerTools } from '../chat/offerTools.ts';
import { createToolDiscoveryService, type DiscoveredTool, type ToolDiscoveryService } from '../../engine/discovery.ts';
import { formatToolRequest, isCarriedBy, uncarried } from '../../protocols/vcp/formatToolRequest.ts';
import { exampleCall, toolDefinition } from '../../protocols/vcp/generateToolDefinitions.ts';
import { createJsonProtocol } from '../../protocols/json/jsonProtocol.ts';
import { createProtocolRegistry, type ProtocolRegistry } from '../../protocols/registry.ts';
import { createVcpProtocol } from '../../protocols/vcp/vcpProtocol.ts';
import { ToolError } from '../../base/errors.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import { createDirectoryTreeTool } from '../../registry/builtin/directoryTree.ts';
import { createTimeTool } from '../../registry/builtin/time.ts';
import { ModuleLoader } from '../../registry/modules/moduleLoader.ts';
import { resolveToolName } from '../../registry/resolveToolName.ts';
import { getToolIndex, type ToolIndexEntry, type ToolTarget } from '../../registry/toolIndex.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { FeatureContext } from '../context.ts';
import { createToolChanges } from './toolChanges.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import { abortError } from '../../engine/toFailure.ts';
import { resolveToolEnabled } from '../../engine/resolveToolEnabled.ts';
import { callDanger } from '../../registry/callDanger.ts';
import { matchesPattern } from '../../base/matchesPattern.ts';
import { methodParameters } from '../../registry/methodParameters.ts';

/** What the other features use of the tools. */
export type Tools = Pick<ReturnType<typeof openTools>, 'discovery' | 'protocols'>;

type Context = FeatureContext & {
  modulesDir: string;
  /** Whether `start` waits for the modules. Each starts a thread and may hang. */
  waitsForModules: boolean;
};

/** Opens the built-in tools, the user's modules, the registered tools as the panes show them, and the texts made of them. */
export function openTools(context: Context) {
  const { toolRegistryManager, store, events, settings, modulesDir, waitsForModules, onError } = context;
  const protocol = createVcpProtocol();
  const protocols = createProtocolRegistry([protocol, createJsonProtocol()]);
  const discovery = createToolDiscoveryService({ toolRegistryManager, protocols });
  toolRegistryManager.register(createTimeTool());
  toolRegistryManager.register(createDirectoryTreeTool({ getRoot: () => settings().directoryRoot || undefined }));
  const mayCreate = store.health.state().fault === undefined;
  const modules = new ModuleLoader({ dir: modulesDir, mayCreate, toolRegistryManager, onError });
  let modulesRead = Promise.resolve();
  toolRegistryManager.onChange(() => events.emit('changed', 'tools'));
  events.on('settingsChanged', ({ isOf }) => {
    if (isOf('toolCallConfig', 'dangerousTools')) events.emit('changed', 'tools');
  });
  const views = createToolViews(toolRegistryManager, settings);
  const { changes } = createToolChanges(views.current);

  const service = {
    whenLoaded: () => modulesRead,
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
      // They are useful even if the method is not offered to models.
      const { method } = target;
      const tool = { toolId, toolName: entry.registry.name, methods: [method] };
      return {
        prompt: toolDefinition(tool, method),
        example: formatToolRequest(exampleCall(tool, method)),
        uncarried: uncarried(method).map(({ name }) => name),
      };
    },
    async reload({ toolId }, signal = new AbortController().signal) {
      const registry = toolRegistryManager.getTool(toolId);
      if (registry === undefined) throw new ToolError('unknown-tool', `"${toolId}" is not registered any more.`);
      if (registry.reload === undefined) throw new RequestError(localize('calls.noFileToReload', { toolId }));
      const reload = async (): Promise<void> => registry.reload?.();
      await untilAborted(reload, signal, () => abortError(signal, `Loading "${toolId}" again`));
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
  } satisfies Implementation<typeof tools>;
  return {
    service,
    discovery,
    protocols,
    async start() {
      modulesRead = modules.start();
      if (waitsForModules) await modulesRead;
      else modulesRead = modulesRead.catch((error: unknown) => onError(error, `reading ${modulesDir}`));
    },
    async close() {
      discovery.close();
      await modules.close();
    },
  };
}

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
function createToolViews(
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
  const needed = uncarried(method).filter(({ required }) => required);
  return {
    ...method,
    qualifiedName,
    parameters: methodParameters(method.inputSchema),
    ...(needed.length > 0 && { uncarried: needed.map(({ name }) => name) }),
    ...(danger !== undefined && { asksFirst: { builtIn: danger, patterns: [] } }),
  };
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((item, at) => item === b[at]));
}

/** Methods that are counted in one turn of the event loop: about 10 ms. */
const perTurn = 100;

/** Counts a method once for each protocol: of 32,000 methods most are as they were. */
const known = new WeakMap<MethodMetadata, Map<ChatProtocol, number>>();

/** The tokens of each tool that is offered, in the order in which they registered. */
async function countToolTokens(options: {
  discovery: ToolDiscoveryService;
  protocols: ProtocolRegistry;
  config: EffectiveConfig;
  protocol: ChatProtocol;
}): Promise<ToolTokens[]> {
  const { discovery, protocols, config, protocol } = options;
  if (!config.enabled) return [];
  const counted: ToolTokens[] = [];
  let methods = 0;
  const isOffered = (method: MethodMetadata) => isOfferedTo(method, 'chat') && isCarriedBy(protocol, method);
  for (const tool of discovery.getDiscoveredMethods(isOffered)) {
    if (tool.methods.length === 0 || !resolveToolEnabled(tool.toolId, config)) continue;
    let tokens = 0;
    for (const method of tool.methods) {
      tokens += tokensOf({ protocols, protocol, tool, method });
      methods += 1;
      if (methods % perTurn === 0) await nextTurn();
    }
    counted.push({ toolId: tool.toolId, methods: tool.methods.length, tokens });
  }
  return counted;
}

function tokensOf(options: {
  protocols: ProtocolRegistry;
  protocol: ChatProtocol;
  tool: DiscoveredTool;
  method: MethodMetadata;
}): number {
  const { protocol, method } = options;
  const ofMethod = known.get(method) ?? new Map<ChatProtocol, number>();
  known.set(method, ofMethod);
  const tokens = ofMethod.get(protocol) ?? countDefinition(options);
  ofMethod.set(protocol, tokens);
  return tokens;
}

function countDefinition({ protocols, protocol, tool, method }: Parameters<typeof tokensOf>[0]): number {
  const { name, description, inputSchema } = method;
  if (protocol === 'native') {
    const definition = { name: `${tool.toolId}_${name}`, description, parameters: inputSchema };
    return countTokens(JSON.stringify(definition));
  }
  // What a second definition adds: a protocol may write instructions and an example around the first.
  const alone = { toolId: tool.toolId, toolName: tool.toolName, methods: [method] };
  const writer = resolveProtocol(protocols, protocol);
  return (
    countTokens(writer.generateToolDefinitions([alone, alone])) - countTokens(writer.generateToolDefinitions([alone]))
  );
}
