import { malformedFieldDiagnostic, retiredFieldDiagnostic, unclosedValueDiagnostic } from '../fieldDiagnostics.ts';
import { isLineSpace } from '../characters.ts';
import { isControlField } from '../control.ts';
import { readMarker } from '../markers.ts';
import { serialNumber } from '../serial.ts';
import type { VcpRegionKind } from '../types.ts';
import type { OpenField } from './state.ts';
import { abandonBlock, openBlock } from './blockEdges.ts';
import { lineHead, readFieldHead, type FieldHead } from './fieldHead.ts';
import { nowhere } from '../finder.ts';
import { finishBlock } from './finishBlock.ts';
import { escapeHold, goBack, openHold } from './holds.ts';
import type { Machine } from './machine.ts';
import { readCloser, readOpener, type Opener } from './opener.ts';

/** Key, colon and opening fence have come: the value begins. */
export function openField(machine: Machine, opener: Opener, head: FieldHead): void {
  const { block, out } = machine;
  if (block === undefined) return;
  out.region('skipped', head.keyStart, block.index);
  out.region('key', head.keyEnd, block.index);
  out.region('delimiter', opener.end, block.index);
  const field: OpenField = {
    start: head.start,
    key: head.key,
    keyRange: { start: head.keyStart, end: head.keyEnd },
    opener: { start: opener.start, end: opener.end },
    kind: opener.kind,
    problem: head.problem,
    doubt: head.doubt === true,
    edits: head.edits,
    lone: undefined,
  };
  if (opener.kind === 'loose') {
    field.problem ??= 'its fences are not 「始」 and 「末」';
    field.edits.push({ start: opener.start, end: opener.end, newText: '「始」' });
  }
  machine.field = field;
  machine.state = 'value';
  machine.position = opener.end;
  if (opener.kind !== 'escaped') return;
  const live = escapeHold(machine);
  // A fence inside the same value is data; one in a later block shows that the earlier value was never closed.
  if (live >= 0 && machine.holds[live]?.block === block) return;
  if (live >= 0) machine.holds.splice(live, 1);
  openHold(machine, {
    kind: 'escape',
    start: opener.start,
    openEnd: opener.end,
    character: '',
    length: 0,
    maybeFence: false,
  });
}

/** 「末ESCAPE」 has come: all since the opening fence is the value after all. */
export function closeEscape(machine: Machine, index: number, closeStart: number, closeEnd: number): void {
  const field = machine.holds[index]?.field;
  if (field === undefined) return;
  goBack(machine, index);
  field.lone = undefined;
  machine.eventPosition = closeEnd;
  closeField(machine, field, closeStart, closeEnd);
}

/** Moves through a value. False where it must wait. */
export function stepValue(machine: Machine): boolean {
  const { field, window, counter } = machine;
  if (field === undefined) return false;
  if (field.lone !== undefined && field.lone.next === undefined) return stepLone(machine, field);
  for (;;) {
    const from = machine.position;
    const corner = machine.corner.find(window, from, counter);
    const marker = machine.marker.find(window, from, counter);
    const finish = field.kind === 'loose' ? machine.finish.find(window, from, counter) : nowhere;
    const next = Math.min(corner, marker, finish);
    if (next >= machine.limit) {
      machine.position = Math.max(from, holdBackMarker(machine));
      return false;
    }
    machine.position = next;
    if (next === marker) {
      const reading = readMarker(window.text, next - window.base, machine.atEnd);
      if (reading === 'more') return false;
      machine.position = next + (reading?.length ?? 1);
      if (reading?.kind !== 'start' && reading?.kind !== 'end') continue;
      const lineBreak = lineHead(machine, next, field.opener.end);
      if (lineBreak === undefined) continue;
      field.lone = { kind: reading.kind, start: next, end: machine.position, lineBreak };
      return stepLone(machine, field);
    }
    const at = next === finish ? next : next + 1;
    if (at >= machine.end) {
      if (!machine.atEnd) return false;
      machine.position = machine.end;
      return false;
    }
    const code = window.codeAt(at);
    if (code === 0x672b) {
      const closer = readCloser(machine, at);
      if (closer === 'more') return false;
      machine.position = at + 1;
      if (closer === undefined || !closes(field, closer)) continue;
      if (field.kind === 'escaped') endUnclosed(machine, field, closer.start, closer);
      else closeField(machine, field, closer.start, closer.end);
      return true;
    }
    if (code === 0x59cb) {
      const opener = readOpener(machine, at);
      if (opener === 'more') return false;
      machine.position = at + 1;
      if (opener !== undefined && startsField(machine, field, opener)) return true;
      continue;
    }
    machine.position = at;
  }
}

/** The text ends inside the value. */
export function endValue(machine: Machine): void {
  const { field } = machine;
  if (field !== undefined) endUnclosed(machine, field, machine.end);
}

