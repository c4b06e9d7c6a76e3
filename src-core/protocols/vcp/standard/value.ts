import { malformedFieldDiagnostic, retiredFieldDiagnostic, unclosedValueDiagnostic } from '../fieldDiagnostics.ts';
import { isKeyCharacter, isLineSpace, isSpace } from '../characters.ts';
import { isControlField } from '../control.ts';
import { readMarker } from '../markers.ts';
import { serialNumber } from '../serial.ts';
import type { TextRange, VcpRegionKind } from '../../../base/replyTypes.ts';
import type { VcpDiagnostic } from '../types.ts';
import type { BlockBuilder, FieldHead, OpenField, ValueFence } from './state.ts';
import { abandonBlock, openBlock } from './blockEdges.ts';
import { lineHead, readFieldHead } from './fieldHead.ts';
import { nowhere } from '../finder.ts';
import { finishBlock } from './finishBlock.ts';
import { escapeHold, goBack, openHold } from './holds.ts';
import type { Machine } from './machine.ts';
import { noteLoneWithin } from './misspeltBlock.ts';
import { readValueFence } from './valueFence.ts';

/** Key, colon and opening fence have come: the value begins. */
export function openField(machine: Machine, opener: ValueFence, head: FieldHead): void {
  const { block, out } = machine;
  if (block === undefined) return;
  if (block.fields.length > 0 && blank(machine, out.regionEnd, head.keyRange.start)) out.extend(head.keyRange.start);
  else {
    noteLoneWithin(machine, block, head.start);
    out.region('skipped', head.keyRange.start, block.index);
  }
  out.region('key', head.keyRange.end, block.index);
  out.region('delimiter', opener.end, block.index);
  if (opener.kind === 'loose') {
    head.problem ??= 'its fences are not 「始」 and 「末」';
    (head.edits ??= []).push({ start: opener.start, end: opener.end, newText: '「始」' });
  }
  machine.field = { head, opener, lone: undefined };
  machine.state = 'value';
  machine.position = opener.end;
  if (opener.kind !== 'escaped') return;
  const live = escapeHold(machine);
  // A fence inside the same value is data; one in a later block shows that the earlier value was never closed.
  if (live >= 0 && machine.holds[live]?.block === block) return;
  if (machine.holds.length === 0 && passEscape(machine, machine.field)) return;
  if (live >= 0) machine.holds.splice(live, 1);
  openHold(machine, {
    kind: 'escape',
    start: opener.start,
    openEnd: opener.end,
    character: '',
    length: 0,
    lead: 0,
    maybeFence: false,
  });
}

/**
 * The fast way over fields as they should be: each on a line of its own right after the last token, its value all there and
 * without a marker or corner in it. Returns whether it read any.
 */
export function passPlainFields(machine: Machine): boolean {
  const { window, block, out } = machine;
  if (block === undefined || machine.holds.length > 0) return false;
  const { text, base } = window;
  const known = block.fields.length;
  for (;;) {
    const keyStart = machine.position - base + 1;
    const isNext = machine.position <= machine.tokenEnd + 1 && machine.position === out.regionEnd;
    if (!isNext || text.charCodeAt(keyStart - 1) !== 0x0a) break;
    let keyEnd = keyStart;
    while (isKeyCharacter(text.charCodeAt(keyEnd))) keyEnd++;
    if (keyEnd === keyStart || !text.startsWith(':「始」', keyEnd)) break;
    const start = keyStart + base;
    const valueStart = keyEnd + 4 + base;
    const valueEnd = machine.corner.find(window, valueStart);
    if (valueEnd > machine.marker.find(window, valueStart) || !text.startsWith('「末」', valueEnd - base)) break;
    const end = valueEnd + 3;
    const key = text.slice(keyStart, keyEnd);
    if (block.fields.length > 0) out.extend(start);
    else out.region('skipped', start, block.index);
    out.region('key', keyEnd + base, block.index);
    out.region('delimiter', valueStart, block.index);
    out.region(regionOf(key), valueEnd, block.index);
    const keyRange = { start, end: keyEnd + base };
    block.fields.push({ key, start, end, keyRange, valueRange: { start: valueStart, end: valueEnd }, escaped: false });
    machine.tokenEnd = end;
    machine.position = text.charCodeAt(end - base) === 0x2c ? end + 1 : end;
    out.region('delimiter', machine.position, block.index);
  }
  return block.fields.length > known;
}

