import type { ToolDiscoveryService } from '../../engine/discovery.ts';
import { resolveProtocol } from '../../engine/resolveProtocol.ts';
import type { ChatAssistantEntry, ChatCall, ChatEntry, ChatOptions, PromptTokens } from '../../contract/chat.ts';
import type { ChatMessage, ChatTool } from '../../contract/chatMessages.ts';
import type { ProtocolRegistry } from '../../protocols/registry.ts';
import type { WireNames } from '../../registry/wireNames.ts';
import { countTokens } from '../../base/countTokens.ts';
import type { EffectiveConfig } from './effectiveConfig.ts';
import { offerTools } from './offerTools.ts';
import { renderText } from './renderText.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { argsAsAsked, callFeedback, replyNote } from './callFeedback.ts';
import { unusedArguments } from './unusedArguments.ts';

/** A request to a model, before it is sent. */
export interface ComposedPrompt {
  messages: ChatMessage[];
  /** Offered natively; none in a text protocol. */
  tools: ChatTool[];
  /** Methods that are offered, in any protocol. */
  methods: number;
  tokens: PromptTokens;
}

/** The parts of a chat that go into a prompt. */
export interface ComposePromptOptions {
  options: ChatOptions;
  config: EffectiveConfig;
  entries: readonly ChatEntry[];
  discovery: ToolDiscoveryService;
  protocols: ProtocolRegistry;
}

/**
 * Composes the next request to the model: the system prompt, the tools that are currently available, and the
 * conversation. Consecutive messages of the same role are merged: some models' templates require alternating roles.
 */
export function composePrompt(options: ComposePromptOptions): ComposedPrompt & { names: WireNames } {
  const { systemPrompt, protocol } = options.options;
  const { config, discovery } = options;
  const offered = offerTools({ discovery, config, protocol });
  const { tools } = offered;
  const system = [systemPrompt.trim(), offered.text].filter((part) => part !== '').join('\n\n');
  const spoken = joinSides(conversation(options, offered.names));
  return {
    messages: [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...spoken],
    tools,
    methods: offered.methods,
    tokens: tokensOf({ system: systemPrompt, tools: offered.tokens, spoken }),
    names: offered.names,
  };
}

function conversation({ options, entries, protocols }: ComposePromptOptions, names: WireNames): ChatMessage[] {
  const { protocol } = options;
  return entries.flatMap((entry, at): ChatMessage[] => {
    if (entry.role === 'user') return [{ role: 'user', content: entry.text }];
    // A reply that was interrupted is part of the conversation only if the user answered it; otherwise it is requested
    // again.
    const isWhole = entry.stoppedBecause === 'done' || entry.calls.length > 0;
    if (!isWhole && entries[at + 1]?.role !== 'user') return [];
    if (protocol === 'native') return renderNative(entry, names);
    return renderText(entry, { protocol, asText: resolveProtocol(protocols, protocol) });
  });
}

function joinSides(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === 'user' && message.role === 'user') {
      joined[joined.length - 1] = { role: 'user', content: `${last.content}\n\n${message.content}` };
    } else if (last?.role === 'assistant' && message.role === 'assistant') {
      const toolCalls = message.toolCalls && { toolCalls: message.toolCalls };
      const content = [last.content, message.content].filter((part) => part !== '').join('\n\n');
      joined[joined.length - 1] = { role: 'assistant', content, ...toolCalls };
    } else joined.push(message);
  }
  return joined;
}

function tokensOf({ system, tools, spoken }: { system: string; tools: number; spoken: ChatMessage[] }): PromptTokens {
  const next = spoken.findLastIndex(({ role }) => role === 'assistant') + 1;
  const count = (messages: ChatMessage[]): number => countTokens(messages.map(textOf).join('\n'));
  const tokens = {
    system: countTokens(system.trim()),
    tools,
    history: count(spoken.slice(0, next)),
    message: count(spoken.slice(next)),
  };
  return { ...tokens, total: tokens.system + tokens.tools + tokens.history + tokens.message };
}

function textOf(message: ChatMessage): string {
  if (message.role !== 'assistant') return message.content;
  const { content, reasoning = '', toolCalls = [] } = message;
  return [reasoning, content, ...toolCalls.map(({ name, argumentsText }) => `${name} ${argumentsText}`)].join('\n');
}

/** A step as native messages: what the model wrote and called, then one message of each call's result. */
function renderNative(entry: ChatAssistantEntry, names: WireNames): ChatMessage[] {
  const calls = entry.calls.filter(({ result }) => result !== undefined);
  if (calls.length === 0) return entry.text === '' ? [] : [{ role: 'assistant', content: entry.text }];
  const note = replyNote(entry, { showsAll: false });
  return [
    {
      role: 'assistant',
      content: entry.text,
      ...(entry.protocol === 'native' && entry.reasoning !== undefined && { reasoning: entry.reasoning }),
      toolCalls: calls.map((call) => ({
        id: call.requestId,
        name: wireName(call, names),
        argumentsText: unusedArguments(call) === undefined ? sendable(call.argumentsText ?? argsAsAsked(call)) : '{}',
      })),
    },
    ...calls.map((call, at): ChatMessage => {
      const told = callFeedback(call)?.result ?? '';
      const content = at === calls.length - 1 && note !== '' ? `${told}\n${note}` : told;
      return { role: 'tool', toolCallId: call.requestId, name: wireName(call, names), content };
    }),
  ];
}

function wireName({ qualifiedName, toolName, command }: ChatCall, names: WireNames): string {
  return names.toWire(qualifiedName ?? (command === undefined ? toolName : `${toolName}_${command}`));
}

/** Servers read the arguments of earlier calls as JSON and refuse the whole request if they are broken. */
function sendable(argumentsText: string): string {
  try {
    return isJsonObject(JSON.parse(argumentsText) as JsonValue) ? argumentsText : '{}';
  } catch {
    return '{}';
  }
}
