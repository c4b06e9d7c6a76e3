import type { EarlierResults } from '../../engine/earlierResults.ts';
import type { ChatAssistantEntry, ChatFailure, ChatProtocol } from '../../contract/chat.ts';
import type { ChatToolCall } from '../../contract/chatMessages.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { TooMuchWorkError } from '../../base/workBudget.ts';
import type { WireNames } from '../../registry/wireNames.ts';
import { planTextCalls } from './planTextCalls.ts';
import { maxCallsOfReply, type PlannedCalls, type PlannedCall } from './plannedCalls.ts';
import { readTextFully } from './readText.ts';
import { createTurns } from '../../base/createTurns.ts';
import { readModelArguments } from '../../schema/readModelArguments.ts';
import type { DirectToolCall } from '../../base/calls.ts';
import { describeCall } from './describeCall.ts';

/** What a model gave, whole or as far as it came, and how to read it. */
export interface PlanReplyOptions {
  reply: {
    text: string;
    reasoning?: string | undefined;
    toolCalls: readonly ChatToolCall[];
    /** It was cut at its limit of tokens. */
    isCut?: boolean;
  };
  protocol: ChatProtocol;
  /** Tool calling is on; off, texts are not parsed. */
  enabled: boolean;
  names: WireNames;
  toolRegistryManager: ToolRegistryManager;
  dangerousTools: readonly string[];
  suspicionOf: EarlierResults['suspicionOf'];
  newId: () => string;
  /** Ends the reading of a large text. */
  signal: AbortSignal;
  /** Milliseconds of processor time for reading a large text; 5,000 unless set. */
  limitMs?: number;
  onError: ErrorReporter;
}

/** What an entry says of a reply, and the calls in it. */
export interface PlannedReply extends PlannedCalls {
  /** Why the reply was not read; then it is shown as it came, and has no calls. */
  failure?: ChatFailure;
  shown: Pick<
    ChatAssistantEntry,
    'protocol' | 'text' | 'raw' | 'withoutReasoning' | 'reasoning' | 'remarks' | 'skippedRemarks'
  >;
}

/**
 * Reads a reply. A model that calls natively in a chat whose protocol is text is taken at its word: its calls run, and
 * go back to it in the chat's protocol. A reply that takes too much time or memory is kept as it came, with the reason,
 * and so is one whose reading is aborted. Never rejects.
 */
export async function planReply(options: PlanReplyOptions): Promise<PlannedReply> {
  try {
    return await readAndPlan(options);
  } catch (error) {
    if (options.signal.aborted) return unread(options);
    if (error instanceof TooMuchWorkError) return unread(options, unreadable(error));
    options.onError(error, 'a chat reply');
    return unread(options, { code: 'internal', message: 'Toolwire failed to read the reply; its log says why.' });
  }
}

async function readAndPlan({ reply, enabled, names, ...options }: PlanReplyOptions): Promise<PlannedReply> {
  const { text, toolCalls, isCut = false } = reply;
  const protocol = toolCalls.length > 0 ? 'native' : options.protocol;
  const { signal, limitMs } = options;
  const read = await readTextFully(text, { protocol: protocol === 'json' ? 'json' : 'vcp', signal, limitMs });
  const inText = enabled && protocol !== 'native';
  const prose = inText ? read.prose : read.withoutReasoning;
  const reasoning = [reply.reasoning?.trim() ?? '', read.reasoning].filter((part) => part !== '').join('\n\n');
  const calls = inText
    ? await planTextCalls({ ...options, requests: read.requests, skippedCalls: read.skippedCalls })
    : await planNativeCalls({ ...options, toolCalls, isCut, names });
  return {
    ...calls,
    shown: {
      protocol,
      text: prose,
      ...(prose !== text && { raw: text }),
      ...(protocol !== 'native' && read.reasoning !== '' && { withoutReasoning: read.withoutReasoning }),
      ...(reasoning !== '' && { reasoning }),
      ...(inText && read.remarks.length > 0 && { remarks: read.remarks }),
      ...(inText && read.skippedRemarks > 0 && { skippedRemarks: read.skippedRemarks }),
    },
  };
}

function unread({ reply, protocol }: PlanReplyOptions, failure?: ChatFailure): PlannedReply {
  const reasoning = reply.reasoning?.trim() ?? '';
  return {
    planned: [],
    requests: [],
    skipped: 0,
    shown: { protocol, text: reply.text, ...(reasoning !== '' && { reasoning }) },
    ...(failure !== undefined && { failure }),
  };
}

function unreadable({ message }: TooMuchWorkError): ChatFailure {
  return { code: 'answer', message: `The reply was not read, and its calls were not run: ${message}.` };
}

/**
 * The calls that a model asked for natively. Arguments that are not a JSON object are a refusal that says what is wrong.
 * `isCut`: the reply was cut at its limit of tokens, so its last call may be incomplete.
 */
async function planNativeCalls(options: {
  toolCalls: readonly ChatToolCall[];
  isCut: boolean;
  names: WireNames;
  toolRegistryManager: ToolRegistryManager;
  dangerousTools: readonly string[];
  suspicionOf: EarlierResults['suspicionOf'];
  newId: () => string;
}): Promise<PlannedCalls> {
  const { toolCalls, isCut, names, toolRegistryManager, dangerousTools, suspicionOf, newId } = options;
  const taken = toolCalls.slice(0, maxCallsOfReply);
  const planned: PlannedCall[] = [];
  const requests: DirectToolCall[] = [];
  const rest = createTurns();
  for (const toolCall of taken) {
    const { id, name, argumentsText } = toolCall;
    const { args, refusal } = readModelArguments(argumentsText, { isCut: isCut && toolCall === toolCalls.at(-1) });
    const request = { requestId: newId(), toolName: names.fromWire(name) ?? name, args };
    const described = describeCall({ request, requestId: id, toolRegistryManager, dangerousTools, suspicionOf });
    planned.push({
      ...described,
      call: { ...described.call, argumentsText },
      ...(refusal !== undefined && { refusal }),
    });
    requests.push(request);
    await rest(1);
  }
  return { planned, requests, skipped: toolCalls.length - taken.length };
}
