import { ChatModelError, type ChatModel, type ChatReply, type ChatRequest } from '../models/chatModel.ts';
import type { ChatFailure } from '../../contract/chat.ts';
import type { ChatExchange, ChatToolCall } from '../../contract/chatMessages.ts';

/** Characters of text and reasoning that one reply may have; a server that never stops is stopped. */
const maxReplyLength = 2_000_000;

/** A reply as far as it has come. */
export interface StreamedReply {
  text: string;
  reasoning: string;
  toolCalls: ChatToolCall[];
}

/** What one request came to: a whole reply, or what there was of it when it ended otherwise. */
export interface ModelAnswer extends StreamedReply {
  /** Whole: the model came to its end. */
  reply?: Pick<ChatReply, 'finishReason' | 'usage'>;
  cancelled?: true;
  failure?: ChatFailure;
  exchange?: ChatExchange;
}

/** A request for one model, and the listener for the parts of its reply. */
export interface AskModelOptions {
  model: ChatModel;
  request: Omit<ChatRequest, 'signal' | 'onPart'>;
  signal: AbortSignal;
  onStream: (soFar: StreamedReply) => void;
  /** Hears of what a model may not do: reject with anything but a `ChatModelError`. */
  onError: (error: unknown, where: string) => void;
}

/** Asks a model once. Never rejects: what goes wrong is in the answer. */
export async function askModel({ model, request, signal, onStream, onError }: AskModelOptions): Promise<ModelAnswer> {
  const soFar: StreamedReply = { text: '', reasoning: '', toolCalls: [] };
  if (signal.aborted) return { ...soFar, cancelled: true };
  const tooLong = new AbortController();
  try {
    const {
      text,
      reasoning = '',
      toolCalls,
      exchange,
      ...reply
    } = await model.generate({
      ...request,
      signal: AbortSignal.any([signal, tooLong.signal]),
      onPart(part) {
        if (part.type === 'tool-call') soFar.toolCalls.push(part.call);
        else soFar[part.type] += part.text;
        if (isTooLong(soFar)) tooLong.abort();
        else onStream(soFar);
      },
    });
    const whole = { text, reasoning, toolCalls, ...(exchange && { exchange }) };
    return isTooLong(whole) ? { ...cut(whole), failure: tooLongFailure } : { ...whole, reply };
  } catch (error) {
    const exchange = error instanceof ChatModelError && error.exchange ? { exchange: error.exchange } : {};
    if (tooLong.signal.aborted) return { ...cut(soFar), ...exchange, failure: tooLongFailure };
    if (signal.aborted) return { ...soFar, ...exchange, cancelled: true };
    return { ...soFar, ...exchange, failure: failureOf(error, onError) };
  }
}

function failureOf(error: unknown, onError: AskModelOptions['onError']): ChatFailure {
  if (error instanceof ChatModelError) {
    const { code, message, details } = error;
    return { code, message, ...(Object.keys(details).length > 0 && { details }) };
  }
  onError(error, 'a chat model');
  return { code: 'internal', message: 'Toolwire failed to ask the model; its log says why.' };
}

const tooLongFailure: ChatFailure = {
  code: 'too-large',
  message: `The reply is longer than ${maxReplyLength.toLocaleString('en')} characters and was broken off there.`,
};

function isTooLong({ text, reasoning }: Pick<StreamedReply, 'text' | 'reasoning'>): boolean {
  return text.length + reasoning.length > maxReplyLength;
}

function cut<T extends StreamedReply>(reply: T): T {
  return {
    ...reply,
    text: reply.text.slice(0, maxReplyLength).toWellFormed(),
    reasoning: reply.reasoning.slice(0, maxReplyLength).toWellFormed(),
  };
}
