import { fenceIndent, isIndent, longestLead } from '../fenceLead.ts';
import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import { createRequestIds } from '../requestIds.ts';
import { addCalls } from './addCalls.ts';
import { echoedDiagnostic, inReasoningDiagnostic, unclosedFenceDiagnostic } from '../diagnostics.ts';
import {
  codeCallDiagnostic,
  emptyCallDiagnostic,
  inlineCallDiagnostic,
  notACallDiagnostic,
  strayEndDiagnostic,
  unclosedCallDiagnostic,
  unclosedInertDiagnostic,
} from './diagnostics.ts';
import { callsOf, readBroken, readDocuments } from './documents.ts';
import { type Fence, Fences } from './fences.ts';
import { findCalls } from './findCalls.ts';
import { callTags, createReading, paint, standsAlone, type Reading } from './reading.ts';
import { scanJson } from '../../base/scanJson.ts';
import type { JsonParseOptions, JsonParseResult, JsonRequest } from './types.ts';

/**
 * Reads the JSON tool calls in a model's text, losslessly, in linear time (issue 3, item 3): `<tool_call>` tags, JSON in
 * fences, chat APIs' messages pasted from a log, objects that stand alone. What looks like a call and is not run has a
 * diagnostic. Never throws.
 */
export function parseJsonCalls(text: string, options: JsonParseOptions = {}): JsonParseResult {
  const { newId = createRequestIds('call') } = options;
  const inertCalls = (part: string): TextRange[] => {
    const inside = createReading({ text: part, newId: () => '', inertCalls: undefined });
    parseReading(inside);
    return inside.requests.map(({ range }) => range);
  };
  const reading = createReading({ text, newId, inertCalls });
  parseReading(reading);
  checkFenceFix(reading);
  const { requests, diagnostics, regions } = reading;
  diagnostics.sort((a, b) => a.start - b.start || a.end - b.end);
  return { length: text.length, requests, diagnostics, regions };
}

/**
 * Removes the fix of an unclosed fence if a call would no longer run, or in another order: a closed fence may turn other
 * text into calls.
 */
function checkFenceFix({ text, inertCalls, diagnostics, requests }: Reading): void {
  const unclosed = diagnostics.find(({ code, fix }) => code === 'unclosed-fence' && fix !== undefined);
  const edit = unclosed?.fix?.edits[0];
  if (unclosed === undefined || edit === undefined || requests.length === 0) return;
  const fixedText = text.slice(0, edit.start) + edit.newText + text.slice(edit.end);
  const fixed = createReading({ text: fixedText, newId: () => '', inertCalls });
  parseReading(fixed);
  // The range of a call may change: the fence becomes part of it.
  const isKept = requests.every((request, index) => isSameCall(request, fixed.requests[index]));
  if (!isKept) delete unclosed.fix;
}

function isSameCall(call: JsonRequest, other: JsonRequest | undefined): boolean {
  return call.toolName === other?.toolName && JSON.stringify(call.args) === JSON.stringify(other.args);
}

