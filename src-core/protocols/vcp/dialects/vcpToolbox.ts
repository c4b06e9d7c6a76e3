import { duplicateKeyDiagnostic, error, inReasoningDiagnostic } from '../../diagnostics.ts';
import { emptyBlockDiagnostic, missingToolNameDiagnostic } from '../blockDiagnostics.ts';
import { isSpace } from '../characters.ts';
import { unclosedReasoningDiagnostic } from '../contextDiagnostics.ts';
import { isControlField, mirrorValet } from '../control.ts';
import { Finder, nowhere } from '../finder.ts';
import { markers } from '../markers.ts';
import { setOwn } from '../setOwn.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import type { VcpDiagnostic, VcpField, VcpRequest } from '../types.ts';
import { bodyDefects } from './bodyDefects.ts';
import { hostDefect, type HostField, type HostReading, type HostReadingOptions } from './hostReading.ts';
import { HostRegions } from './hostRegions.ts';
import { stripText, type StrippedText } from './strippedText.ts';
import { readVcpToolboxFields } from './vcpToolboxFields.ts';

/** Control fields that VCPToolBox takes out of the arguments; the others stay among them. */
const taken = new Set(['archery', 'ink', 'river', 'vref']);

/** Reads a finished reply as VCPToolBox does (docs/protocols/vcp.md#dialects); `fuzzy` as with its tolerant markers. */
export function readAsVcpToolbox(source: string, options: HostReadingOptions & { fuzzy: boolean }): HostReading {
  const { fuzzy } = options;
  const reasoning = findReasoning(source);
  const stripped = stripText(source, reasoning.removed);
  const { blocks, lost, escape } = findVcpToolboxBlocks(stripped.text, { fuzzy });
  const regions = new HostRegions(reasoning.removed);
  const requests: VcpRequest[] = [];
  const diagnostics = reasoningDiagnostics(source, reasoning);
  blocks.forEach((block, index) => {
    const { bodyStart, bodyEnd } = block;
    const read = readVcpToolboxFields(stripped.text, { bodyStart, bodyEnd, fuzzy });
    const fields = read.map((field) => toField(field, stripped));
    const range = toRange(block, stripped);
    regions.block(range, { start: bodyStart - block.start, end: block.end - bodyEnd }, fields, index);
    diagnostics.push(...vcpToolboxDefects({ stripped, block, read, fields }));
    const request = toRequest({
      source,
      stripped,
      fuzzy,
      newId: () => options.newId(requests.length + 1),
      block,
      read,
      fields,
      range,
    });
    if (request !== undefined) requests.push(request);
    else if (fields.length === 0) diagnostics.push(emptyBlockDiagnostic(range));
    else diagnostics.push(missingToolNameDiagnostic(range, fields));
  });
  regions.upTo(source.length, 'prose');
  const lostRanges = lost.map((range) => toRange(range, stripped));
  diagnostics.push(...lostBlocks(lostRanges, escape === undefined ? undefined : stripped.toSource(escape)));
  return { requests, diagnostics, regions: regions.regions };
}

function toRequest(found: {
  source: string;
  stripped: StrippedText;
  fuzzy: boolean;
  newId: () => string;
  block: HostBlock;
  read: readonly HostField[];
  fields: VcpField[];
  range: TextRange;
}): VcpRequest | undefined {
  const { source, stripped, read, fields, range } = found;
  const hostArgs: Record<string, string> = {};
  const rawArgs: Record<string, string> = {};
  const args: Record<string, string> = {};
  const control: Record<string, string> = {};
  let toolName = '';
  for (const { key, valueStart, valueEnd, escaped } of read) {
    const written = stripped.text.slice(valueStart, valueEnd);
    const raw = escaped ? restore(written) : written;
    const value = raw.trim();
    if (key === 'tool_name') toolName = value;
    else if (isControlField(key)) control[key] = value;
    else if (key !== 'command' && key !== 'request_id' && key !== '__proto__') {
      rawArgs[key] = raw;
      args[key] = value;
    }
    if (key !== 'tool_name' && key !== '__proto__' && !taken.has(key)) setOwn(hostArgs, key, value);
  }
  if (toolName === '') return undefined;
  mirrorValet(control);
  if (control.maid !== undefined) hostArgs.maid = control.maid;
  const { command } = hostArgs;
  return {
    requestId: (Object.hasOwn(hostArgs, 'request_id') && hostArgs.request_id) || found.newId(),
    toolName,
    ...(command !== undefined && command !== '' && { command }),
    rawBlock: source.slice(range.start, range.end),
    args,
    rawArgs,
    range,
    dialect: found.fuzzy ? 'vcptoolbox-fuzzy' : 'vcptoolbox',
    fields,
    control,
    raw: { name: toolName, args: hostArgs },
  };
}

