import type { JsonObject } from '../../base/json.ts';
import type {
  ChatExchange,
  ChatMessage,
  ChatModelErrorCode,
  ChatTool,
  ChatToolCall,
  ChatUsage,
  FinishReason,
} from '../../contract/chatMessages.ts';

/** One step: a model is asked once. Running the calls and asking again is the caller's loop. */
export interface ChatRequest {
  messages: readonly ChatMessage[];
  tools?: readonly ChatTool[];
  /** 0 to 2; the server's default if absent. */
  temperature?: number;
  /** Tokens of the reply. */
  maxTokens?: number;
  signal?: AbortSignal;
  /** ms for the whole step, a stalled stream included; nothing is tried again. */
  totalMs?: number;
  /** ms between two parts of a stream. */
  chunkMs?: number;
  /** Called with each part of the reply as it arrives. */
  onPart?: (part: ChatPart) => void;
}

/** A piece of a reply as it streams. */
export type ChatPart = { type: 'text' | 'reasoning'; text: string } | { type: 'tool-call'; call: ChatToolCall };

/** What a model answered in one step. */
export interface ChatReply {
  text: string;
  reasoning?: string;
  toolCalls: ChatToolCall[];
  finishReason: FinishReason;
  usage?: ChatUsage;
  exchange?: ChatExchange;
}

/** A chat model, wherever it runs. `generate` rejects with a `ChatModelError` and with nothing else. */
export interface ChatModel {
  /** For display: `deepseek-chat`, `Scripted model`. */
  readonly name: string;
  generate: (request: ChatRequest) => Promise<ChatReply>;
}

/** A step that failed, with its details and exchange. */
export class ChatModelError extends Error {
  override readonly name = 'ChatModelError';
  readonly code: ChatModelErrorCode;
  readonly details: JsonObject;
  readonly exchange: ChatExchange | undefined;

  constructor(
    code: ChatModelErrorCode,
    message: string,
    {
      details = {},
      exchange,
      cause,
    }: { details?: JsonObject; exchange?: ChatExchange | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.details = details;
    this.exchange = exchange;
  }
}
