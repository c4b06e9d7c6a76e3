import { kinds, type JsonKind, type JsonLines } from './jsonScan.ts';
import { stepText } from './stepText.ts';

/** A drawn line of a JSON tree. */
export interface JsonRow {
  line: number;
  depth: number;
  /** The property's name. */
  name?: string;
  kind: JsonKind;
  /** The text of a value, or of the bracket. */
  text: string;
  /** Number of members of an object or array. */
  count: number;
  collapsed: boolean;
  /** The first member of a collapsed object, if that is a short value: a name often. */
  preview?: string;
  /** UTF-8 bytes of what is collapsed or cut. */
  bytes?: number;
  /** Whether a comma follows. */
  comma: boolean;
}

/** Longer strings are cut. The raw view shows them completely. */
const maxShown = 2_000;
/** Characters of a cut string before the match. */
const shownBefore = 200;

export const kindOf = (lines: JsonLines, line: number): JsonKind => kinds[lines.kind[line] ?? 5] ?? 'word';
/** Whether it is an object or array with members. */
export const holdsMembers = (lines: JsonLines, line: number): boolean =>
  (lines.kind[line] ?? 5) < 2 && lines.last[line] !== line;

/** The string of the text whose opening quote is at `from`. */
function stringAt({ text }: JsonLines, from: number): string {
  let to = from + 1;
  for (; text.charCodeAt(to) !== 34; to += 1) if (text.charCodeAt(to) === 92) to += 1;
  return JSON.parse(text.slice(from, to + 1)) as string;
}

/** The name of a member of an object. */
export function nameOf(lines: JsonLines, line: number): string | undefined {
  const at = lines.name[line] ?? -1;
  return at === -1 ? undefined : stringAt(lines, at);
}

/** The source text of a value, complete for objects and arrays. */
export function sourceOf(lines: JsonLines, line: number): string {
  const [start = 0, last = line] = [lines.start[line], lines.last[line]];
  if ((lines.kind[line] ?? 5) > 2) return lines.text.slice(start, lines.size[line]);
  return last === line
    ? lines.text.slice(start, lines.text.indexOf(lines.kind[line] === 0 ? '}' : ']', start) + 1)
    : lines.text.slice(start, (lines.start[last] ?? 0) + 1);
}

/** The next member after this one; -1 after the last. */
export function nextOf(lines: JsonLines, line: number): number {
  const next = (lines.last[line] ?? line) + 1;
  return next < lines.count && lines.parent[next] === lines.parent[line] && kindOf(lines, next) !== 'end' ? next : -1;
}

/** A line as drawn. A string that is too long is cut to the part around `find` (lower case), if it contains it. */
export function jsonRow(lines: JsonLines, line: number, collapsed: boolean, find = ''): JsonRow {
  const kind = kindOf(lines, line);
  const row = { line, kind, depth: lines.depth[line] ?? 0, count: 0, collapsed: false };
  const opened = kind === 'end' ? (lines.parent[line] ?? 0) : line;
  const follows = lines.parent[opened] !== -1 && nextOf(lines, opened) !== -1;
  if (kind === 'end') return { ...row, text: kindOf(lines, opened) === 'object' ? '}' : ']', comma: follows };
  const name = nameOf(lines, line);
  const named = { ...row, ...(name !== undefined && { name }) };
  if (kind === 'object' || kind === 'array') {
    const [open, shut] = kind === 'object' ? '{}' : '[]';
    const holds = holdsMembers(lines, line);
    const text = holds ? `${open ?? ''}` : `${open ?? ''}${shut ?? ''}`;
    const count = lines.size[line] ?? 0;
    const all = { ...named, text, count, collapsed, comma: follows && (!holds || collapsed) };
    if (!collapsed) return all;
    const preview = kind === 'object' ? previewOf(lines, line + 1) : '';
    return { ...all, preview, bytes: bytesOf(sourceOf(lines, line)) };
  }
  const source = sourceOf(lines, line);
  if (kind !== 'string') return { ...named, text: source, comma: follows };
  const whole = JSON.parse(source) as string;
  const text = JSON.stringify(cut(whole, find));
  return { ...named, text, comma: follows, ...(whole.length > maxShown && { bytes: bytesOf(source) }) };
}

/** The JSON path of a line (RFC 9535), as assertions use it; for an end, the path of its object or array. */
export function pathOf(lines: JsonLines, line: number): string {
  const parts: string[] = [];
  let at = kindOf(lines, line) === 'end' ? (lines.parent[line] ?? -1) : line;
  for (let parent = lines.parent[at] ?? -1; parent !== -1; at = parent, parent = lines.parent[at] ?? -1) {
    const name = nameOf(lines, at);
    if (name === undefined) {
      let place = 0;
      for (let item = parent + 1; item !== at && item !== -1; item = nextOf(lines, item)) place += 1;
      parts.push(stepText(place));
    } else parts.push(stepText(name));
  }
  return `$${parts.reverse().join('')}`;
}

/** The open lines, without the members of collapsed ones; at most `most`. */
export function openLines(lines: JsonLines, collapsed: ReadonlySet<number>, most: number): number[] {
  const open: number[] = [];
  for (let line = 0; line < lines.count && open.length < most; line += 1) {
    open.push(line);
    if (collapsed.has(line)) line = lines.last[line] ?? line;
  }
  return open;
}

const maxPreview = 80;
function previewOf(lines: JsonLines, first: number): string {
  const kind = kindOf(lines, first);
  if (kind === 'object' || kind === 'array' || sourceOf(lines, first).length > maxPreview) return '';
  const { name, text } = jsonRow(lines, first, false);
  return `${JSON.stringify(name)}: ${text}`;
}

/** The lines to fold, all at one level, so that at most `most` are open; the members of the root even if they are more. */
export function linesToFold(lines: JsonLines, most: number): Set<number> {
  /** Of each level: its lines, and those without the closing brackets, which a folded line has on itself. */
  const all: number[] = [];
  const members: number[] = [];
  for (let line = 0; line < lines.count; line += 1) {
    const depth = lines.depth[line] ?? 0;
    all[depth] = (all[depth] ?? 0) + 1;
    if (kindOf(lines, line) !== 'end') members[depth] = (members[depth] ?? 0) + 1;
  }
  let level = 1;
  for (let open = (all[0] ?? 0) + (all[1] ?? 0); open + (members[level + 1] ?? 0) <= most; level += 1) {
    if (level >= all.length) break;
    open += all[level + 1] ?? 0;
  }
  const folded = new Set<number>();
  for (let line = 0; line < lines.count; line += 1)
    if (lines.depth[line] === level && holdsMembers(lines, line)) folded.add(line);
  return folded;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function cut(text: string, find: string): string {
  if (text.length <= maxShown) return text;
  const place = find === '' ? 0 : text.toLowerCase().indexOf(find);
  const from = place + find.length > maxShown ? place - shownBefore : 0;
  const to = from + maxShown;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