/** An END or START at a line's head counts where nothing follows on its line. */
function stepLone(machine: Machine, field: OpenField): boolean {
  const { lone } = field;
  if (lone === undefined) return true;
  const { window } = machine;
  const from = machine.position;
  let at = from;
  while (at < window.end && isLineSpace(window.codeAt(at))) at++;
  machine.counter.steps += at - from + 1;
  machine.position = at;
  if (at >= window.end && !machine.atEnd) return false;
  if (at < window.end && window.codeAt(at) !== 0x0a) {
    if (lone.kind === 'start') lone.next = at;
    else field.lone = undefined;
    return true;
  }
  const opener = field.opener;
  const diagnostic = endUnclosed(machine, field, valueEnd(machine, lone.lineBreak, field));
  if (lone.kind === 'end') {
    finishBlock(machine, lone.start, lone.end);
    machine.cutValue = { diagnostic, opener };
  } else {
    abandonBlock(machine, lone.start);
    openBlock(machine, lone.start, lone.end);
  }
  machine.position = at;
  return true;
}

/** A line inside the value starts a field: the value was never closed, and the field is read. */
function startsField(machine: Machine, field: OpenField, opener: Opener): boolean {
  const head = readFieldHead(machine, opener.start, field.opener.end);
  if (head === undefined || head.problem !== undefined) return false;
  const { lone } = field;
  if (lone?.next === head.start) {
    endUnclosed(machine, field, valueEnd(machine, lone.lineBreak, field));
    abandonBlock(machine, lone.start);
    openBlock(machine, lone.start, lone.end);
  } else {
    const lineBreak = lineHead(machine, head.start, field.opener.end);
    if (lineBreak === undefined) return false;
    endUnclosed(machine, field, valueEnd(machine, lineBreak, field));
  }
  openField(machine, opener, head);
  return true;
}

function closes(field: OpenField, closer: Opener): boolean {
  if (field.kind === 'loose') return closer.kind === 'loose' || closer.kind === 'plain';
  return closer.kind === (field.kind === 'legacy' ? 'legacy' : 'plain');
}

/** The closing fence has come. */
function closeField(machine: Machine, field: OpenField, closeStart: number, closeEnd: number): void {
  const { block, out } = machine;
  if (block === undefined) return;
  const closer = { start: closeStart, end: closeEnd };
  if (field.kind === 'legacy') {
    block.broken = true;
    out.diagnostics.push(retiredFieldDiagnostic(field, closer));
  } else if (field.problem !== undefined) {
    block.broken ||= field.doubt !== true;
    if (field.kind === 'loose') field.edits.push({ ...closer, newText: '「末」' });
    out.diagnostics.push(malformedFieldDiagnostic(field, closer.end));
  }
  leaveValue(machine, field, closeStart, closeEnd);
  out.region('delimiter', closeEnd, block.index);
}

/** The value ends without its closing fence; `wrong` is a fence of the other kind at its end. */
function endUnclosed(
  machine: Machine,
  field: OpenField,
  end: number,
  wrong?: Opener,
): ReturnType<typeof unclosedValueDiagnostic> {
  const { block, out, window } = machine;
  const diagnostic = unclosedValueDiagnostic(field, window.slice(field.opener.end, end), wrong);
  out.diagnostics.push(diagnostic);
  if (block !== undefined) block.broken = true;
  leaveValue(machine, field, end, wrong?.end ?? end);
  if (wrong !== undefined) out.region('delimiter', wrong.end, block?.index);
  return diagnostic;
}

function leaveValue(machine: Machine, field: OpenField, valueEnd: number, end: number): void {
  const { block, out } = machine;
  out.region(regionOf(field.key), valueEnd, block?.index);
  block?.fields.push({
    key: field.key,
    start: field.start,
    end,
    keyRange: field.keyRange,
    valueRange: { start: field.opener.end, end: valueEnd },
    escaped: field.kind === 'escaped',
  });
  machine.field = undefined;
  machine.state = 'between-fields';
  machine.position = machine.tokenEnd = end;
}

function regionOf(key: string): VcpRegionKind {
  if (key === 'tool_name' || key === 'command' || serialNumber(key) !== undefined) return 'name';
  return isControlField(key) ? 'control' : 'value';
}

/** The carriage return of a `\r\n` is not the value's. */
function valueEnd(machine: Machine, lineBreak: number, field: OpenField): number {
  return lineBreak > field.opener.end && machine.window.codeAt(lineBreak - 1) === 13 ? lineBreak - 1 : lineBreak;
}

/** How far a value has surely been read: a marker may have begun in the last characters. */
function holdBackMarker(machine: Machine): number {
  let at = machine.limit;
  if (at < machine.end || machine.atEnd) return at;
  while (at > machine.limit - 3 && machine.window.codeAt(at - 1) === 0x3c) at--;
  return at;
}
