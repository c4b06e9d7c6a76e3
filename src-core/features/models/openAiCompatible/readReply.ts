import { describeThrown } from '../../../base/describeThrown.ts';
import type { JsonValue } from '../../../base/json.ts';
import { ChatModelError, type ChatPart, type ChatReply } from '../chatModel.ts';
import type { ChatToolCall } from '../../../contract/chatMessages.ts';
import { createCallBudget } from './separateCalls.ts';
import { messageOfError } from './serverMessage.ts';
import type { ProviderModel } from './toPrompt.ts';

type StreamPart =
  Awaited<ReturnType<ProviderModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type WholeReply = Awaited<ReturnType<ProviderModel['doGenerate']>>;

const finishReasons: readonly ChatReply['finishReason'][] = ['stop', 'tool-calls', 'length', 'content-filter'];

export interface ReadStreamOptions {
  /** Called with each part as it arrives. */
  onPart: (part: ChatPart) => void;
  /** Called for each event of the server, whatever its content. */
  onEvent: () => void;
  /** True once a stream has closed as it should. */
  isDone: () => boolean;
}

/**
 * Reads a stream, made with `includeRawChunks`, to its end. An error in it ends the step, even if the server continues
 * and finishes.
 * @throws {ChatModelError} `stream` if the server broke off.
 * @throws The error of the connection or the SDK otherwise.
 */
export async function readStream(stream: ReadableStream<StreamPart>, options: ReadStreamOptions): Promise<ChatReply> {
  const reply = emptyReply();
  let event: unknown;
  for await (const part of stream) {
    const cause = event;
    event = undefined;
    switch (part.type) {
      case 'raw':
        options.onEvent();
        event = part.rawValue;
        break;
      case 'text-delta':
        reply.text += part.delta;
        options.onPart({ type: 'text', text: part.delta });
        break;
      case 'reasoning-delta':
        reply.reasoning = (reply.reasoning ?? '') + part.delta;
        options.onPart({ type: 'reasoning', text: part.delta });
        break;
      case 'tool-call':
        options.onPart({ type: 'tool-call', call: addCall(reply, part) });
        break;
      case 'error':
        if (cause !== undefined) throw brokenOff(cause as JsonValue, part.error);
        // Not about an event: the SDK's error for a stream that ended without a finish reason.
        if (isEmpty(reply)) throw part.error;
        if (!options.isDone())
          throw new ChatModelError('stream', 'The server’s answer ended before it was complete. Try again.');
        break;
      case 'finish':
        finish(reply, part);
        break;
      default:
        break;
    }
  }
  return reply;
}

/** Reads a reply that was not streamed. */
export function readWhole(whole: WholeReply, onPart: (part: ChatPart) => void): ChatReply {
  const reply = emptyReply();
  const budget = createCallBudget();
  for (const part of whole.content) {
    if (part.type === 'text' || part.type === 'reasoning') {
      if (part.type === 'text') reply.text += part.text;
      else reply.reasoning = (reply.reasoning ?? '') + part.text;
      onPart({ type: part.type, text: part.text });
    } else if (part.type === 'tool-call') {
      budget.take({ calls: 1, length: part.toolName.length + part.input.length });
      onPart({ type: 'tool-call', call: addCall(reply, part) });
    }
  }
  finish(reply, whole);
  return reply;
}

function emptyReply(): ChatReply {
  return { text: '', toolCalls: [], finishReason: 'other' };
}

function isEmpty({ text, reasoning, toolCalls }: ChatReply): boolean {
  return text === '' && reasoning === undefined && toolCalls.length === 0;
}

function addCall(reply: ChatReply, part: { toolCallId: string; toolName: string; input: string }): ChatToolCall {
  const taken = new Set(reply.toolCalls.map(({ id }) => id));
  let id = part.toolCallId;
  for (let more = 2; taken.has(id); more += 1) id = `${part.toolCallId}_${more}`;
  const argumentsText = part.input.trim() === '' ? '{}' : part.input;
  const call = { id, name: part.toolName, argumentsText };
  reply.toolCalls.push(call);
  return call;
}

function finish(reply: ChatReply, { finishReason, usage }: Pick<WholeReply, 'finishReason' | 'usage'>): void {
  const { unified } = finishReason;
  // Some servers say "stop" beside calls.
  const called = unified === 'stop' && reply.toolCalls.length > 0;
  reply.finishReason = called ? 'tool-calls' : (finishReasons.find((reason) => reason === unified) ?? 'other');
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return;
  reply.usage = {
    ...(inputTokens.total !== undefined && { inputTokens: inputTokens.total }),
    ...(outputTokens.total !== undefined && { outputTokens: outputTokens.total }),
  };
}

function brokenOff(event: JsonValue, error: unknown): ChatModelError {
  const said = messageOfError(event) ?? describeThrown(error).slice(0, 500);
  return new ChatModelError('stream', `The server broke off its answer: ${said}`, { details: { message: said } });
}
