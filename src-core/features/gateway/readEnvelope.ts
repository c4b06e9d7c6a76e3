import { parseIntegersExactly } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { GatewayError } from './gatewayError.ts';

/** A client's message of which only the type is known. */
export interface Envelope {
  type: string;
  body: JsonObject;
}

/**
 * Reads a text frame of a client. Throws a `GatewayError` `INVALID_MESSAGE` for what is not valid JSON, no object, or
 * has no `type` of text (docs/protocols/gateway.md#client-messages).
 */
export function readEnvelope(text: string): Envelope {
  const body = parse(text);
  if (!isJsonObject(body))
    throw new GatewayError('INVALID_MESSAGE', 'A message is a JSON object', `Got ${kindOf(body)}.`);
  const { type } = body;
  if (typeof type === 'string') return { type, body };
  const got = type === undefined ? 'It has no "type".' : `Its "type" is ${kindOf(type)}.`;
  throw new GatewayError('INVALID_MESSAGE', 'A message names its type in "type"', got);
}

function parse(text: string): JsonValue {
  try {
    return parseIntegersExactly(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : String(cause);
    throw new GatewayError('INVALID_MESSAGE', 'The message is not valid JSON', why, { cause });
  }
}

/** What a JSON value is, for people. */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return isJsonObject(value) ? 'an object' : `a ${typeof value === 'object' ? 'number' : typeof value}`;
}
