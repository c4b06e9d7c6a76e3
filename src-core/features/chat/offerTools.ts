import { isCarriedBy } from '../../protocols/vcp/formatToolRequest.ts';
import { isOfferedTo } from '../../registry/isOfferedTo.ts';
import type { ToolDiscoveryService } from '../../engine/discovery.ts';
import { resolveToolEnabled } from '../../engine/resolveToolEnabled.ts';
import type { ChatProtocol } from '../../contract/chat.ts';
import type { ChatTool } from '../../contract/chatMessages.ts';
import { createWireNames, type WireNames } from '../../registry/wireNames.ts';
import { countTokens } from '../../base/countTokens.ts';
import type { EffectiveConfig } from './effectiveConfig.ts';

/** How a request to a model offers the tools: as a text in the system prompt, or natively beside the messages. */
export interface ToolOffer {
  /** Empty in the native protocol, and if no tool is offered. */
  text: string;
  /** Empty in a text protocol. */
  tools: ChatTool[];
  /** Methods that are offered, in every protocol. */
  methods: number;
  /** The names that a model may use natively, in every protocol. */
  names: WireNames;
  /** Of the text or the definitions; an estimate. */
  tokens: number;
}

/** The enabled tools and what a model is sent about them. Both Chat and Discovery's prompt are made by it. */
export function offerTools({
  discovery,
  config,
  protocol,
}: {
  discovery: ToolDiscoveryService;
  config: EffectiveConfig;
  protocol: ChatProtocol;
}): ToolOffer {
  const { tools, names } = nativeTools({ discovery, config, protocol });
  const methods = tools.length;
  if (protocol === 'native')
    return { text: '', tools, methods, names, tokens: tools.length === 0 ? 0 : countTokens(JSON.stringify(tools)) };
  const text = toolInstructions(
    discovery.generatePrompt({ config: { ...config, protocol }, consumer: 'chat' }),
    protocol,
  );
  return { text, tools: [], methods, names, tokens: countTokens(text) };
}

/** Every agent-callable method of the enabled tools that the protocol can call. Of two with one qualified name the first is offered. */
function nativeTools({ discovery, config, protocol }: Parameters<typeof offerTools>[0]): {
  tools: ChatTool[];
  names: WireNames;
} {
  const methods = new Map(
    discovery
      .getDiscoveredMethods((method) => isOfferedTo(method, 'chat') && isCarriedBy(protocol, method))
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

/** The introduction of a VCP prompt; JSON definitions contain their own (docs/protocols/vcp.md#prompts-and-results). */
const vcp = `You can call the tools that are defined below. To call one, write a request block as its example shows: each value between 「始」 and 「末」, or between 「始ESCAPE」 and 「末ESCAPE」 if the value itself contains these markers. Put no block into a code fence or into your reasoning, and where you need several calls, write several blocks. Then end your reply: the results come back in <<<[TOOL_RESULT]>>> blocks, in the order of the calls. The request_id of a result is that of its call; if the call has none, it ends with the number of the block in your reply.`;

/** The text that offers tools and describes how to call them; empty if none are offered. */
function toolInstructions(definitions: string, protocol: 'vcp' | 'json'): string {
  return definitions === '' || protocol === 'json' ? definitions : `${vcp}\n\n${definitions}`;
}
