import type { JsonObject, JsonValue } from '../../base/json.ts';
import { GatewayError } from './gatewayError.ts';
import type { Configuration } from '../../contract/gateway.ts';
import type { TextInput, ToolResult } from './messages.ts';
import { kindOf } from './readEnvelope.ts';

/** Tools that one request may bring; each is answered for. */
const maxToolsInRequest = 1_000;

/** `text_input` (docs/protocols/gateway.md). Throws a `GatewayError` `INVALID_MESSAGE`, as every reader here. */
export function readTextInput(body: JsonObject): TextInput {
  const { text } = body;
  if (typeof text !== 'string') throw wrong('text', 'text', text);
  if (text.trim() === '') throw new GatewayError('INVALID_MESSAGE', 'Text cannot be empty');
  return { text, ...readSessionId(body) };
}

/** The session that a message names. Null and an empty text name none: clients send them before they know their session. */
export function readSessionId({ session_id: sessionId }: JsonObject): { sessionId?: string } {
  if (sessionId === undefined || sessionId === null || sessionId === '') return {};
  if (typeof sessionId !== 'string') throw wrong('session_id', 'text', sessionId);
  return { sessionId };
}

/** `configure` (docs/protocols/gateway.md#client-messages): only the fields that are there. */
export function readConfigure({
  temperature,
  max_tokens: maxTokens,
  enable_context: enableContext,
}: JsonObject): Partial<Configuration> {
  const read: Partial<Configuration> = {};
  if (temperature !== undefined) {
    if (typeof temperature !== 'number' || !(temperature >= 0 && temperature <= 1))
      throw wrong('temperature', 'a number from 0.0 to 1.0', temperature);
    read.temperature = temperature;
  }
  if (maxTokens !== undefined) {
    if (typeof maxTokens !== 'number' || !Number.isSafeInteger(maxTokens) || maxTokens < 1)
      throw wrong('max_tokens', 'a whole number of 1 or more', maxTokens);
    read.maxTokens = maxTokens;
  }
  if (enableContext !== undefined) {
    if (typeof enableContext !== 'boolean') throw wrong('enable_context', 'true or false', enableContext);
    read.enableContext = enableContext;
  }
  return read;
}

/** The `tools` of `register_tools` (docs/protocols/gateway.md#registering-tools), each unread. */
export function readToolList({ tools }: JsonObject): JsonValue[] {
  if (!Array.isArray(tools)) throw wrong('tools', 'a list of tools', tools);
  if (tools.length <= maxToolsInRequest) return tools;
  throw new GatewayError(
    'INVALID_MESSAGE',
    `"tools" may list at most ${maxToolsInRequest} tools`,
    `It lists ${tools.length}.`,
  );
}

/** `tool_result` (docs/protocols/gateway.md#client-messages). */
export function readToolResult({ call_id: callId, success, result = null, error }: JsonObject): ToolResult {
  if (typeof callId !== 'string' || callId === '') throw wrong('call_id', 'the id of a tool_callback', callId);
  if (typeof success !== 'boolean') throw wrong('success', 'true or false', success);
  if (error !== undefined && error !== null && typeof error !== 'string') throw wrong('error', 'text or null', error);
  return { callId, success, result, error: error ?? '' };
}

function wrong(field: string, wanted: string, got: JsonValue | undefined): GatewayError {
  if (got === undefined) return new GatewayError('INVALID_MESSAGE', `"${field}" is missing`, `It must be ${wanted}.`);
  const seen = typeof got === 'number' ? String(got) : kindOf(got);
  return new GatewayError('INVALID_MESSAGE', `"${field}" must be ${wanted}`, `Got ${seen}.`);
}
