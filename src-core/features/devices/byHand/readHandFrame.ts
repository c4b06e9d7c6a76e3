import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { frameTypeOf } from '../wire/deviceMessage.ts';
import { messageSummary } from '../wire/messageSummary.ts';
import { plainText } from '../wire/plainText.ts';
import type { FrameType } from '../../../contract/deviceInfo.ts';

/** What a frame that the user wrote says, for the log. Whether it is dangerous, `frameDanger` decides. */
export interface HandFrame {
  type: FrameType;
  /** In a few words: `tools/call self.reboot`. */
  summary: string;
  /** Where it is a JSON-RPC request or notification. */
  method?: string;
  /** The tool that it calls, or what else it asks for after which a device may leave. */
  tool?: string;
  /** Of a request, as a board reads it: whole, of 32 bits (docs/protocols/device-mcp.md). */
  id?: number;
}

/** Reads a text that the user wrote, as devices read theirs: names without regard to case, a payload that may be text. */
export function readHandFrame(text: string): HandFrame {
  const message = parsed(text);
  if (!isJsonObject(message)) return { type: 'invalid', summary: 'text that is not a JSON object' };
  const said = member(message, 'type');
  if (typeof said !== 'string') return { type: 'event', summary: 'a message without a type' };
  const type = frameTypeOf(said);
  if (said === 'mcp') return { type, ...readRpc(member(message, 'payload')) };
  const summary = plainText(said, 48) ?? 'a message';
  const command = member(message, 'command');
  return said === 'system' && typeof command === 'string' && command.toLowerCase() === 'reboot'
    ? { type, summary: `${summary} reboot`, tool: `${summary} reboot` }
    : { type, summary: messageSummary(said, message) };
}

function readRpc(said: JsonValue | undefined): Omit<HandFrame, 'type'> {
  const payload = typeof said === 'string' ? parsed(said) : said;
  if (!isJsonObject(payload)) return { summary: 'mcp without a payload object' };
  const method = plainText(member(payload, 'method'), 200);
  if (method === undefined) return { summary: 'mcp without a method' };
  const id = member(payload, 'id');
  const params = member(payload, 'params');
  const name = method === 'tools/call' && isJsonObject(params) ? member(params, 'name') : undefined;
  const tool = typeof name === 'string' ? (plainText(name, 200) ?? '') : undefined;
  return {
    summary: tool === undefined ? method : `${method} ${tool}`,
    method,
    ...(tool !== undefined && { tool }),
    ...(typeof id === 'number' ? { id: toInt32(id) } : {}),
  };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // It is sent as it is; a device may make something of it.
  }
}

/** The firmware finds members whatever their case. */
function member(object: JsonObject, name: string): JsonValue | undefined {
  const key = Object.hasOwn(object, name) ? name : Object.keys(object).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : object[key];
}

function toInt32(id: number): number {
  return Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.trunc(id)));
}
