import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import { inertCallDiagnostic, unclosedInertDiagnostic } from './diagnostics.ts';
import { paint, type Reading } from './reading.ts';

const attributes = String.raw`(?:\s[^<>]{0,255})?(?<!/)>`;
const names = 'think|thinking|thought|reasoning';
/** Every repetition is bounded, so that looking for a tag costs a bounded amount at each `<`. */
const openTag = new RegExp(String.raw`<\s{0,8}(${names})${attributes}`, 'iy');
const anyTag = new RegExp(String.raw`<\s{0,8}(/?)\s{0,8}(${names})${attributes}`, 'gi');
const echoOpen = '<tool_response>';
const echoClose = '</tool_response>';

/** Reads reasoning or an echoed result that begins at `start`, and returns the offset after it; undefined if none does. */
export function readInert(reading: Reading, start: number): number | undefined {
  const { text } = reading;
  if (text.startsWith(echoOpen, start)) {
    const inside = start + echoOpen.length;
    const close = text.indexOf(echoClose, inside);
    const end = close < 0 ? text.length : close;
    return passInert(reading, 'echo', 'tool_response', {
      start,
      inside,
      end,
      after: close < 0 ? undefined : end + echoClose.length,
    });
  }
  openTag.lastIndex = start;
  const tag = openTag.exec(text);
  const name = tag?.[1]?.toLowerCase();
  if (tag === null || name === undefined) return undefined;
  const inside = start + tag[0].length;
  return passInert(reading, 'reasoning', name, { start, inside, ...closingTag(text, name, inside) });
}

/** Where reasoning ends: tags of the same name nest. */
function closingTag(text: string, name: string, from: number): { end: number; after: number | undefined } {
  anyTag.lastIndex = from;
  let depth = 1;
  for (let tag = anyTag.exec(text); tag !== null; tag = anyTag.exec(text)) {
    if (tag[2]?.toLowerCase() !== name) continue;
    depth += tag[1] === '/' ? -1 : 1;
    if (depth === 0) return { end: tag.index, after: tag.index + tag[0].length };
  }
  return { end: text.length, after: undefined };
}

function passInert(
  reading: Reading,
  kind: 'reasoning' | 'echo',
  name: string,
  { start, inside, end, after = end }: { start: number; inside: number; end: number; after: number | undefined },
): number {
  const { length } = reading.text;
  if (after === end && end === length)
    reading.diagnostics.push(unclosedInertDiagnostic({ start, end: inside }, name, length));
  paint(reading, 'prose', start);
  paint(reading, kind, after);
  reportInert(reading, kind, { start: inside, end });
  return after;
}

/** Reports what would be calls in a stretch of text in which none is run. */
export function reportInert(
  { text, diagnostics, inertCalls }: Reading,
  kind: 'code' | 'reasoning' | 'echo',
  range: TextRange,
  edits?: TextEdit[],
): void {
  for (const found of inertCalls?.(text.slice(range.start, range.end)) ?? []) {
    const place = { start: range.start + found.start, end: range.start + found.end };
    diagnostics.push(inertCallDiagnostic(kind, place, edits));
  }
}