/** An escaped value that is all there, and holds neither marker nor opening fence, needs no hold. */
function passEscape(machine: Machine, field: OpenField): boolean {
  const { window, position } = machine;
  const bound = Math.min(machine.begin.find(window, position), machine.marker.find(window, position), machine.limit);
  let at = machine.escapeFinish.find(window, position);
  for (; at < bound; at = machine.escapeFinish.find(window, at + 1)) {
    const closer = readValueFence(machine, at);
    if (closer === 'more') return false;
    if (closer?.kind !== 'escaped') continue;
    closeField(machine, field, closer.start, closer.end);
    return true;
  }
  return false;
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

/** Moves through a value. False if it must wait. */
export function stepValue(machine: Machine): boolean {
  const { field, window } = machine;
  if (field === undefined) return false;
  if (field.lone !== undefined && field.lone.next === undefined) return stepLone(machine, field);
  for (;;) {
    const from = machine.position;
    const corner = machine.corner.find(window, from);
    const marker = machine.marker.find(window, from);
    const finish = field.opener.kind === 'loose' ? machine.finish.find(window, from) : nowhere;
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
      if (field.opener.kind === 'plain' && window.codeAt(at + 1) === 0x300d) {
        closeField(machine, field, at - 1, at + 2);
        return true;
      }
      const closer = readValueFence(machine, at);
      if (closer === 'more') return false;
      machine.position = at + 1;
      if (closer === undefined || !closes(field, closer)) continue;
      if (field.opener.kind === 'escaped') endUnclosed(machine, field, closer.start, closer);
      else closeField(machine, field, closer.start, closer.end);
      return true;
    }
    if (code === 0x59cb) {
      const opener = readValueFence(machine, at);
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

/** An END or START at a line's head counts if nothing follows on its line. */
function stepLone(machine: Machine, field: OpenField): boolean {
  const { lone } = field;
  if (lone === undefined) return true;
  const { window } = machine;
  const from = machine.position;
  let at = from;
  while (at < window.end && isLineSpace(window.codeAt(at))) at++;
  machine.position = at;
  if (at >= window.end && !machine.atEnd) return false;
  if (at < window.end && window.codeAt(at) !== 0x0a) {
    if (lone.kind === 'start') lone.next = at;
    else field.lone = undefined;
    return true;
  }
  const { opener, head } = field;
  const diagnostic = endUnclosed(machine, field, valueEnd(machine, lone.lineBreak, field));
  const cutValue = { diagnostic, key: head.key, opener, closer: undefined };
  if (lone.kind === 'end') {
    finishBlock(machine, lone.start, lone.end);
    machine.cutValue = { ...cutValue, unclosed: undefined };
  } else {
    abandonBlock(machine, lone.start);
    machine.cutValue = { ...cutValue, unclosed: machine.out.diagnostics.at(-1) };
    openBlock(machine, lone.start, lone.end);
  }
  machine.position = at;
  return true;
}

/** A line inside the value starts a field: the value was never closed, and the field is read. */
function startsField(machine: Machine, field: OpenField, opener: ValueFence): boolean {
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

function closes(field: OpenField, closer: ValueFence): boolean {
  if (field.opener.kind === 'loose') return closer.kind === 'loose' || closer.kind === 'plain';
  return closer.kind === (field.opener.kind === 'legacy' ? 'legacy' : 'plain');
}

/** The closing fence has come. A comma that touches it is the field's too. */
function closeField(machine: Machine, field: OpenField, closeStart: number, closeEnd: number): void {
  const { block, out } = machine;
  if (block === undefined) return;
  const { head, opener } = field;
  if (opener.kind === 'legacy' || head.problem !== undefined)
    reportField(machine, block, field, { start: closeStart, end: closeEnd });
  leaveValue(machine, field, closeStart, closeEnd);
  const comma = machine.window.codeAt(closeEnd) === 0x2c && closeEnd < machine.limit;
  if (comma) machine.position++;
  out.region('delimiter', machine.position, block.index);
}

function reportField(machine: Machine, block: BlockBuilder, { head, opener }: OpenField, closer: TextRange): void {
  const edits = [...(head.edits ?? [])];
  const reported = { ...head, opener, kind: opener.kind, edits };
  if (opener.kind === 'legacy') {
    block.broken = true;
    machine.out.diagnostics.push(retiredFieldDiagnostic(reported, closer));
    return;
  }
  block.broken ||= !head.doubt;
  if (opener.kind === 'loose') edits.push({ ...closer, newText: '「末」' });
  if (head.isUnmendable === true) edits.length = 0;
  const diagnostic = malformedFieldDiagnostic(reported, closer.end);
  machine.out.diagnostics.push(diagnostic);
  if (opener.kind === 'loose') block.loose = { diagnostic, opener };
}

/** The value ends without its closing fence; `wrong` is a fence of the other kind at its end. */
function endUnclosed(machine: Machine, field: OpenField, end: number, wrong?: ValueFence): VcpDiagnostic {
  const { block, out, window } = machine;
  const { head, opener } = field;
  const reported = { ...head, opener, kind: opener.kind, edits: head.edits ?? [] };
  const written = wrong && { ...wrong, written: window.slice(wrong.start, wrong.end) };
  const diagnostic = unclosedValueDiagnostic(reported, window.slice(opener.end, end), written);
  out.diagnostics.push(diagnostic);
  if (block !== undefined) block.broken = true;
  leaveValue(machine, field, end, wrong?.end ?? end);
  if (wrong !== undefined) out.region('delimiter', wrong.end, block?.index);
  return diagnostic;
}

function leaveValue(machine: Machine, { head, opener }: OpenField, valueEnd: number, end: number): void {
  const { block, out } = machine;
  out.region(regionOf(head.key), valueEnd, block?.index);
  block?.fields.push({
    key: head.key,
    start: head.start,
    end,
    keyRange: head.keyRange,
    valueRange: { start: opener.end, end: valueEnd },
    escaped: opener.kind === 'escaped',
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

/** Whether all between a field and the next is a short run of blanks: it goes with the first one's end. */
function blank({ window }: Machine, start: number, end: number): boolean {
  if (end - start > 8) return false;
  for (let at = start; at < end; at++) if (!isSpace(window.codeAt(at))) return false;
  return true;
}
