import type { TextRange, JsonCallForm } from '../../base/replyTypes.ts';
import {
  definitionDiagnostic,
  fragmentDiagnostic,
  missingNameDiagnostic,
  repeatedCallDiagnostic,
} from './diagnostics.ts';
import { isOneCall } from './documents.ts';
import type { CallCandidate, FoundCalls } from './findCalls.ts';
import { innerRange, type JsonNode } from './jsonNode.ts';
import { readArguments, type ReadArguments } from './readArguments.ts';
import { paint, type Reading } from './reading.ts';
import type { JsonRegionKind } from './types.ts';

export interface AddCallsOptions {
  roots: readonly JsonNode[];
  found: FoundCalls;
  form: JsonCallForm;
  /** Tags or fence around the values, markers included. */
  around?: { open: TextRange; close: TextRange };
  /** What the values are outside their calls. */
  between: JsonRegionKind;
}

/** Makes requests of the calls in JSON values. A single call has its tags or fence in its range, several stand for themselves. */
export function addCalls(reading: Reading, { roots, found, form, around, between }: AddCallsOptions): void {
  const { calls } = found;
  const one = around !== undefined && isOneCall(roots, calls);
  const shared = one ? reading.blocks : undefined;
  if (around !== undefined) paint(reading, 'marker', around.open.end, shared);
  for (const candidate of calls) {
    const block = reading.blocks++;
    const range = one ? { start: around.open.start, end: around.close.end } : candidate.node;
    paint(reading, one ? 'delimiter' : between, candidate.node.start, shared);
    addCall(reading, { candidate, form: candidate.api ? 'api' : form, range, block });
  }
  reading.diagnostics.push(...found.definitions.map(definitionDiagnostic), ...found.fragments.map(fragmentDiagnostic));
  if (around !== undefined) {
    paint(reading, one ? 'delimiter' : between, around.close.start, shared);
    paint(reading, 'marker', around.close.end, shared);
  }
}

interface AddCallOptions {
  candidate: CallCandidate;
  form: JsonCallForm;
  /** The call with its tags or fence; its block begins here. */
  range: TextRange;
  block: number;
}

/** Makes a request of a call, or says why it is none, and paints its parts. */
function addCall(reading: Reading, { candidate, form, range, block }: AddCallOptions): void {
  const { node, name, args, id } = candidate;
  const read = readArguments(reading, args);
  paintCall(reading, candidate, read, block);
  reading.diagnostics.push(...read.diagnostics);
  const toolName = name?.text?.trim() ?? '';
  if (toolName === '') reading.diagnostics.push(missingNameDiagnostic(name ?? node));
  if (toolName === '' || read.broken) return;
  const given = id === undefined ? '' : (id.text ?? reading.text.slice(id.start, id.end)).trim();
  reading.requests.push({
    requestId: given === '' ? reading.newId(reading.requests.length + 1) : given,
    toolName,
    rawBlock: reading.text.slice(range.start, range.end),
    args: read.args,
    rawArgs: read.rawArgs,
    range: { start: range.start, end: range.end },
    fields: read.fields,
    form,
  });
  const key = JSON.stringify([toolName, Object.entries(read.args).sort(([a], [b]) => (a < b ? -1 : 1))]);
  if (reading.known.has(key)) reading.diagnostics.push(repeatedCallDiagnostic(range, toolName));
  reading.known.add(key);
}

/** Walks the call's members in the order of the text. What has no other kind is `delimiter`. */
function paintCall(reading: Reading, candidate: CallCandidate, read: ReadArguments, block: number): void {
  const put = (kind: JsonRegionKind, { start, end }: TextRange): void => {
    paint(reading, 'delimiter', start, block);
    paint(reading, kind, end, block);
  };

  function paintObject(object: JsonNode): void {
    for (const { key, value } of object.members ?? []) {
      const known = value !== undefined && [candidate.name, candidate.args, candidate.id].includes(value);
      if (value === undefined || (!known && (value !== candidate.inner || value === candidate.node))) {
        put('skipped', { start: key.start, end: value?.end ?? key.end });
        continue;
      }
      put('key', innerRange(key));
      if (value === candidate.inner) paintObject(value);
      else if (value === candidate.args) paintArguments(value);
      else put(value === candidate.name ? 'name' : 'value', innerRange(value));
    }
  }

  function paintArguments(value: JsonNode): void {
    if (read.fields.length === 0 && (read.broken || value.kind !== 'object')) put('value', innerRange(value));
    for (const { keyRange, valueRange } of read.fields) {
      put('key', keyRange);
      put('value', valueRange);
    }
  }

  paintObject(candidate.node);
  paint(reading, 'delimiter', candidate.node.end, block);
}