/** In an escaped value the escaped markers and leftover fences stand for the plain ones. */
function restore(value: string): string {
  return value
    .replace(/<<<\[((?:END_)?TOOL_REQUEST)_ESCAPE\]>>>/gi, '<<<[$1]>>>')
    .replace(/「([始末])ESCAPE」/gi, '「$1」');
}

function toRange({ start, end }: TextRange, stripped: StrippedText): TextRange {
  return { start: stripped.toSource(start), end: stripped.toSourceEnd(end) };
}

function toField(
  { key, keyStart, keyEnd, valueStart, valueEnd, end, escaped }: HostField,
  stripped: StrippedText,
): VcpField {
  const keyRange = toRange({ start: keyStart, end: keyEnd }, stripped);
  const valueRange = { start: stripped.toSourceEnd(valueStart), end: stripped.toSource(valueEnd) };
  return { key, start: keyRange.start, end: stripped.toSourceEnd(end), keyRange, valueRange, escaped };
}

function reasoningDiagnostics(source: string, { removed, unclosed }: StrippedReasoning): VcpDiagnostic[] {
  const window = { text: source, base: 0, end: source.length };
  const starts = new Finder(markers.start);
  const ends = new Finder(markers.end);
  const diagnostics: VcpDiagnostic[] = [];
  for (const { start, end } of removed) {
    for (let at = starts.find(window, start); at < end;) {
      const blockEnd = Math.min(end, ends.find(window, at) + markers.end.length);
      diagnostics.push(inReasoningDiagnostic({ start: at, end: blockEnd }));
      at = starts.find(window, blockEnd);
    }
  }
  const last = removed.at(-1);
  if (unclosed && last !== undefined) {
    const opening = { start: last.start, end: Math.min(last.start + '<think>'.length, source.length) };
    const firstCall = diagnostics.find(({ start }) => start >= last.start)?.start;
    diagnostics.push(unclosedReasoningDiagnostic(opening, 'think', firstCall ?? source.length));
  }
  return diagnostics;
}

function lostBlocks(lost: readonly TextRange[], escape: number | undefined): VcpDiagnostic[] {
  if (escape === undefined)
    return lost.map((range) => error('unclosed-block', range, 'This block has no end: the host stops reading here.'));
  const why = 'The host loses this block, since an ESCAPE value is never closed.';
  return [
    hostDefect(
      { start: escape, end: escape + '「始ESCAPE」'.length },
      'This ESCAPE is never closed: the host loses this block and every later one.',
    ),
    ...lost.map((range) => error('host-defect', range, why)),
  ];
}

/** Reasoning that VCPToolBox takes out before it looks for calls, anywhere in the text. */
interface StrippedReasoning {
  removed: TextRange[];
  /** The last one has no closing tag and reaches to the end of the text. */
  unclosed: boolean;
}

/** Finds `<think>` and `<thinking>` with what they enclose, tags counted as nested; one never closed takes all the rest. */
function findReasoning(text: string): StrippedReasoning {
  const window = { text, base: 0, end: text.length };
  const open = new Finder('<');
  const close = new Finder('>');
  const removed: TextRange[] = [];
  let depth = 0;
  let start = 0;
  for (let at = open.find(window, 0); at !== nowhere; at = open.find(window, at + 1)) {
    const closing = reasoningTag(text, at);
    if (closing === undefined) continue;
    const end = close.find(window, at);
    if (end === nowhere) break;
    if (!closing) {
      if (depth === 0) start = at;
      depth++;
    } else if (depth > 0 && --depth === 0) removed.push({ start, end: end + 1 });
  }
  if (depth > 0) removed.push({ start, end: text.length });
  return { removed, unclosed: depth > 0 };
}

/** Whether a reasoning tag begins at a `<`, and if it closes. */
function reasoningTag(text: string, at: number): boolean | undefined {
  let i = skip(text, at + 1);
  const closing = text[i] === '/';
  if (closing) i = skip(text, i + 1);
  const word = text.slice(i, i + 8).toLowerCase();
  const length = word === 'thinking' ? 8 : word.startsWith('think') ? 5 : 0;
  if (length === 0 || isWord(text.charCodeAt(i + length))) return undefined;
  return closing;
}

/** Blanks after `<` are few in any real tag; a bound keeps the scan linear. */
function skip(text: string, from: number): number {
  let i = from;
  while (i - from < 64 && isSpace(text.charCodeAt(i))) i++;
  return i;
}

function isWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f
  );
}

