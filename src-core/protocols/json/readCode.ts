import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import { addCalls } from './addCalls.ts';
import { notACallDiagnostic } from './diagnostics.ts';
import { callsOf, readBroken, readDocuments } from './documents.ts';
import type { Fence, Fences } from './fences.ts';
import { reportInert } from './inert.ts';
import { paint, type Reading } from './reading.ts';

/** Languages of a fence whose JSON may be a call; the last ones say that it is. */
export const jsonLanguages: ReadonlySet<string> = new Set(['', 'json', 'tool_call', 'tool_calls']);
const callLanguages: ReadonlySet<string> = new Set(['tool_call', 'tool_calls']);

/** Reads what begins with the backticks or tildes at `start`: a fence, inline code or nothing. Gives the offset after it. */
export function readCode(reading: Reading, fences: Fences, start: number): number {
  const fence = fences.fenceAt(start);
  if (fence === undefined) {
    const inline = reading.text.charAt(start) === '`' ? fences.inlineAt(start) : undefined;
    if (inline === undefined) return fences.runEnd(start);
    return passCode(reading, inline, inline.content);
  }
  if (!fence.closed) {
    reading.unclosedFences.push(fence);
    return fence.content.start;
  }
  return jsonLanguages.has(fence.language) ? readJsonFence(reading, fence) : passFence(reading, fence);
}

function readJsonFence(reading: Reading, fence: Fence): number {
  const { start, content, end, language } = fence;
  const explicit = callLanguages.has(language);
  const documents = readDocuments(reading, content);
  const { roots } = documents;
  const whole = !documents.broken && documents.end >= content.end;
  const found = callsOf(roots, { explicit });
  const around = { open: { start, end: content.start }, close: { start: content.end, end } };
  if (whole && found.calls.length + found.definitions.length + found.fragments.length > 0) {
    paint(reading, 'prose', start);
    const running = found.calls.length > 0;
    if (running) addCalls(reading, { roots, found, form: 'fenced', around, between: 'code' });
    else addCalls(reading, { roots, found, form: 'fenced', between: 'code' });
    paint(reading, 'code', end);
    return end;
  }
  const from = documents.broken ? documents.end : (roots.at(-1)?.start ?? documents.end);
  const begins = documents.broken || roots.length > 0;
  if (!whole && begins) {
    const broken = readBroken(reading, { start: from, end: content.end }, { whole: true });
    const meant =
      found.calls.length + (broken.root === undefined ? 0 : callsOf([broken.root], { explicit }).calls.length);
    if (explicit || meant > 0) {
      reading.diagnostics.push(broken.diagnostic);
      paint(reading, 'prose', start);
      const block = reading.blocks++;
      paint(reading, 'marker', content.start, block);
      paint(reading, 'skipped', content.end, block);
      paint(reading, 'marker', end, block);
      return end;
    }
  } else if (explicit) reading.diagnostics.push(notACallDiagnostic({ start, end }));
  return passFence(reading, fence);
}

function passFence(reading: Reading, { start, end, content }: Fence): number {
  const outside: TextEdit[] = [
    { start, end: content.start, newText: '' },
    { start: content.end, end, newText: '' },
  ];
  return passCode(reading, { start, end }, content, outside);
}

function passCode(reading: Reading, whole: TextRange, inside: TextRange, edits?: TextEdit[]): number {
  paint(reading, 'prose', whole.start);
  paint(reading, 'code', whole.end);
  reportInert(reading, 'code', inside, edits);
  return whole.end;
}
