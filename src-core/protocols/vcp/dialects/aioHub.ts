import { duplicateKeyDiagnostic, error } from '../../diagnostics.ts';
import { longestLead } from '../../fenceLead.ts';
import { fencedDiagnostic } from '../contextDiagnostics.ts';
import { isControlField, mirrorValet } from '../control.ts';
import { Finder, nowhere } from '../finder.ts';
import { maximumSerialCalls } from '../serial.ts';
import { setOwn } from '../setOwn.ts';
import { readCodeSpan, type CodeSpan } from '../takeOutOfCode.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import type { VcpDiagnostic, VcpField, VcpRequest } from '../types.ts';
import { readAioHubFields, type AioHubField } from './aioHubFields.ts';
import { bodyDefects } from './bodyDefects.ts';
import { hostDefect, type HostReading, type HostReadingOptions } from './hostReading.ts';
import { HostRegions } from './hostRegions.ts';

/** A block as AIO Hub cuts it out: its START in no code, to the first END of the same writing. */
interface AioHubBlock extends TextRange {
  bodyStart: number;
  bodyEnd: number;
}

/** Reads a finished reply as AIO Hub does (docs/protocols/vcp.md). A block without `tool_name` is a call too. */
export function readAsAioHub(text: string, { newId }: HostReadingOptions): HostReading {
  const regions = new HostRegions();
  const requests: VcpRequest[] = [];
  const { blocks, diagnostics } = findBlocks(text);
  blocks.forEach((block, index) => {
    const { bodyStart, bodyEnd } = block;
    const { fields: found, rest } = readAioHubFields(text, { bodyStart, bodyEnd });
    const fields = found.map(toField);
    const inOrder = [...fields].sort((a, b) => a.start - b.start);
    regions.block(block, { start: bodyStart - block.start, end: block.end - bodyEnd }, inOrder, index);
    const inText = [...found].sort((a, b) => a.keyStart - b.keyStart);
    diagnostics.push(...bodyDefects({ text, bodyStart, bodyEnd, fields: inText, winner: 'first', toSource: range }));
    const values = new Map<string, string>();
    found.forEach((field, position) => {
      diagnostics.push(...fieldDiagnostics(field, fields[position] as VcpField, values.has(field.key)));
      // The host asks a plain object whether it has the key: what every object inherits counts as there.
      if (!values.has(field.key) && !(field.key in Object.prototype)) values.set(field.key, field.value);
    });
    const { calls, numbered } = aioHubCalls(values, () => newId(requests.length + 1));
    if (numbered !== undefined) diagnostics.push(numberedDiagnostic(block, numbered, calls.length, values));
    if ((values.get('tool_name') ?? '').trim() === '') {
      const message = 'The block has no tool_name: the host calls “unknown_tool”, which fails.';
      diagnostics.push(error('missing-tool-name', block, message));
    } else if (calls.some(({ args }) => (args.command ?? '').trim() === '')) {
      diagnostics.push(error('host-rejects', range(block), 'The host rejects the call: the block has no command.'));
    } else if (rest !== undefined) {
      const message = 'The host rejects the call: it cannot read the text after the last field.';
      diagnostics.push(error('host-rejects', rest, message));
    }
    for (const call of calls) requests.push(toRequest(text, block, inOrder, call));
  });
  regions.upTo(text.length, 'prose');
  return { requests, diagnostics, regions: regions.regions };
}

