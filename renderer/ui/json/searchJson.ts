import { kindOf, nameOf, sourceOf } from './jsonRow.ts';
import type { JsonLines } from './jsonScan.ts';

/** Finds are counted up to here. */
export const maxFound = 10_000;

/** Makes a search that goes on where it stopped, for `inTurns`: the lines whose name or value has `find` (lower case) in it. */
export function searchJson(lines: JsonLines, find: string): (isTime: () => boolean) => number[] | undefined {
  const found: number[] = [];
  let line = 0;
  const has = (text: string): boolean => text.toLowerCase().includes(find);
  return (isTime) => {
    for (; line < lines.count && found.length < maxFound; line += 1) {
      if (line % 512 === 511 && isTime()) {
        // The line itself is looked at in the next turn.
        if (holds(line)) found.push(line);
        line += 1;
        return undefined;
      }
      if (holds(line)) found.push(line);
    }
    return found;
  };

  function holds(at: number): boolean {
    const kind = kindOf(lines, at);
    if (kind === 'end') return false;
    if (kind !== 'object' && kind !== 'array') {
      const source = sourceOf(lines, at);
      if (has(source.includes('\\') ? (JSON.parse(source) as string) : source)) return true;
    }
    return (lines.name[at] ?? -1) !== -1 && has(nameOf(lines, at) ?? '');
  }
}