/** Goes once through the text, from one thing that may matter to the next. */
function parseReading(reading: Reading): void {
  const { text } = reading;
  const inert = reading.inertCalls === undefined;
  const fences = new Fences(text);
  const interesting = inert ? /[<{[]/g : /[<{[`~]/g;
  for (let at = 0; ;) {
    interesting.lastIndex = at;
    const found = interesting.exec(text);
    if (found === null) break;
    at = found.index;
    const start = at;
    const ran = reading.requests.length;
    const sign = found[0];
    if (sign === '`' || sign === '~') at = readCode(reading, fences, at);
    else if (sign !== '<') at = readBare(reading, at);
    else if (text.startsWith(callTags.open, at)) at = readTagged(reading, at);
    else if (text.startsWith(callTags.close, at)) at = readStrayEnd(reading, at);
    else at = (inert ? undefined : readInert(reading, at)) ?? at + 1;
    const isBare = sign === '{' || sign === '[';
    if (reading.requests.length > ran) reading.runs.push({ start, end: at, isBare });
  }
  reportUnclosedFences(reading);
  paint(reading, 'prose', text.length);
}

/**
 * Reads JSON that is bare in the text, and returns the offset after it. A chat API's message counts anywhere; an object
 * of a call's shape counts only if nothing else is on its lines.
 */
function readBare(reading: Reading, start: number): number {
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

/** Reads the call whose `<tool_call>` begins at `start`, and returns the offset after it. */
function readTagged(reading: Reading, start: number): number {
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
function readStrayEnd(reading: Reading, start: number): number {
  const range = { start, end: start + callTags.close.length };
  reading.diagnostics.push(strayEndDiagnostic(range));
  return range.end;
}

/**
 * The text has been read: reports the fences that are still open. Only the first has a fix: a line that closes another may
 * close it.
 */
function reportUnclosedFences(reading: Reading): void {
  const { text, unclosedFences, runs, diagnostics } = reading;
  for (const fence of unclosedFences) {
    const { start, content } = fence;
    const isFirst = fence === unclosedFences[0];
    const next = isFirst ? runs.findIndex((run) => run.start >= content.start) : -1;
    const isBeforeCall = next >= 0 && !holdsOnlyCalls(reading, fence, next);
    const close = isFirst ? closing(text, fence, isBeforeCall ? runs[next]?.start : undefined) : undefined;
    diagnostics.push(unclosedFenceDiagnostic({ start, end: content.start }, { close, isBeforeCall }));
  }
}

/** Closes the fence before the call at `call`, or at the end. */
function closing(text: string, { start, delimiter }: Fence, call: number | undefined): TextEdit {
  const indent = fenceIndent(beforeOnLine(text, start));
  const line = indent + delimiter;
  return call === undefined ? closeAtEnd(text, line) : closeBefore(text, call, { line, indent });
}

/** Whether nothing but bare calls, from that with the index `first`, follows a fence that may hold them: closed, it is theirs. */
function holdsOnlyCalls(reading: Reading, { language, content }: Fence, first: number): boolean {
  if (!jsonLanguages.has(language)) return false;
  let end = content.start;
  for (let index = first; index < reading.runs.length; index++) {
    const run = reading.runs[index];
    if (run?.isBare !== true || !isBlank(reading, end, run.start)) return false;
    end = run.end;
  }
  return isBlank(reading, end, reading.text.length);
}

function isBlank({ text }: Reading, start: number, end: number): boolean {
  let at = start;
  while (at < end && ' \t\r\n'.includes(text.charAt(at))) at++;
  return at === end;
}

function closeAtEnd(text: string, line: string): TextEdit {
  return { start: text.length, end: text.length, newText: text.endsWith('\n') ? line : `\n${line}` };
}

/** On a line of its own before that of the call, or before the call if other text is on its line. */
function closeBefore(text: string, call: number, { line, indent }: { line: string; indent: string }): TextEdit {
  const before = beforeOnLine(text, call);
  const isFirst = isIndent(before) && text[call - before.length - 1] === '\n';
  const start = isFirst ? call - before.length : call;
  return { start, end: start, newText: isFirst ? `${line}\n` : `\n${line}\n${indent}` };
}

/** What stands before `end` on its line, as far as 32 characters before it. */
function beforeOnLine(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - longestLead), end);
  return before.slice(before.lastIndexOf('\n') + 1);
}

/** Languages of a fence whose JSON may be a call; the last ones say that it is. */
const jsonLanguages: ReadonlySet<string> = new Set(['', 'json', 'tool_call', 'tool_calls']);
const callLanguages: ReadonlySet<string> = new Set(['tool_call', 'tool_calls']);

/** Reads what begins with the backticks or tildes at `start`: a fence, inline code or nothing. Gives the offset after it. */
function readCode(reading: Reading, fences: Fences, start: number): number {
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

const attributes = String.raw`(?:\s[^<>]{0,255})?(?<!/)>`;
const names = 'think|thinking|thought|reasoning';
/** Every repetition is bounded, so that looking for a tag costs a bounded amount at each `<`. */
const openTag = new RegExp(String.raw`<\s{0,8}(${names})${attributes}`, 'iy');
const anyTag = new RegExp(String.raw`<\s{0,8}(/?)\s{0,8}(${names})${attributes}`, 'gi');
const echoOpen = '<tool_response>';
const echoClose = '</tool_response>';

/** Reads reasoning or an echoed result that begins at `start`, and returns the offset after it; undefined if none does. */
function readInert(reading: Reading, start: number): number | undefined {
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
function reportInert(
  { text, diagnostics, inertCalls }: Reading,
  kind: 'code' | 'reasoning' | 'echo',
  range: TextRange,
  edits?: TextEdit[],
): void {
  for (const found of inertCalls?.(text.slice(range.start, range.end)) ?? []) {
    const place = { start: range.start + found.start, end: range.start + found.end };
    const report = kind === 'echo' ? echoedDiagnostic : inReasoningDiagnostic;
    diagnostics.push(kind === 'code' ? codeCallDiagnostic(place, edits) : report(place));
  }
}
