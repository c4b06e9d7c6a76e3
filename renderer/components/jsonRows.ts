import { isLosslessNumber } from 'lossless-json';

/** One line of a JSON tree. */
export interface JsonRow {
  /** JSON Pointer, `''` for the root; a closing bracket adds nothing to it. */
  path: string;
  depth: number;
  /** The property's name or the item's index. */
  name?: string;
  /** Whether the name is a property's, and stands in quotes. */
  quoted: boolean;
  kind: 'object' | 'array' | 'end' | 'string' | 'number' | 'word';
  /** The text of a value, or of the bracket. */
  text: string;
  /** Members, on an object or array. */
  count: number;
  collapsed: boolean;
  /** Whether a comma follows. */
  comma: boolean;
}

/** Longer strings are shown cut: the raw view has all of them. */
const maxShown = 2_000;
/** What of a cut string stands before the place that was looked for. */
const shownBefore = 200;

/**
 * The lines of a parsed JSON value (numbers may be `LosslessNumber`) with the members of `collapsed` paths left out. Of a
 * string too long to be shown it is the part around `find` (lower case), where that is in it.
 */
export function jsonRows(root: unknown, collapsed: ReadonlySet<string>, find = ''): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (value: unknown, at: Pick<JsonRow, 'path' | 'depth' | 'quoted' | 'comma'> & { name?: string }): void => {
    if (typeof value !== 'object' || value === null || isLosslessNumber(value)) {
      rows.push({ ...at, ...leaf(value, find), count: 0, collapsed: false });
      return;
    }
    const members: [string, unknown][] = Array.isArray(value)
      ? value.map((item, index) => [String(index), item])
      : Object.entries(value);
    const kind = Array.isArray(value) ? 'array' : 'object';
    const closed = members.length > 0 && collapsed.has(at.path);
    const [open, end] = kind === 'array' ? ['[', ']'] : ['{', '}'];
    const empty = members.length === 0;
    rows.push({
      ...at,
      kind,
      text: empty ? open + end : open,
      count: members.length,
      collapsed: closed,
      comma: at.comma && (empty || closed),
    });
    if (closed || empty) return;
    members.forEach(([name, member], index) => {
      const path = `${at.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const named = kind === 'object' ? { name } : {};
      add(member, {
        path,
        depth: at.depth + 1,
        quoted: kind === 'object',
        comma: index < members.length - 1,
        ...named,
      });
    });
    rows.push({
      path: at.path,
      depth: at.depth,
      quoted: false,
      kind: 'end',
      text: end,
      count: 0,
      collapsed: false,
      comma: at.comma,
    });
  };
  add(root, { path: '', depth: 0, quoted: false, comma: false });
  return rows;
}

function leaf(value: unknown, find: string): Pick<JsonRow, 'kind' | 'text'> {
  if (typeof value === 'string') return { kind: 'string', text: JSON.stringify(cut(value, find)) };
  if (isLosslessNumber(value)) return { kind: 'number', text: value.value };
  return typeof value === 'number' ? { kind: 'number', text: String(value) } : { kind: 'word', text: String(value) };
}

function cut(text: string, find: string): string {
  if (text.length <= maxShown) return text;
  const place = find === '' ? 0 : text.toLowerCase().indexOf(find);
  const from = place + find.length > maxShown ? place - shownBefore : 0;
  const to = from + maxShown;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
