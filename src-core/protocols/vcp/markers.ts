/** The markers of docs/protocols/vcp.md#grammar, as a model writes them. */
export const markers = {
  start: '<<<[TOOL_REQUEST]>>>',
  end: '<<<[END_TOOL_REQUEST]>>>',
  resultStart: '<<<[TOOL_RESULT]>>>',
  resultEnd: '<<<[END_TOOL_RESULT]>>>',
  definitionStart: '<<<[TOOL_DEFINITION]>>>',
  definitionEnd: '<<<[END_TOOL_DEFINITION]>>>',
} as const;

/** The fences around a value (docs/protocols/vcp.md#grammar). */
export const fences = {
  open: '「始」',
  close: '「末」',
  escapeOpen: '「始ESCAPE」',
  escapeClose: '「末ESCAPE」',
} as const;

/** How other hosts wrap the results that they feed back (docs/protocols/vcp.md#prompts-and-results). */
export const hostResultMarkers = [
  { host: 'vcptoolbox', open: '[[VCP调用结果信息汇总:', close: 'VCP调用结果结束]]' },
  { host: 'aiohub', open: '[[AIO工具调用结果信息汇总:', close: 'AIO工具调用结果结束]]' },
] as const;

/** What a marker in angle brackets says. */
export type MarkerKind =
  | 'start'
  | 'end'
  | 'result-start'
  | 'result-end'
  | 'legacy-start'
  | 'legacy-end'
  | 'escaped-start'
  | 'escaped-end';

const kindOfWord = new Map<string, MarkerKind>([
  ['TOOL_REQUEST', 'start'],
  ['END_TOOL_REQUEST', 'end'],
  ['TOOL_RESULT', 'result-start'],
  ['END_TOOL_RESULT', 'result-end'],
  ['TOOL_REQUEST_EXP', 'legacy-start'],
  ['END_TOOL_REQUEST_EXP', 'legacy-end'],
  ['TOOL_REQUEST_ESCAPE', 'escaped-start'],
  ['END_TOOL_REQUEST_ESCAPE', 'escaped-end'],
]);

const longestWord = 23;

/** A marker at an index of a string; `more` if the string ends before it is decided. */
export type MarkerReading = { kind: MarkerKind; length: number } | 'more' | undefined;

const startReading: MarkerReading = { kind: 'start', length: markers.start.length };
const endReading: MarkerReading = { kind: 'end', length: markers.end.length };

/**
 * Reads the marker that begins at `at`, which holds a `<`. `atEnd` says that nothing follows the string.
 * Looks at 31 characters at most.
 */
export function readMarker(text: string, at: number, atEnd: boolean): MarkerReading {
  // The fifth character tells which of the two common markers it can be.
  const fifth = text.charCodeAt(at + 4);
  if (fifth === 0x54 && text.startsWith(markers.start, at)) return startReading;
  if (fifth === 0x45 && text.startsWith(markers.end, at)) return endReading;
  let i = at;
  for (let k = 0; k < 4; k++, i++) {
    if (i >= text.length) return atEnd ? undefined : 'more';
    if (text.charCodeAt(i) !== (k < 3 ? 0x3c : 0x5b)) return undefined;
  }
  const wordStart = i;
  while (i < text.length && isMarkerLetter(text.charCodeAt(i)) && i - wordStart <= longestWord) i++;
  if (i - wordStart > longestWord) return undefined;
  const wordEnd = i;
  for (let k = 0; k < 4; k++, i++) {
    if (i >= text.length) return atEnd ? undefined : 'more';
    if (text.charCodeAt(i) !== (k === 0 ? 0x5d : 0x3e)) return undefined;
  }
  const kind = kindOfWord.get(text.slice(wordStart, wordEnd));
  return kind === undefined ? undefined : { kind, length: i - at };
}

function isMarkerLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}
