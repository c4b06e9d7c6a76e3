import type { JsonObject, JsonSchema, JsonValue } from '../../base/json.ts';

/** A picture that goes with a question, as a device's camera sends it. */
export interface ChatPicture {
  /** `image/jpeg`, `image/png`, … */
  mediaType: string;
  data: Uint8Array;
}

/** A call that a model asks for natively. */
export interface ChatToolCall {
  /** The model's own id; generated if it sent none. Unique within the reply. */
  id: string;
  /** The name that went to the model with the tool. */
  name: string;
  /** JSON text as the model wrote it, `{}` if it wrote nothing; it may be invalid. */
  argumentsText: string;
}

/** One message of a conversation, as a model takes it. */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; pictures?: readonly ChatPicture[] }
  | {
      role: 'assistant';
      content: string;
      /** Goes back with the calls it led to: DeepSeek's thinking models refuse a tool loop without it. */
      reasoning?: string;
      toolCalls?: readonly ChatToolCall[];
    }
  | { role: 'tool'; toolCallId: string; name: string; content: string };

/** A tool as it is offered natively. Names fit `^[a-zA-Z0-9_-]{1,64}$` (docs/protocols/gateway.md#tool-names). */
export interface ChatTool {
  name: string;
  description: string;
  parameters: JsonSchema;
  /** Whether the client that asks runs it itself. Not sent to servers. */
  isClients?: boolean;
}

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

/** Tokens as the server counted them. */
export interface ChatUsage {
  inputTokens?: number;
  outputTokens?: number;
}

/** The request and response of one step. Credentials are masked, and very long text is truncated. */
export interface ChatExchange {
  request: { method: string; url: string; headers: Record<string, string>; body: JsonValue };
  /** Absent if there was no response. */
  response?: {
    status: number;
    headers: Record<string, string>;
    /** The body, or the stream's lines, as they came. */ body: string;
  };
  /** ms from sending to the end. */
  durationMs: number;
  /** ms to the first part of the reply. */
  firstPartMs?: number;
}

/** What a model answered in one step. */
export interface ChatReply {
  text: string;
  reasoning?: string;
  toolCalls: ChatToolCall[];
  finishReason: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other';
  usage?: ChatUsage;
  exchange?: ChatExchange;
}

/** A chat model, wherever it runs. `generate` rejects with a `ChatModelError` and with nothing else. */
export interface ChatModel {
  /** For display: `deepseek-chat`, `Scripted model`. */
  readonly name: string;
  generate: (request: ChatRequest) => Promise<ChatReply>;
}

/**
 * Why a step failed. `timeout` is the total limit or a stall, `answer` a response that is not a chat completion,
 * `too-large` an answer beyond a limit of Toolwire.
 */
export type ChatModelErrorCode =
  'cancelled' | 'timeout' | 'unreachable' | 'http' | 'answer' | 'too-large' | 'stream' | 'script';

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
