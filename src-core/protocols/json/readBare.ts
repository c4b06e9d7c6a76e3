import { addCalls } from './addCalls.ts';
import { inlineCallDiagnostic } from './diagnostics.ts';
import { readBroken } from './documents.ts';
import { findCalls } from './findCalls.ts';
import { paint, standsAlone, type Reading } from './reading.ts';
import { scanJson } from './scanJson.ts';

/**
 * Reads JSON that is bare in the text, and returns the offset after it. A chat API's message counts anywhere; an object
 * of a call's shape counts only if nothing else is on its lines.
 */
export function readBare(reading: Reading, start: number): number {
  const { text } = reading;
  const { root, end, problems, resume } = scanJson(text, { start, limit: text.length, strict: true });
  if (root === undefined) return resume;
  const found = findCalls(root, { explicit: false });
  if (problems.length > 0) return found.calls.length === 0 ? resume : reportBroken(reading, start, resume);
  if (found.calls.length + found.definitions.length + found.fragments.length === 0) return end;
  const alone = standsAlone(reading, root);
  if (!alone && found.calls.some(({ api }) => !api)) reading.diagnostics.push(inlineCallDiagnostic(root));
  const calls = alone ? found.calls : found.calls.filter(({ api }) => api);
  paint(reading, 'prose', start);
  addCalls(reading, { roots: [root], found: { ...found, calls }, form: 'bare', between: 'prose' });
  paint(reading, 'prose', end);
  return end;
}

/** A call, but no JSON: it is read up to the next call at most. */
function reportBroken(reading: Reading, start: number, resume: number): number {
  const limit = Math.min(reading.opener(start), reading.text.length);
  const { end, diagnostic } = readBroken(reading, { start, end: limit }, { whole: false });
  reading.diagnostics.push(diagnostic);
  paint(reading, 'prose', start);
  const after = Math.max(end, resume);
  paint(reading, 'skipped', after, reading.blocks++);
  return after;
}