function findBlocks(text: string): { blocks: AioHubBlock[]; diagnostics: VcpDiagnostic[] } {
  const window = { text, base: 0, end: text.length };
  const code = findCodeRanges(text);
  const kinds = ['', '_ESCAPE'].map((suffix) => {
    const start = `<<<[TOOL_REQUEST${suffix}]>>>`;
    const end = `<<<[END_TOOL_REQUEST${suffix}]>>>`;
    return { start, end, starts: new Finder(start), ends: new Finder(end) };
  });
  const blocks: AioHubBlock[] = [];
  const diagnostics: VcpDiagnostic[] = [];
  let nextCode = 0;
  let span: CodeSpan | undefined;
  for (let at = 0; ;) {
    const starts = kinds.map((kind) => kind.starts.find(window, at));
    const start = Math.min(...starts);
    const kind = kinds[starts.indexOf(start)];
    if (start === nowhere || kind === undefined) return { blocks, diagnostics };
    while ((code[nextCode]?.end ?? nowhere) <= start) nextCode++;
    const around = code[nextCode];
    const bodyStart = start + kind.start.length;
    const bodyEnd = kind.ends.find(window, bodyStart);
    at = bodyStart;
    if (around !== undefined && around.start <= start) {
      span = span?.start === around.start ? span : spanOf(text, around);
      const end = Math.min(bodyEnd + kind.end.length, span.content.end);
      diagnostics.push(fencedDiagnostic({ start, end }, span));
    } else if (bodyEnd === nowhere) {
      diagnostics.push({
        code: 'unclosed-block',
        severity: 'error',
        start,
        end: bodyStart,
        message: 'This block has no end: the host does not see it.',
      });
    } else {
      at = bodyEnd + kind.end.length;
      blocks.push({ start, bodyStart, bodyEnd, end: at });
    }
  }
}

function spanOf(text: string, { start, end }: TextRange): CodeSpan {
  const inline = !text.startsWith('```', start);
  const length = inline ? 1 : 3;
  const openEnd = start + length;
  const closeStart = Math.max(openEnd, end - length);
  const before = text.slice(Math.max(0, start - longestLead), start);
  return readCodeSpan(text.slice(start, end), {
    start,
    openEnd,
    closeStart,
    end,
    inline,
    before: before.slice(before.lastIndexOf('\n') + 1),
  });
}

function toRequest(text: string, block: AioHubBlock, fields: VcpField[], call: AioHubCall): VcpRequest {
  const args: Record<string, string> = {};
  const rawArgs: Record<string, string> = {};
  const control: Record<string, string> = {};
  for (const [key, value] of Object.entries(call.args)) {
    if (isControlField(key)) control[key] = value.trim();
    else if (key !== 'command') {
      setOwn(args, key, value);
      setOwn(rawArgs, key, value);
    }
  }
  mirrorValet(control);
  return {
    requestId: call.requestId,
    toolName: call.toolId,
    command: call.methodName,
    rawBlock: text.slice(block.start, block.end),
    args,
    rawArgs,
    range: range(block),
    dialect: 'aiohub',
    fields,
    control,
    raw: { name: `${call.toolId}_${call.methodName}`, args: call.args },
  };
}

function toField({ key, keyStart, keyEnd, valueStart, valueEnd, end, escaped }: AioHubField): VcpField {
  return {
    key,
    start: keyStart,
    end,
    keyRange: { start: keyStart, end: keyEnd },
    valueRange: { start: valueStart, end: valueEnd },
    escaped,
  };
}

function fieldDiagnostics(field: AioHubField, written: VcpField, known: boolean): VcpDiagnostic[] {
  const { key, value, recovered } = field;
  const diagnostics: VcpDiagnostic[] = [];
  if (known) {
    diagnostics.push({
      ...duplicateKeyDiagnostic(key, written, written.keyRange),
      message: `“${key}” comes more than once: this host keeps the first it finds.`,
    });
  }
  if (key in Object.prototype)
    diagnostics.push(
      hostDefect(written.keyRange, `The host drops “${key}”: it takes every object to have it already.`),
    );
  if (recovered) {
    const message = `The value of “${key}” is not closed: the host takes all up to the block’s end.`;
    diagnostics.push(error('unclosed-value', written, message));
  }
  if (value.includes('\\\\')) diagnostics.push(hostDefect(written.valueRange, 'The host makes one backslash of two.'));
  return diagnostics;
}

