import type { ToolDiscoveryService } from '../engine/discovery.ts';
import { resolveToolEnabled } from '../engine/resolveToolEnabled.ts';
import type { ChatTool } from '../models/chatModel.ts';
import { createWireNames } from '../tools/wireNames.ts';
import type { WireNames } from '../tools/wireNames.ts';
import type { EffectiveConfig } from './effectiveConfig.ts';

/** The methods that a model is offered natively, under names that it can carry. */
export interface OfferedTools {
  tools: ChatTool[];
  names: WireNames;
}

/** Every agent-callable method of the enabled tools. Of two with one qualified name the first is offered. */
export function offeredTools(discovery: ToolDiscoveryService, config: EffectiveConfig): OfferedTools {
  const methods = new Map(
    discovery
      .getDiscoveredMethods()
      .filter(({ toolId }) => resolveToolEnabled(toolId, config))
      .flatMap((tool) => tool.methods.map((method) => [`${tool.toolId}_${method.name}`, method] as const))
      .reverse(),
  );
  const names = createWireNames(methods.keys());
  const tools = [...methods].reverse().map(([name, { description, inputSchema }]): ChatTool => ({
    name: names.toWire(name),
    description,
    parameters: inputSchema,
  }));
  return { tools, names };
}
