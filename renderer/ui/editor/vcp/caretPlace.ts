/** The caret's place in a request block, for completion. */
export type CaretPlace =
  | { in: 'text' }
  | { in: 'key'; fields: ReadonlyMap<string, string> }
  | { in: 'value'; key: string; typed: string; fields: ReadonlyMap<string, string> };

const openMarker = '<<<[TOOL_REQUEST]>>>';
const closeMarker = '<<<[END_TOOL_REQUEST]>>>';
const maxLookBack = 20_000;

/** Reads the usually unfinished block before the caret. This only assists typing and is not a parser. */
export function caretPlace(before: string): CaretPlace {
  const near = before.slice(-maxLookBack);
  const start = near.lastIndexOf(openMarker);
  if (start === -1 || near.indexOf(closeMarker, start) !== -1) return { in: 'text' };
  const body = near.slice(start + openMarker.length);
  const fields = new Map<string, string>();
  const pieces = body.split('「始」');
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    if (next === undefined) break;
    const key = /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]+)\s*:\s*$/.exec(piece.slice(-200))?.[1] ?? '';
    const end = next.indexOf('「末」');
    if (end === -1) return { in: 'value', key, typed: next, fields };
    fields.set(key, next.slice(0, end));
  }
  return { in: 'key', fields };
}
