import { parseIntegersExactly } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** The JSON-RPC message in a recorded text frame; `undefined` if it has none, or was cut. */
export function mcpPayload(frame: { text?: string; cut?: boolean }): JsonObject | undefined {
  if (frame.text === undefined || frame.cut === true) return undefined;
  let body: JsonValue;
  try {
    body = parseIntegersExactly(frame.text);
  } catch {
    return undefined; // Boards send such answers too: `recordedAnswer` looks for what they say.
  }
  if (!isJsonObject(body)) return undefined;
  // Devices send it in an envelope.
  const message = body['jsonrpc'] === undefined ? body['payload'] : body;
  return isJsonObject(message) ? message : undefined;
}