/** What VCPToolBox does to a block that its user would not expect (docs/protocols/vcp.md#dialects). */
function vcpToolboxDefects(found: {
  stripped: StrippedText;
  block: HostBlock;
  /** In offsets of the stripped text. */
  read: readonly HostField[];
  /** The same, in offsets of the source. */
  fields: readonly VcpField[];
}): VcpDiagnostic[] {
  const { stripped, block, read, fields } = found;
  const { text } = stripped;
  const toSource = ({ start, end }: TextRange): TextRange => ({
    start: stripped.toSource(start),
    end: stripped.toSourceEnd(end),
  });
  const { bodyStart, bodyEnd } = block;
  const diagnostics = bodyDefects({ text, bodyStart, bodyEnd, fields: read, winner: 'last', toSource });
  const seen = new Map<string, VcpField>();
  fields.forEach((field, index) => {
    const { key, keyRange, valueRange } = field;
    const { keyStart = 0, valueStart = 0, valueEnd = 0 } = read[index] ?? {};
    const before = text[keyStart - 1];
    if (before === '-' || before === '.') {
      diagnostics.push(
        hostDefect(keyRange, `The host takes “${key}” for the key: what stands before the “${before}” is lost.`),
      );
    }
    if (key === '__proto__') diagnostics.push(hostDefect(keyRange, 'The host drops a key of this name.'));
    if (valueRange.end - valueRange.start > valueEnd - valueStart) {
      diagnostics.push(
        hostDefect(valueRange, 'The host deletes the reasoning tags in this value, and the text between them.'),
      );
    }
    const earlier = seen.get(key);
    if (earlier !== undefined) diagnostics.push(duplicateKeyDiagnostic(key, earlier, keyRange));
    seen.set(key, field);
  });
  return diagnostics;
}

/** A block as VCPToolBox cuts it out. */
interface HostBlock extends TextRange {
  bodyStart: number;
  bodyEnd: number;
}

/** The blocks of a text, and where the host stopped looking because it found no end. */
interface VcpToolboxBlocks {
  blocks: HostBlock[];
  /** START of the block that has no end; the blocks from it on if an ESCAPE is the reason. */
  lost: TextRange[];
  /** An ESCAPE opened there and never closed: that is why. */
  escape: number | undefined;
}

const strict = { start: /<<<\[TOOL_REQUEST\]>>>/g, end: /<<<\[END_TOOL_REQUEST\]>>>/g };
const loose = { start: /<{2,4}\[TOOL_REQUEST\]>{2,4}/gi, end: /<{2,4}\[END_TOOL_REQUEST\]>{2,4}/gi };
const escapeOpen = /「始ESCAPE」/gi;
const escapeClose = /「末ESCAPE」/gi;

/** Cuts the blocks out: START to the first END that is in no ESCAPE value. Without such an END it stops for good. */
function findVcpToolboxBlocks(text: string, { fuzzy }: { fuzzy: boolean }): VcpToolboxBlocks {
  const patterns = fuzzy ? loose : strict;
  const starts = new PatternFinder(text, patterns.start);
  const ends = new PatternFinder(text, patterns.end);
  const opens = new PatternFinder(text, escapeOpen);
  const closes = new PatternFinder(text, escapeClose);
  const blocks: HostBlock[] = [];
  for (let at = 0; ;) {
    const start = starts.find(at);
    if (start === undefined) return { blocks, lost: [], escape: undefined };
    let from = start.end;
    let end = ends.find(from);
    for (
      let open = opens.find(from);
      open !== undefined && end !== undefined && open.start < end.start;
      open = opens.find(from)
    ) {
      const close = closes.find(open.end);
      if (close === undefined) return { blocks, lost: blocksFrom(text, start.start, patterns), escape: open.start };
      from = close.end;
      end = ends.find(from);
    }
    if (end === undefined) return { blocks, lost: [start], escape: undefined };
    blocks.push({ start: start.start, bodyStart: start.end, bodyEnd: end.start, end: end.end });
    at = end.end;
  }
}

/** The blocks from an offset on, each to its first END or else to the next START. */
function blocksFrom(text: string, from: number, patterns: typeof strict): TextRange[] {
  const starts = [...text.matchAll(patterns.start)].filter(({ index }) => index >= from);
  const ends = new PatternFinder(text, patterns.end);
  return starts.map(({ index, 0: marker }, at) => {
    const next = starts[at + 1]?.index ?? text.length;
    return { start: index, end: Math.min(next, ends.find(index + marker.length)?.end ?? next) };
  });
}

/** Finds a pattern forwards only, and passes over the text once. */
class PatternFinder {
  private found: TextRange | undefined;
  private exhausted = false;
  private readonly text: string;
  private readonly pattern: RegExp;

  constructor(text: string, pattern: RegExp) {
    this.text = text;
    this.pattern = new RegExp(pattern);
  }

  /** The first occurrence at or after `from`, which never goes back. */
  find(from: number): TextRange | undefined {
    if (this.exhausted || (this.found !== undefined && this.found.start >= from)) return this.found;
    this.pattern.lastIndex = from;
    const match = this.pattern.exec(this.text);
    this.found = match === null ? undefined : { start: match.index, end: match.index + match[0].length };
    this.exhausted = match === null;
    return this.found;
  }
}
