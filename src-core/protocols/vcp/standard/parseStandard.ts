import { closesFenceAt, fenceIndent } from '../../fenceLead.ts';
import { cutMarkerDiagnostic } from '../blockDiagnostics.ts';
import { isLineSpace } from '../characters.ts';
import { nowhere } from '../finder.ts';
import { markers } from '../markers.ts';
import { insertAt, repeatedCallDiagnostic, unclosedFenceDiagnostic } from '../../diagnostics.ts';
import type { TextEdit } from '../../../base/replyTypes.ts';
import type { VcpParseResult, VcpParser, VcpParserOptions, VcpRequest } from '../types.ts';
import { endOutside } from './bareFields.ts';
import { stepBetweenFields } from './betweenFields.ts';
import { abandonBlock } from './blockEdges.ts';
import { blankToLineEnd, isFence, readRun, type DelimiterRun } from './codeDelimiter.ts';
import { skipBackToLineHead } from './fieldHead.ts';
import { endInert, stepInert } from './inert.ts';
import { closeCode, dropInline, escapeHold, isAtDeepestFence, textBeforeFence } from './holds.ts';
import { Machine } from './machine.ts';
import { stepProse } from './prose.ts';
import { flushRetired } from './retired.ts';
import type { Hold } from './state.ts';
import { closeEscape, endValue, stepValue } from './value.ts';
import { readValueFence } from './valueFence.ts';

/** The parser of dialect `standard`: one forward pass, in time and memory linear in the text. */
export class StandardParser implements VcpParser {
  private readonly machine: Machine;
  private readonly options: VcpParserOptions;
  private readonly repeated = new RepeatedCalls();
  private announcedRequests = 0;
  private announcedDiagnostics = 0;
  private result: VcpParseResult | undefined;

  constructor(options: VcpParserOptions) {
    this.options = options;
    this.machine = new Machine(options);
  }

  feed(chunk: string): void {
    if (this.result !== undefined) throw new Error('The text has ended: a parser takes one text. Make a new one.');
    if (chunk === '') return;
    this.machine.append(chunk);
    run(this.machine);
    this.announce();
  }

  end(): VcpParseResult {
    if (this.result !== undefined) return this.result;
    const { machine } = this;
    runToEnd(machine);
    checkFenceFix(machine);
    this.announce();
    const { out } = machine;
    const diagnostics = [...out.diagnostics];
    if (diagnostics.length > 1) diagnostics.sort((a, b) => a.start - b.start || a.end - b.end);
    this.result = {
      dialect: 'standard',
      length: machine.end,
      requests: out.requests,
      diagnostics,
      regions: out.regions,
    };
    return this.result;
  }

  /** What has been found is certain as soon as nothing is held open. */
  private announce(): void {
    const { machine, options } = this;
    const { requests, diagnostics } = machine.out;
    if (machine.holds.length > 0) return;
    for (; this.announcedRequests < requests.length; this.announcedRequests++) {
      const request = requests[this.announcedRequests];
      if (request === undefined) return;
      if (this.repeated.add(request)) {
        const { valueRange } = request.fields.findLast(({ key }) => key === 'tool_name') ?? {
          valueRange: request.range,
        };
        diagnostics.push(repeatedCallDiagnostic(valueRange, request.toolName));
      }
      options.onRequest?.(request);
    }
    if (options.onDiagnostic === undefined) return;
    for (; this.announcedDiagnostics < diagnostics.length; this.announcedDiagnostics++) {
      const diagnostic = diagnostics[this.announcedDiagnostics];
      if (diagnostic !== undefined) options.onDiagnostic(diagnostic);
    }
  }
}

function runToEnd(machine: Machine): void {
  machine.atEnd = true;
  run(machine);
  finish(machine);
}

/** Removes the fix of an unclosed fence if a call would no longer run, or in another order: text after a closed fence may be code. */
function checkFenceFix({ out, window, end }: Machine): void {
  const unclosed = out.diagnostics.find(({ code, fix }) => code === 'unclosed-fence' && fix !== undefined);
  const edit = unclosed?.fix?.edits[0];
  if (unclosed === undefined || edit === undefined || out.requests.length === 0) return;
  const fixed = new Machine({});
  fixed.append(window.slice(0, edit.start) + edit.newText + window.slice(edit.end, end));
  runToEnd(fixed);
  const isKept = out.requests.every(({ rawBlock }, index) => rawBlock === fixed.out.requests[index]?.rawBlock);
  if (!isKept) delete unclosed.fix;
}

