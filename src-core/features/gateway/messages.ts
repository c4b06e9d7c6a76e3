import type { JsonObject, JsonValue } from '../../base/json.ts';

/** One tool of `tools_registered`, in the order of the request. */
export interface RegisteredTool {
  /** As the client wrote it; empty if it wrote none. */
  name: string;
  status: 'registered' | 'failed';
  /** Set when and only when it failed. */
  error?: string;
}

/** The eleven codes of docs/protocols/gateway.md#errors; there are no others. */
export type GatewayErrorCode =
  | 'INVALID_MESSAGE'
  | 'UNKNOWN_MESSAGE_TYPE'
  | 'LLM_ERROR'
  | 'SESSION_ERROR'
  | 'TIMEOUT'
  | 'INTERNAL_ERROR'
  | 'TOOL_NOT_FOUND'
  | 'TOOL_EXECUTION_FAILED'
  | 'INVALID_TOOL_PARAMETERS'
  | 'TOOL_RESULT_TIMEOUT'
  | 'TOOL_REGISTRATION_FAILED';

/** A message of the gateway (docs/protocols/gateway.md), before its timestamp is added. */
export type ServerMessage =
  | { type: 'status'; status: 'connected' | 'processing' | 'waiting_for_tools' | 'idle'; data: JsonObject }
  | { type: 'llm_response'; content: string; tool_calls: []; is_final: true }
  | {
      type: 'tool_call';
      tool_name: string;
      arguments: JsonObject;
      result: JsonObject;
      success: boolean;
      duration_ms: number;
    }
  | { type: 'tool_callback'; call_id: string; tool_name: string; arguments: JsonObject }
  | { type: 'tools_registered'; count: number; tools: RegisteredTool[] }
  | { type: 'error'; code: GatewayErrorCode; message: string; details: string }
  | { type: 'pong' };

/** A client's `text_input`, read. */
export interface TextInput {
  text: string;
  /** Absent if the client names none. */
  sessionId?: string;
}

/** A client's `tool_result`, read. */
export interface ToolResult {
  callId: string;
  success: boolean;
  /** Null if the client sent none. */
  result: JsonValue;
  /** Why it failed, in the client's words; empty if it gave no reason. */
  error: string;
}
