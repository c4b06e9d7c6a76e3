import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { textOf } from './eventFields.ts';

/** A frame of the server: an event, or why it is none. */
export type ReadFrame = { type: string; event: JsonObject } | { problem: string };

const typePattern = /^[\w.-]{1,100}$/;

/** Reads one frame. Never throws: garbage is noted and the session goes on. */
export function readFrame(text: string): ReadFrame {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return { problem: `no JSON: ${(error as SyntaxError).message}` };
  }
  if (!isJsonObject(value)) return { problem: 'JSON, but no object' };
  const type = textOf(value, 'type');
  if (type === undefined || !typePattern.test(type)) return { problem: 'an object without a type' };
  return { type, event: value };
}
