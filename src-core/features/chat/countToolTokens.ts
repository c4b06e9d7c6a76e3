import { isOfferedTo } from '../../registry/isOfferedTo.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { DiscoveredTool, ToolDiscoveryService } from '../../engine/discovery.ts';
import { resolveProtocol } from '../../engine/resolveProtocol.ts';
import { resolveToolEnabled } from '../../engine/resolveToolEnabled.ts';
import type { ProtocolRegistry } from '../../protocols/registry.ts';
import type { MethodMetadata } from '../../base/toolTypes.ts';
import { countTokens } from '../../base/countTokens.ts';
import type { EffectiveConfig } from './effectiveConfig.ts';
import type { ChatProtocol, ToolTokens } from '../../contract/chat.ts';

/** Methods that are counted in one turn of the event loop: about 10 ms. */
const perTurn = 100;

/** Counts a method once for each protocol: of 32,000 methods most are as they were. */
const known = new WeakMap<MethodMetadata, Map<ChatProtocol, number>>();

/** The tokens of each tool that is offered, in the order in which they registered. */
export async function countToolTokens(options: {
  discovery: ToolDiscoveryService;
  protocols: ProtocolRegistry;
  config: EffectiveConfig;
  protocol: ChatProtocol;
}): Promise<ToolTokens[]> {
  const { discovery, protocols, config, protocol } = options;
  if (!config.enabled) return [];
  const counted: ToolTokens[] = [];
  let methods = 0;
  for (const tool of discovery.getDiscoveredMethods((method) => isOfferedTo(method, 'chat'))) {
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
