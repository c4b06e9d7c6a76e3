import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { SoftFailure } from '../base/toolTypes.ts';

/** An answer, and whose. */
export interface SoftFailureOptions {
  text: string;
  methodName: string;
  fromDevice: boolean;
}

/** Longer answers are data, not a status. */
const maxChars = 100_000;
const shownChars = 120;
/** `false` is a valid answer of `get_power` or `isPlaying`; from `set_theme` it reports a failure. */
const asks = /(^|_)(get|is|has|can|check|list)(?=[A-Z_]|$)/;

/**
 * Tools often fail without an error: JSON with `"success":false`, a text of devices that begins with 错误, the bare
 * `false` of a device's tool that was to do something (docs/protocols/device-mcp.md). The call stays a success; this is
 * what to flag.
 */
export function softFailureOf({ text, methodName, fromDevice }: SoftFailureOptions): SoftFailure | undefined {
  if (text.length > maxChars) return undefined;
  if (fromDevice) {
    if (text === 'false')
      return asks.test(methodName.slice(methodName.lastIndexOf('.') + 1)) ? undefined : { value: text };
    if (text.startsWith('错误')) return { value: text.slice(0, shownChars) };
  }
  return text.startsWith('{') || text.trimStart().startsWith('{') ? inMembers(text) : undefined;
}

function inMembers(text: string): SoftFailure | undefined {
  let answer: JsonValue;
  try {
    answer = JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // Text that only looks like JSON says nothing about success.
  }
  if (!isJsonObject(answer)) return undefined;
  for (const member of ['success', 'ok'])
    if (Object.hasOwn(answer, member) && answer[member] === false) return { member, value: 'false' };
  if (Object.hasOwn(answer, 'isError') && answer['isError'] === true) return { member: 'isError', value: 'true' };
  const error = Object.hasOwn(answer, 'error') ? answer['error'] : undefined;
  if (typeof error !== 'string' || error === '') return undefined;
  return { member: 'error', value: JSON.stringify(error.slice(0, shownChars)) };
}
