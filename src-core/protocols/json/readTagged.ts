import { addCalls } from './addCalls.ts';
import { emptyCallDiagnostic, notACallDiagnostic, strayEndDiagnostic, unclosedCallDiagnostic } from './diagnostics.ts';
import { callsOf, readBroken, readDocuments } from './documents.ts';
import { callTags, paint, type Reading } from './reading.ts';

/** Reads the call whose `<tool_call>` begins at `start`, and returns the offset after it. */
export function readTagged(reading: Reading, start: number): number {
  const { text, diagnostics } = reading;
  const bodyStart = start + callTags.open.length;
  const { roots, end, broken } = readDocuments(reading, { start: bodyStart, end: text.length });
  const closed = text.startsWith(callTags.close, end);
  const nothingFollows = end >= text.length || text.startsWith(callTags.open, end);
  paint(reading, 'prose', start);

  if (roots.length > 0 && !broken && (closed || nothingFollows)) {
    const found = callsOf(roots, { explicit: true });
    const bodyEnd = closed ? end : (roots.at(-1)?.end ?? end);
    const around = {
      open: { start, end: bodyStart },
      close: { start: bodyEnd, end: closed ? end + callTags.close.length : bodyEnd },
    };
    const range = { start, end: around.close.end };
    if (!closed) diagnostics.push(unclosedCallDiagnostic(range, 'run'));
    if (found.calls.length + found.definitions.length + found.fragments.length === 0)
      diagnostics.push(notACallDiagnostic(range));
    addCalls(reading, { roots, found, form: 'tool_call', around, between: 'skipped' });
    return range.end;
  }

  // No whole call: it ends at the next tag, whatever quotes are open.
  const close = reading.closer(end);
  const next = Math.min(close, reading.opener(end), text.length);
  const hasEnd = close === next;
  if (!hasEnd && roots.length === 0 && !broken) {
    diagnostics.push(unclosedCallDiagnostic({ start, end: bodyStart }, 'empty'));
    paint(reading, 'marker', bodyStart, reading.blocks++);
    return bodyStart;
  }
  const block = reading.blocks++;
  paint(reading, 'marker', bodyStart, block);
  const range = { start, end: hasEnd ? next + callTags.close.length : next };
  if (hasEnd && end === next) diagnostics.push(emptyCallDiagnostic(range));
  else if (roots.length === 0 && !broken) diagnostics.push(notACallDiagnostic(range));
  else if (!broken && !hasEnd)
    diagnostics.push(unclosedCallDiagnostic({ start, end: roots.at(-1)?.end ?? end }, 'text-follows'));
  else {
    const from = broken ? end : (roots.at(-1)?.start ?? end);
    diagnostics.push(readBroken(reading, { start: from, end: next }, { whole: true }).diagnostic);
  }
  if (!hasEnd && !broken) {
    // What follows is text like any other, and may hold calls.
    const last = roots.at(-1)?.end ?? bodyStart;
    paint(reading, 'skipped', last, block);
    return last;
  }
  paint(reading, 'skipped', next, block);
  if (hasEnd) paint(reading, 'marker', range.end, block);
  return range.end;
}

/** `</tool_call>` while none is open. */
export function readStrayEnd(reading: Reading, start: number): number {
  const range = { start, end: start + callTags.close.length };
  reading.diagnostics.push(strayEndDiagnostic(range));
  return range.end;
}
