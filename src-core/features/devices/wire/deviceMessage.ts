import { isCutJson, jsonFaultAt } from '../../../base/describeJsonFault.ts';
import { parseIntegersExactly } from '../../../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { TooManyNumbersError } from '../../../base/parseKeeping.ts';
import { messageTypes, type FrameType } from '../../../contract/deviceInfo.ts';

/** One text frame of a device, read (docs/protocols/xiaozhi.md). */
export type DeviceMessage =
  | { ok: true; type: string; body: JsonObject }
  /** No JSON, no object, or no `type`; `reason` says which. */
  | { ok: false; reason: string };

const knownTypes: ReadonlySet<string> = new Set(messageTypes);

/** What a log calls a message of this `type`; one that the protocol does not know is an `event`. */
export function frameTypeOf(type: string): FrameType {
  return knownTypes.has(type) ? (type as FrameType) : 'event';
}

/** Reads a text frame, whole numbers of any size exactly; never throws. */
export function readDeviceMessage(text: string): DeviceMessage {
  let body: JsonValue;
  try {
    body = parseIntegersExactly(text);
  } catch (error) {
    if (error instanceof TooManyNumbersError) return { ok: false, reason: error.message };
    const at = jsonFaultAt(text);
    return { ok: false, reason: at === undefined ? 'not valid JSON' : `not valid JSON from character ${at}` };
  }
  if (!isJsonObject(body)) return { ok: false, reason: 'JSON, but not an object' };
  return typeof body['type'] === 'string'
    ? { ok: true, type: body['type'], body }
    : { ok: false, reason: 'a JSON object without a "type"' };
}

/** Whether it is an `mcp` message whose end is missing. Linear in the text's length. */
export function isCutMcp(text: string): boolean {
  return /"type"[ \t]{0,4}:[ \t]{0,4}"mcp"/.test(text) && isCutJson(text);
}

/**
 * The request id in an answer that is not valid JSON: the firmware does not escape quotes in error messages
 * (docs/protocols/device-mcp.md). Linear in the text's length.
 */
export function salvageRpcId(text: string): number | undefined {
  const match = /"id"[ \t]{0,4}:[ \t]{0,4}(-?\d{1,16})/.exec(text);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
