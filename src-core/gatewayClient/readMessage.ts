import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { GatewayMessage } from './messages.ts';

/** Far over what a gateway sends. */
const maxMessageChars = 16 * 1024 * 1024;

/** What each type must have for the client to stand on. */
const fits: Readonly<Record<GatewayMessage['type'], (message: JsonObject) => boolean>> = {
  status: ({ status, data }) => typeof status === 'string' && isJsonObject(data),
  llm_response: ({ content }) => typeof content === 'string',
  tool_call: ({ tool_name: name }) => typeof name === 'string',
  tool_callback: ({ call_id: callId, tool_name: name, arguments: args }) =>
    typeof callId === 'string' && typeof name === 'string' && isJsonObject(args),
  tools_registered: ({ tools }) => Array.isArray(tools) && tools.every(isJsonObject),
  error: ({ code, message }) => typeof code === 'string' && typeof message === 'string',
  pong: () => true,
};

/** A frame as a message of the gateway; undefined for what is none, which is passed over. */
export function readMessage(data: unknown): GatewayMessage | undefined {
  if (typeof data !== 'string' || data.length > maxMessageChars) return undefined;
  let message: JsonValue;
  try {
    message = JSON.parse(data) as JsonValue;
  } catch {
    return undefined; // Not JSON: none of the gateway's.
  }
  if (!isJsonObject(message) || typeof message['type'] !== 'string' || !Object.hasOwn(fits, message['type']))
    return undefined;
  const type = message['type'] as GatewayMessage['type'];
  // What of it is read has been looked at; a gateway may say more.
  return fits[type](message) ? (message as unknown as GatewayMessage) : undefined;
}