/** Reads on as far as the text goes. */
function run(machine: Machine): void {
  for (;;) {
    const event = machine.holds.length === 0 ? machine.end : nextEvent(machine);
    machine.limit = event;
    const holds = machine.holds.length;
    if (step(machine)) continue;
    if (machine.holds.length !== holds) continue;
    if (event >= machine.end) {
      machine.eventPosition = Math.max(machine.eventPosition, machine.end);
      return;
    }
    if (!handleEvent(machine, event)) return;
  }
}

/** Advances in the current state. False if the machine waits, for text or at its limit. */
function step(machine: Machine): boolean {
  if (machine.position >= machine.limit) return false;
  switch (machine.state) {
    case 'prose':
      return stepProse(machine);
    case 'between-fields':
      return stepBetweenFields(machine);
    case 'value':
      return stepValue(machine);
    case 'inert':
      return stepInert(machine);
  }
}

/** The text is over: what is open stays open. */
function finish(machine: Machine): void {
  settleFence(machine);
  reportUnclosedFences(machine);
  machine.holds.length = 0;
  // A marker at a line's head inside a value had only to be followed by nothing.
  if (machine.field?.lone !== undefined) stepValue(machine);
  if (machine.state === 'value') endValue(machine);
  if (machine.state === 'inert') endInert(machine);
  if (machine.state === 'prose') reportCutMarker(machine);
  abandonBlock(machine, machine.end);
  endOutside(machine, machine.end);
  flushRetired(machine);
  machine.out.region('prose', machine.end);
}

/** The text may end with the first part of a START: five characters at least, as others begin with `<<<[`, too. */
function reportCutMarker({ window, end, out }: Machine): void {
  const tail = window.slice(Math.max(0, end - markers.start.length + 1), end);
  const at = tail.lastIndexOf('<<<[T');
  if (at < 0 || !markers.start.startsWith(tail.slice(at))) return;
  out.diagnostics.push(cutMarkerDiagnostic({ start: end - tail.length + at, end }));
}

/** Finds calls that a text makes more than once. Only calls that look alike are compared in full. */
class RepeatedCalls {
  /** By outline: the only call of it so far, or the exact keys of all once there is a second. */
  private readonly outlines = new Map<number, VcpRequest | Set<string>>();
  /** The only call so far: most texts have no other. */
  private only: VcpRequest | undefined;

  /** True if the same tool was called with the same arguments before. */
  add(request: VcpRequest): boolean {
    if (this.only === undefined) {
      this.only = request;
      return false;
    }
    if (this.outlines.size === 0) this.outlines.set(outlineOf(this.only), this.only);
    const outline = outlineOf(request);
    const known = this.outlines.get(outline);
    if (known === undefined) {
      this.outlines.set(outline, request);
      return false;
    }
    const keys = known instanceof Set ? known : new Set([keyOf(known)]);
    if (keys !== known) this.outlines.set(outline, keys);
    const { size } = keys;
    return keys.add(keyOf(request)).size === size;
  }
}

/** What calls with the same arguments have in common, whatever their order: cheap, and seldom the same by chance. */
function outlineOf({ toolName, command, args }: VcpRequest): number {
  let outline = tail(toolName) ^ tail(command ?? '');
  for (const key in args) outline = (outline + tail(args[key] ?? '') + key.length * 31) | 0;
  return outline;
}

