import type { EarlierResults } from '../engine/earlierResults.ts';
import type { ChatToolCall } from '../models/chatModel.ts';
import type { ToolRegistryManager } from '../tools/toolRegistryManager.ts';
import type { WireNames } from '../tools/wireNames.ts';
import type { ChatAssistantEntry } from './entries.ts';
import { planNativeCalls } from './planNativeCalls.ts';
import { planTextCalls } from './planTextCalls.ts';
import type { PlannedCalls } from './plannedCalls.ts';
import { readText } from './readText.ts';
import type { ChatProtocol } from './session.ts';

/** What a model gave, whole or as far as it came, and how to read it. */
export interface PlanReplyOptions {
  reply: { text: string; reasoning?: string | undefined; toolCalls: readonly ChatToolCall[] };
  protocol: ChatProtocol;
  /** Tool calling is on; off, texts are not parsed (seed 001 §2.4). */
  enabled: boolean;
  names: WireNames;
  toolRegistryManager: ToolRegistryManager;
  dangerousTools: readonly string[];
  suspicionOf: EarlierResults['suspicionOf'];
  newId: () => string;
}

/** What an entry says of a reply, and the calls in it. */
export interface PlannedReply extends PlannedCalls {
  shown: Pick<ChatAssistantEntry, 'protocol' | 'text' | 'raw' | 'reasoning' | 'remarks'>;
}

/**
 * Reads a reply. A model that calls natively in a chat whose protocol is text is taken at its word: its calls run, and go
 * back to it in the chat's protocol.
 */
export function planReply({ reply, enabled, names, ...options }: PlanReplyOptions): PlannedReply {
  const { text, toolCalls } = reply;
  const protocol = toolCalls.length > 0 ? 'native' : options.protocol;
  const read = readText(text, protocol === 'json' ? 'json' : 'vcp');
  const inText = enabled && protocol !== 'native';
  const prose = inText ? read.prose : read.withoutReasoning;
  const reasoning = [reply.reasoning?.trim() ?? '', read.reasoning].filter((part) => part !== '').join('\n\n');
  const calls = inText
    ? planTextCalls({ ...options, requests: read.requests })
    : planNativeCalls({ ...options, toolCalls, names });
  return {
    ...calls,
    shown: {
      protocol,
      text: prose,
      ...(prose !== text && { raw: text }),
      ...(reasoning !== '' && { reasoning }),
      ...(inText && read.remarks.length > 0 && { remarks: read.remarks }),
    },
  };
}
