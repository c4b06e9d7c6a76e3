import { textChange } from '../../ui/editor/textChange.ts';
import { applyEdits, type TextEdit } from './applyEdits.ts';

/** A line that a fix removes or writes; `…` stands for all further ones. */
export interface FixLine {
  sign: '−' | '+' | '…';
  text: string;
  /** Start and end offset of the part that differs from the corresponding line on the other side. */
  changed?: [from: number, to: number];
}

/** Characters of a line of a preview. */
const maxLength = 200;
/** Characters shown before the change. */
const maxBefore = 24;

/** The first lines that a fix removes and writes, in the order of the text. */
export function previewFix(text: string, edits: readonly TextEdit[], maxLines: number): FixLine[] {
  const hunks: { start: number; end: number; edits: TextEdit[] }[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    const open = hunks.at(-1);
    // Not looked for again: a line may have a million characters and hundreds of edits.
    if (open !== undefined && edit.end <= open.end) {
      open.edits.push(edit);
      continue;
    }
    const start = text.lastIndexOf('\n', edit.start - 1) + 1;
    const lineBreak = text.indexOf('\n', edit.end);
    const end = lineBreak < 0 ? text.length : lineBreak;
    if (open === undefined || start > open.end) hunks.push({ start, end, edits: [edit] });
    else {
      open.end = end;
      open.edits.push(edit);
    }
  }
  const lines: FixLine[] = [];
  for (const hunk of hunks) {
    lines.push(...linesOf(text, hunk));
    if (lines.length > maxLines) break;
  }
  const first = lines.slice(0, maxLines).map(excerptOf);
  return lines.length > maxLines ? [...first, { sign: '…', text: '' }] : first;
}

/** A line from a little before its change, as the view cuts long lines at their end. */
function excerptOf(line: FixLine): FixLine {
  const [start, end] = line.changed ?? [0, 0];
  const from = Math.max(0, start - maxBefore);
  const text = line.text.slice(from, from + maxLength);
  return from === 0 ? { ...line, text } : { ...line, text: `…${text}`, changed: [start - from + 1, end - from + 1] };
}

function linesOf(text: string, { start, end, edits }: { start: number; end: number; edits: TextEdit[] }): FixLine[] {
  const before = text.slice(start, end);
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const old = before.split('\n');
  const now = applyEdits(before, moved).split('\n');
  while (old.length > 0 && old[0] === now[0]) {
    old.shift();
    now.shift();
  }
  while (old.length > 0 && old.at(-1) === now.at(-1)) {
    old.pop();
    now.pop();
  }
  const changes = old.length === now.length ? old.map((line, at) => textChange(line, now[at] ?? '')) : [];
  const lineOf = (sign: '−' | '+', line: string, at: number): FixLine => {
    const change = changes[at];
    if (change === undefined) return { sign, text: line };
    const to = sign === '−' ? change.end : change.start + change.text.length;
    return { sign, text: line, changed: [change.start, to] };
  };
  return [...old.map((line, at) => lineOf('−', line, at)), ...now.map((line, at) => lineOf('+', line, at))];
}