function numberedDiagnostic(
  block: AioHubBlock,
  numbered: string,
  calls: number,
  values: ReadonlyMap<string, string>,
): VcpDiagnostic {
  const serial = [...values.keys()].some((key) => /^command\d+$/.test(key));
  const message = `The host takes the digits of “${numbered}” for a call number: it cuts them off. Calls that it runs: ${calls}.`;
  return serial
    ? {
        code: 'host-defect',
        severity: 'info',
        ...range(block),
        message: `The host runs the ${calls} numbered calls of this block.`,
      }
    : hostDefect(range(block), message);
}

function range({ start, end }: TextRange): TextRange {
  return { start, end };
}

/** What AIO Hub takes for code: ``` to the next ``` or the end of the text, and one line's text between backticks. */
function findCodeRanges(text: string): TextRange[] {
  const window = { text, base: 0, end: text.length };
  const tick = new Finder('`');
  const fence = new Finder('```');
  const newline = new Finder('\n');
  const ranges: TextRange[] = [];
  for (let at = tick.find(window, 0); at !== nowhere; at = tick.find(window, at)) {
    if (fence.find(window, at) === at) {
      const close = fence.find(window, at + 3);
      const end = close === nowhere ? text.length : close + 3;
      ranges.push({ start: at, end });
      at = end;
      continue;
    }
    const close = tick.find(window, at + 1);
    if (close < newline.find(window, at) && close > at + 1) {
      ranges.push({ start: at, end: close + 1 });
      at = close + 1;
    } else at++;
  }
  return ranges;
}

/** A call as AIO Hub makes it. */
interface AioHubCall {
  requestId: string;
  toolId: string;
  methodName: string;
  /** With `command`, as the host passes it on. */
  args: Record<string, string>;
}

/**
 * The calls of a block. Every key that ends in a digit counts as numbered: the block falls into one call a number, in
 * numeric order, whether a `commandN` stands in it or not; no more than `maximumSerialCalls` are given. `numbered` is the first such key.
 */
function aioHubCalls(
  values: ReadonlyMap<string, string>,
  newId: () => string,
): { calls: AioHubCall[]; numbered: string | undefined } {
  const given = values.get('request_id')?.trim() ?? '';
  const requestId = given === '' ? newId() : given;
  const toolId = values.get('tool_name')?.trim() || 'unknown_tool';
  const shared: [string, string][] = [];
  const groups = new Map<number, [string, string][]>();
  let numbered: string | undefined;
  for (const [key, text] of values) {
    if (key === 'tool_name' || key === 'request_id') continue;
    const value = hostValue(text);
    const split = splitDigits(key);
    if (split === undefined) {
      shared.push([key, value]);
      continue;
    }
    numbered ??= key;
    const group = groups.get(split.number) ?? [];
    group.push([split.base, value]);
    groups.set(split.number, group);
  }
  const make = (id: string, entries: readonly [string, string][]): AioHubCall => {
    const args: Record<string, string> = {};
    for (const [key, value] of entries) setOwn(args, key, value);
    return { requestId: id, toolId, methodName: args.command?.trim() || 'unknown_command', args };
  };
  if (groups.size === 0) return { calls: [make(requestId, shared)], numbered };
  const ordered = [...groups].sort(([a], [b]) => a - b).slice(0, maximumSerialCalls);
  return { calls: ordered.map(([number, own]) => make(`${requestId}_${number}`, [...shared, ...own])), numbered };
}

/** The host undoes JSON quoting, and halves doubled backslashes. */
function hostValue(text: string): string {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'string') return value;
    } catch {
      // No JSON string: an ordinary value that happens to be quoted.
    }
  }
  return text.replaceAll('\\\\', '\\');
}

/** The digits at a key's end, one character before them at least. */
function splitDigits(key: string): { base: string; number: number } | undefined {
  let at = key.length;
  while (at > 1 && isDigit(key.charCodeAt(at - 1))) at--;
  return at === key.length ? undefined : { base: key.slice(0, at), number: Number(key.slice(at)) };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
