import { setOwn } from './setOwn.ts';
import type { VcpSerialCall } from './types.ts';

/** The most calls in a block: each has a copy of the shared fields, so that many of both would be more than the text. */
export const maximumSerialCalls = 100;

/** `command1` with its number, without leading zeros; undefined for any other key. */
export function serialNumber(key: string): string | undefined {
  return key.length > 7 && key.startsWith('command') ? splitNumber(key, 7)?.number : undefined;
}

/**
 * The calls of a block that has a `commandN` field, in numeric order: `pathN` goes to call N, fields without a call's
 * number go to all (docs/protocols/vcp.md#serial-calls). Undefined if `args` has no `commandN`, `too-many` past `maximumSerialCalls`.
 */
export function serialCalls(requestId: string, args: Record<string, string>): VcpSerialCall[] | 'too-many' | undefined {
  const calls = new Map<string, VcpSerialCall>();
  const keys = Object.keys(args);
  for (const key of keys) {
    const number = serialNumber(key);
    if (number !== undefined)
      calls.set(number, { requestId: `${requestId}#${number}`, command: args[key] ?? '', args: {} });
  }
  if (calls.size === 0) return undefined;
  if (calls.size > maximumSerialCalls) return 'too-many';
  const ordered = [...calls].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)).map(([, call]) => call);
  const shared: [string, string][] = [];
  const own: [VcpSerialCall, string, string][] = [];
  for (const key of keys) {
    if (serialNumber(key) !== undefined) continue;
    const value = args[key] ?? '';
    const split = splitNumber(key, firstTrailingDigit(key));
    const call = split === undefined || split.base === '' ? undefined : calls.get(split.number);
    if (call === undefined || split === undefined) shared.push([key, value]);
    else own.push([call, split.base, value]);
  }
  for (const call of ordered) for (const [key, value] of shared) setOwn(call.args, key, value);
  for (const [call, key, value] of own) setOwn(call.args, key, value);
  return ordered;
}

function splitNumber(key: string, at: number): { base: string; number: string } | undefined {
  if (at >= key.length) return undefined;
  for (let i = at; i < key.length; i++) if (!isDigit(key.charCodeAt(i))) return undefined;
  let first = at;
  while (first < key.length - 1 && key[first] === '0') first++;
  return { base: key.slice(0, at), number: key.slice(first) };
}

function firstTrailingDigit(key: string): number {
  let at = key.length;
  while (at > 0 && isDigit(key.charCodeAt(at - 1))) at--;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
