import type { ServerMessage } from '../features/gateway/messages.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../base/json.ts';

/** Any message of the gateway, as it came (docs/gateway.md). */
export type GatewayMessage = ServerMessage & { timestamp: string };

/** What a tool's handler gets beside its arguments. */
export interface ToolCallContext {
  /** The gateway's id of the call. */
  callId: string;
  /** Aborts when the result is no longer awaited: the turn has failed, or the connection is gone. */
  signal: AbortSignal;
}

/** A tool of this client, with the function that does it. */
export interface ClientTool {
  /** 1 to 64 letters, digits, underscores and single dots; begins with a letter or underscore, ends in no dot. */
  name: string;
  /** The model reads it. */
  description: string;
  /** JSON Schema of an object. */
  parameters: JsonSchema;
  /** Gives the result, any JSON, or a promise of it. What it throws ends the turn: its message goes to the gateway. */
  handler: (args: JsonObject, context: ToolCallContext) => unknown;
}

/** What `configure` takes; what is left out stays as it is. For this connection only. */
export interface GatewayConfiguration {
  /** 0 to 1. */
  temperature?: number;
  /** Tokens of an answer. */
  maxTokens?: number;
  /** Whether what was said before goes to the model. */
  enableContext?: boolean;
}

/** A tool that the gateway ran during a turn. */
export interface ServerToolCall {
  name: string;
  arguments: JsonObject;
  result: JsonValue;
  success: boolean;
  durationMs: number;
}

/** The answer to a question. */
export interface ChatAnswer {
  text: string;
  /** The gateway's own tools that ran on the way, in their order. */
  serverTools: ServerToolCall[];
}