/** A hash of a text's length and last characters. */
function tail(text: string): number {
  let hash = text.length;
  for (let at = Math.max(0, text.length - 6); at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return hash;
}

/** Each text is prefixed with its length, so that no two different calls have the same key. */
function keyOf({ toolName, command = '', args }: VcpRequest): string {
  let key = `${toolName.length}:${toolName}:${command.length}:${command}`;
  for (const name of Object.keys(args).sort()) {
    const value = args[name] ?? '';
    key += `${name}:${value.length}:${value}`;
  }
  return key;
}

/** The text has ended and these fences are still open. Only the first has a fix: a line that closes another may close it. */
function reportUnclosedFences(machine: Machine): void {
  const fences = machine.holds.filter(({ kind }) => kind === 'fence');
  for (const hold of fences) reportUnclosedFence(machine, hold, hold === fences[0]);
}

function reportUnclosedFence(machine: Machine, hold: Hold, isFirst: boolean): void {
  const { start, openEnd } = hold;
  const firstCall = machine.out.firstSeenSince(hold.mark);
  const indent = fenceIndent(textBeforeFence(machine, start));
  const line = indent + hold.character.repeat(hold.length);
  const close = firstCall === undefined ? closeAtEnd(machine, line) : closeBeforeCall(machine, firstCall, line, indent);
  machine.out.diagnostics.push(
    unclosedFenceDiagnostic(
      { start, end: openEnd },
      { close: isFirst ? close : undefined, isBeforeCall: firstCall !== undefined },
    ),
  );
}

function closeAtEnd({ window, end }: Machine, line: string): TextEdit {
  return insertAt(end, window.codeAt(end - 1) === 0x0a ? line : `\n${line}`);
}

/** On a line of its own before that of the call, or before the call if other text is on its line. */
function closeBeforeCall(machine: Machine, call: number, line: string, indent: string): TextEdit {
  const head = skipBackToLineHead(machine, call, 0);
  if (head < 0 || machine.window.codeAt(head) === 0x0a) return insertAt(head + 1, `${line}\n`);
  return insertAt(call, `\n${line}\n${indent}`);
}

/** Blanks that a blank line may hold. */
const longestBlankLine = 256;

/** Offset of the next character that may close a hold, at most the end of the text. */
function nextEvent(machine: Machine): number {
  const { holds, window, eventPosition: from } = machine;
  machine.eventsFrom = from;
  let next = nowhere;
  let escape = false;
  let inline = false;
  let tildes = false;
  for (const hold of holds) {
    if (hold.kind === 'escape') escape = true;
    else if (hold.kind === 'inline') inline = true;
    else if (hold.character === '~') tildes = true;
  }
  if (escape) next = Math.min(next, machine.finish.find(window, from));
  if (holds.length > (escape ? 1 : 0)) next = Math.min(next, machine.tick.find(window, from));
  if (tildes) next = Math.min(next, machine.tilde.find(window, from));
  if (inline) next = Math.min(next, machine.newline.find(window, from));
  return Math.min(next, machine.end);
}

/** Handles the event at `position`. False if more text is needed to decide. */
function handleEvent(machine: Machine, position: number): boolean {
  switch (machine.window.text[position - machine.window.base]) {
    case '末':
      return handleFinish(machine, position);
    case '\n':
      return handleNewline(machine, position);
    default:
      return handleRun(machine, position);
  }
}

function handleFinish(machine: Machine, position: number): boolean {
  const closer = readValueFence(machine, position);
  if (closer === 'more') return false;
  machine.eventPosition = position + 1;
  if (closer?.kind === 'escaped') closeEscape(machine, escapeHold(machine), closer.start, closer.end);
  return true;
}

/** A backtick run or tilde run: closes the outermost fence it can, or inline code of the same length. */
function handleRun(machine: Machine, position: number): boolean {
  const run = readRun(machine, position);
  if (run === 'more') return false;
  if (run === undefined) {
    machine.eventPosition = position + 1;
    return true;
  }
  const fence = isFence(run) ? fenceThatCloses(machine, run) : -1;
  if (fence >= 0) {
    const closes = blankToLineEnd(machine, run.end);
    if (closes === 'more') return false;
    if (closes) {
      machine.eventPosition = run.end;
      closeCode(machine, fence, run.start, run.end);
      return true;
    }
  }
  machine.eventPosition = run.end;
  if (run.character === '~') return true;
  const inline = machine.holds.findIndex((hold) => hold.kind === 'inline' && hold.length === run.end - run.start);
  const candidate = machine.holds.findIndex((hold) => hold.maybeFence);
  const opening = machine.holds[candidate];
  // A backtick in the opening line: that run opens inline code, no fence; between fields it opens nothing.
  if (opening !== undefined) {
    opening.maybeFence = false;
    if (opening.block !== undefined) {
      machine.holds.splice(candidate, 1);
      return true;
    }
  }
  if (inline >= 0) closeCode(machine, inline, run.start, run.end);
  return true;
}

function fenceThatCloses(machine: Machine, run: DelimiterRun): number {
  return machine.holds.findIndex(
    (hold) =>
      hold.kind === 'fence' &&
      hold.character === run.character &&
      hold.length <= run.end - run.start &&
      closesFenceAt(run, hold.lead),
  );
}

/** A line ends: its backtick run, if it had one, is a fence; if the next line is blank, inline code ends too. */
function handleNewline(machine: Machine, position: number): boolean {
  const { window } = machine;
  let at = position + 1;
  while (at < window.end && at - position <= longestBlankLine && isLineSpace(window.codeAt(at))) at++;
  if (at >= window.end && !machine.atEnd && at - position <= longestBlankLine) return false;
  machine.eventPosition = position + 1;
  settleFence(machine);
  if (window.codeAt(at) === 0x0a) dropInline(machine);
  return true;
}

/** The line of a backtick run is over without another backtick: it is a fence. */
function settleFence(machine: Machine): void {
  const index = machine.holds.findIndex((hold) => hold.maybeFence);
  const hold = machine.holds[index];
  if (hold === undefined) return;
  hold.maybeFence = false;
  if (!isAtDeepestFence(machine)) hold.kind = 'fence';
  dropInline(machine, index);
  if (hold.kind === 'inline') dropInline(machine);
}
