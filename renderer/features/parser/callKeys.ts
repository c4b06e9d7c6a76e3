import type { ParsedCallView } from '../../../src-core/contract/types.ts';

/**
 * A key for each call: what is called with which arguments, and which of the equal ones it is. A result that is kept under
 * it is never shown for other arguments.
 */
export function callKeys(calls: readonly ParsedCallView[]): string[] {
  const counts = new Map<string, number>();
  return calls.map(({ toolName, command, resolution, argsJson }) => {
    const name = resolution.ok ? [resolution.qualifiedName] : [toolName, command];
    const key = JSON.stringify([name, argsJson]);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${key}#${count}`;
  });
}
