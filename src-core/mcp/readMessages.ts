import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/client';

import { maximumJsonDepth } from '../base/cloneJson.ts';
import { markIntegers, parseIntegersExactly } from '../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** A message that could not be read: too long, nested too deeply, or with too many long numbers. Its request fails; the connection lives. */
export interface MessageFault {
  /** The request that it answers, if its beginning or its end shows this. */
  id?: RequestId;
  code: 'too-large' | 'invalid-answer';
  reason: string;
  bytes: number;
}

/**
 * Characters of what a server wrote, in a note or a failure. What is shown is shorter: who receives it masks secrets before it is cut,
 * so that no part of one is left at the end.
 */
export const longestNote = 64 * 1024;

/** What our transports have in addition to the SDK's interface. */
export interface McpTransport extends Transport {
  onfault?: (fault: MessageFault) => void;
  /** The id of a child process. */
  readonly pid?: number | null;
  hasReceived?: boolean;
  /** The id of the probe, while it is not answered. */
  probeId?: RequestId | undefined;
  /** A probe had no answer when `initialize` was sent. Undefined until then, false once it is answered. */
  ignoredProbe?: boolean | undefined;
  /** The result of a probe that was answered after `initialize` was sent. */
  lateProbe?: JsonValue | undefined;
}

/** Notes what a sent message means for the probe. */
export function noteProbe(transport: McpTransport, message: JSONRPCMessage): void {
  if (!('method' in message)) return;
  if (message.method === 'server/discover' && 'id' in message) transport.probeId = message.id;
  if (message.method === 'initialize') transport.ignoredProbe = transport.probeId !== undefined;
}

/** The messages of a text: one, or several of a batch (2025-03-26). Undefined if it is not JSON-RPC, or cannot be read. */
export function readMessages(text: string): JsonObject[] | undefined {
  const value = parseMessage(text);
  if (value === undefined) return undefined;
  const items = Array.isArray(value) ? value : [value];
  return items.length > 0 && items.every(isMessage) ? items : undefined;
}

function isMessage(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return typeof value['method'] === 'string' || 'result' in value || isJsonObject(value['error']);
}

/** `parseIntegersExactly` of a message; undefined if it is not JSON, or cannot be read. */
export function parseMessage(text: string): JsonValue | undefined {
  try {
    checkDepth(text);
    return parseIntegersExactly(text);
  } catch {
    return undefined;
  }
}

/** The text of a message for the SDK's parser: `markIntegers`. @throws {SyntaxError} If the message cannot be read. */
export function markMessage(text: string): string {
  checkDepth(text);
  return markIntegers(text);
}

/** Many functions that a message goes through, such as schemas, are recursive. Text that is not JSON has any depth. */
function checkDepth(text: string): void {
  // Each level takes two characters: most messages are too short.
  if (text.length <= 2 * maximumJsonDepth) return;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > maximumJsonDepth) throw new SyntaxError(`It is nested more than ${maximumJsonDepth} levels deep.`);
  }
}

/** Returns the index at which the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let from = end;
    while (text[from - 1] === '\\') from -= 1;
    if ((end - from) % 2 === 0) return end;
  }
  return text.length;
}

/** Hands messages to the SDK, to which a message is its own type. */
export function deliver(transport: McpTransport, messages: JsonObject[]): void {
  transport.hasReceived = true;
  for (const message of messages) {
    if (!('method' in message) && message['id'] === transport.probeId) {
      transport.probeId = undefined;
      // The SDK no longer waits for it.
      if (transport.ignoredProbe === true) {
        Object.assign(transport, { ignoredProbe: false, lateProbe: message['result'] });
        continue;
      }
    }
    transport.onmessage?.(message as unknown as JSONRPCMessage);
  }
}

// The ids of our requests are numbers; those of the SDK's client can also be texts without escapes.
const id = String.raw`"id"\s*:\s*(?<id>0|[1-9]\d{0,14}|"[\w:.-]{1,200}")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const idAtStart = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}`);
const idAtEnd = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);
const methodAtStart = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?(?:${id}\s*,\s*)?"method"\s*:`);

/** The first and last characters of a text. */
export function endsOf(text: string): { start: string; end: string } {
  return { start: text.slice(0, 4096), end: text.slice(-4096) };
}

/**
 * A fault of a message of which only the first and last characters are known. `own` is the request whose answer the stream
 * has. Undefined if the message is not an answer but a request or a notification.
 */
export function faultOfEnds(
  { start, end, own }: { start: string; end: string; own?: RequestId | undefined },
  fault: Omit<MessageFault, 'id'>,
): MessageFault | undefined {
  if (methodAtStart.test(start)) return undefined;
  const found = (idAtStart.exec(start) ?? idAtEnd.exec(end))?.groups?.['id'];
  const answered = found === undefined ? own : (JSON.parse(found) as RequestId);
  return { ...(answered !== undefined && { id: answered }), ...fault };
}

/** The fault of a text that `readMessages` cannot read, if it has the id of a request. */
export function faultOfText(text: string, bytes: number): MessageFault | undefined {
  const reason = 'It cannot be read as JSON-RPC.';
  const fault = faultOfEnds(endsOf(text), { code: 'invalid-answer', reason, bytes });
  return fault?.id === undefined ? undefined : fault;
}
