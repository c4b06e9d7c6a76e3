import { maximumSerialCalls } from '../serial.ts';
import { setOwn } from '../setOwn.ts';

/** A call as AIO Hub makes it. */
export interface AioHubCall {
  requestId: string;
  toolId: string;
  methodName: string;
  /** With `command`, as the host passes it on. */
  args: Record<string, string>;
}

/**
 * The calls of a block. Every key that ends in a digit counts as numbered: the block falls into one call a number, in
 * numeric order, whether a `commandN` stands in it or not; no more than `maximumSerialCalls` are given. `numbered` is the first such key.
 */
export function aioHubCalls(
  values: ReadonlyMap<string, string>,
  newId: () => string,
): { calls: AioHubCall[]; numbered: string | undefined } {
  const given = values.get('request_id')?.trim() ?? '';
  const requestId = given === '' ? newId() : given;
  const toolId = values.get('tool_name')?.trim() || 'unknown_tool';
  const shared: [string, string][] = [];
  const groups = new Map<number, [string, string][]>();
  let numbered: string | undefined;
  for (const [key, text] of values) {
    if (key === 'tool_name' || key === 'request_id') continue;
    const value = hostValue(text);
    const split = splitDigits(key);
    if (split === undefined) {
      shared.push([key, value]);
      continue;
    }
    numbered ??= key;
    const group = groups.get(split.number) ?? [];
    group.push([split.base, value]);
    groups.set(split.number, group);
  }
  const make = (id: string, entries: readonly [string, string][]): AioHubCall => {
    const args: Record<string, string> = {};
    for (const [key, value] of entries) setOwn(args, key, value);
    return { requestId: id, toolId, methodName: args.command?.trim() || 'unknown_command', args };
  };
  if (groups.size === 0) return { calls: [make(requestId, shared)], numbered };
  const ordered = [...groups].sort(([a], [b]) => a - b).slice(0, maximumSerialCalls);
  return { calls: ordered.map(([number, own]) => make(`${requestId}_${number}`, [...shared, ...own])), numbered };
}

/** The host undoes JSON quoting, and halves doubled backslashes. */
function hostValue(text: string): string {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'string') return value;
    } catch {
      // No JSON string: an ordinary value that happens to be quoted.
    }
  }
  return text.replaceAll('\\\\', '\\');
}

/** The digits at a key's end, one character before them at least. */
function splitDigits(key: string): { base: string; number: number } | undefined {
  let at = key.length;
  while (at > 1 && isDigit(key.charCodeAt(at - 1))) at--;
  return at === key.length ? undefined : { base: key.slice(0, at), number: Number(key.slice(at)) };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
