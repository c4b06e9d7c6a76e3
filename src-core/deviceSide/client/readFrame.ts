import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** A text frame as a JSON object with a `type`; anything else is nothing to a device (docs/protocols/xiaozhi.md). */
export function readFrame(text: string): (JsonObject & { type: string }) | undefined {
  let message: JsonValue;
  try {
    message = JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // No JSON, so nothing to a device.
  }
  return isJsonObject(message) && hasType(message) ? message : undefined;
}

function hasType(message: JsonObject): message is JsonObject & { type: string } {
  return typeof message['type'] === 'string';
}
