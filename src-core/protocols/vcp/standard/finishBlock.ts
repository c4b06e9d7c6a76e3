import { isSpace } from '../characters.ts';
import { isControlField, mirrorValet } from '../control.ts';
import {
  controlValueDiagnostic,
  emptyBlockDiagnostic,
  ignoredFieldDiagnostics,
  leftoverDiagnostics,
  literalNewlineDiagnostic,
  missingToolNameDiagnostic,
  tooManyCallsDiagnostic,
  unfencedDiagnostic,
} from '../blockDiagnostics.ts';
import { duplicateKeyDiagnostic } from '../../diagnostics.ts';
import { unescapeValue } from '../escape.ts';
import { serialCalls, serialNumber } from '../serial.ts';
import { setOwn } from '../setOwn.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import type { VcpField, VcpRequest } from '../types.ts';
import { reportMisspeltWithin } from './misspeltBlock.ts';
import type { BlockBuilder } from './state.ts';
import type { Machine } from './machine.ts';
import type { TextWindow } from './textWindow.ts';

/** The END marker has come: the block becomes a request, or the reason why it is none. */
export function finishBlock(machine: Machine, endStart: number, endEnd: number): void {
  const { block, out } = machine;
  if (block === undefined) return;
  out.region('skipped', endStart, block.index);
  out.region('marker', endEnd, block.index);
  out.endSeen(endEnd, true);
  machine.block = undefined;
  machine.state = 'prose';
  machine.position = machine.tokenEnd = endEnd;
  const range = { start: block.start, end: endEnd };
  if (block.literalNewlines.length > 0) out.diagnostics.push(literalNewlineDiagnostic(block.literalNewlines));
  reportMisspeltWithin(machine, block, true);
  if (block.broken) return;
  if (block.fields.length > 0) buildRequest(machine, block, range, endStart);
  else {
    const body = machine.window.slice(block.bodyStart, endStart);
    out.diagnostics.push(unfencedDiagnostic(body, block.bodyStart) ?? emptyBlockDiagnostic(range));
  }
}

function buildRequest(machine: Machine, block: BlockBuilder, range: TextRange, bodyEnd: number): void {
  const { out, window } = machine;
  const rawBlock = window.slice(range.start, range.end);
  const rawArgs: Record<string, string> = {};
  const trimmed: [string, string][] = [];
  const control: Record<string, string> = {};
  let toolName = '';
  let command = '';
  let requestId = '';
  let serial = false;
  reportDuplicates(machine, block.fields);
  for (const field of block.fields) {
    const { key, valueRange } = field;
    const written = rawBlock.slice(valueRange.start - range.start, valueRange.end - range.start);
    const raw = field.escaped ? unescapeValue(written) : written;
    const value = isTrimmed(raw) ? raw : raw.trim();
    if (key === 'tool_name') toolName = value;
    else if (key === 'command') command = value;
    else if (key === 'request_id') requestId = value;
    else if (isControlField(key)) {
      control[key] = value;
      const diagnostic = controlValueDiagnostic(valueRange, key, value);
      if (diagnostic !== undefined) out.diagnostics.push(diagnostic);
    } else {
      serial ||= serialNumber(key) !== undefined;
      setOwn(rawArgs, key, raw);
      if (value !== raw) trimmed.push([key, value]);
    }
  }
  const body = window.slice(block.bodyStart, bodyEnd);
  if (toolName === '') {
    const isNamed = block.fields.some((field) => field.key === 'tool_name');
    const unfenced = isNamed ? undefined : unfencedDiagnostic(body, block.bodyStart, block.fields);
    out.diagnostics.push(unfenced?.fix ? unfenced : missingToolNameDiagnostic(range, block.fields));
    return;
  }
  const args = { ...rawArgs };
  for (const [key, value] of trimmed) setOwn(args, key, value);
  mirrorValet(control);
  if (requestId === '') requestId = machine.newId(out.requests.length + 1);
  const request: VcpRequest = {
    requestId,
    toolName,
    rawBlock,
    args,
    rawArgs,
    range,
    dialect: 'standard',
    fields: block.fields,
    control,
  };
  if (command !== '') request.command = command;
  const calls = serial ? serialCalls(requestId, args) : undefined;
  if (calls === 'too-many') {
    out.diagnostics.push(tooManyCallsDiagnostic(range));
    return;
  }
  if (calls !== undefined) request.calls = calls;
  out.diagnostics.push(
    ...ignoredFieldDiagnostics(body, block.bodyStart, block.fields),
    ...leftoverDiagnostics(body, block.bodyStart, block.fields),
  );
  out.requests.push(request);
}

function isTrimmed(text: string): boolean {
  return text === '' || !(isSpace(text.charCodeAt(0)) || isSpace(text.charCodeAt(text.length - 1)));
}

/** Few fields are compared with each other, which is quicker; many go through a map, which stays linear. */
const fewFields = 12;

function reportDuplicates(machine: Machine, fields: readonly VcpField[]): void {
  const known = fields.length > fewFields ? new Map<string, VcpField>() : undefined;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index];
    if (field === undefined) return;
    const earlier = known === undefined ? lastWithKey(fields, field.key, index) : known.get(field.key);
    if (earlier !== undefined)
      machine.out.diagnostics.push(
        duplicateKeyDiagnostic(field.key, fieldWithSeparator(machine.window, earlier), field.keyRange),
      );
    known?.set(field.key, field);
  }
}

function lastWithKey(fields: readonly VcpField[], key: string, before: number): VcpField | undefined {
  for (let index = before - 1; index >= 0; index--) if (fields[index]?.key === key) return fields[index];
  return undefined;
}

/** Blanks after a field that go with it. */
const longestSeparator = 64;

/** A field with the comma and the line break after it, which are left alone without it. */
function fieldWithSeparator(window: TextWindow, { start, end }: VcpField): TextRange {
  const after = window.slice(end, end + longestSeparator);
  const separator = /^[ \t]*[,，]?[ \t]*(?:\r?\n)?/.exec(after)?.[0] ?? '';
  return { start, end: end + separator.length };
}
