import { duplicateKeyDiagnostic, repeatedCallDiagnostic } from '../diagnostics.ts';
import type { CallField, JsonCallForm, TextEdit, TextRange } from '../../base/replyTypes.ts';
import {
  argumentsNotObjectDiagnostic,
  brokenJsonDiagnostic,
  definitionDiagnostic,
  fragmentDiagnostic,
  missingNameDiagnostic,
} from './diagnostics.ts';
import { isOneCall } from './documents.ts';
import type { CallCandidate, FoundCalls } from './findCalls.ts';
import { innerRange, type JsonMember, type JsonNode } from '../../base/jsonNode.ts';
import { mendJson } from './mendJson.ts';
import { paint, type Reading } from './reading.ts';
import { isJsonSpace, scanJson } from '../../base/scanJson.ts';
import { scanString } from '../../base/scanString.ts';
import type { JsonDiagnostic, JsonRegionKind } from './types.ts';

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

/** The arguments of a call, or why there are none. */
interface ReadArguments {
  fields: CallField[];
  args: Record<string, string>;
  rawArgs: Record<string, string>;
  /** The call cannot be run. */
  broken: boolean;
  diagnostics: JsonDiagnostic[];
}

/** A JSON text with where its characters stand: the reply itself, or what a string in it means. */
interface Layer {
  source: string;
  place(offset: number): number;
  /** How a text is spelled here. */
  spell(newText: string): string;
}

/** Reads arguments, given as an object or as a string that holds one. Absent, null and an empty string are none. */
function readArguments(reading: Reading, node: JsonNode | undefined): ReadArguments {
  const plain: Layer = { source: reading.text, place: (offset) => offset, spell: (newText) => newText };
  if (node === undefined || isNothing(reading, node)) return readMembers([], plain);
  if (node.kind === 'object') return readMembers(node.members ?? [], plain);
  return node.kind === 'string' ? readInString(reading, node) : refuse(argumentsNotObjectDiagnostic(node));
}

function isNothing({ text }: Reading, node: JsonNode): boolean {
  if (node.kind === 'string') return node.text?.trim() === '';
  return node.kind === 'literal' && text.startsWith('null', node.start);
}

function readInString({ text }: Reading, node: JsonNode): ReadArguments {
  const string = scanString(text, { start: node.start, limit: node.end, strict: false, mapped: true });
  const source = string.text;
  const offsets = string.offsets ?? new Uint32Array();
  const layer: Layer = {
    source,
    place: (offset) => offsets[Math.min(offset, source.length)] ?? node.end,
    spell: (newText) => JSON.stringify(newText).slice(1, -1),
  };
  let start = 0;
  while (isJsonSpace(source.charCodeAt(start))) start++;
  const limit = source.trimEnd().length;
  const scan = scanJson(source, { start, limit, strict: false });
  const problems =
    scan.problems.length === 0 && scan.end < limit
      ? [
          {
            start: scan.end,
            end: limit,
            what: 'text follows the JSON',
            edits: [{ start: scan.end, end: limit, newText: '' }],
          },
        ]
      : scan.problems;
  const [first] = problems;
  if (first !== undefined) {
    const edits = mendJson(source, { start: 0, end: source.length }, problems);
    const range = { start: layer.place(first.start), end: layer.place(first.end) };
    const placed = edits?.map((edit) => placeEdit(edit, layer));
    return refuse(
      brokenJsonDiagnostic({ range, problems, edits: placed, where: 'The arguments are a string of JSON' }),
    );
  }
  if (scan.root?.kind !== 'object') return refuse(argumentsNotObjectDiagnostic(node));
  return readMembers(scan.root.members ?? [], layer);
}

function placeEdit({ start, end, newText }: TextEdit, { place, spell }: Layer): TextEdit {
  return { start: place(start), end: place(end), newText: spell(newText) };
}

function refuse(diagnostic: JsonDiagnostic): ReadArguments {
  return { fields: [], args: {}, rawArgs: {}, broken: true, diagnostics: [diagnostic] };
}

function readMembers(members: readonly JsonMember[], layer: Layer): ReadArguments {
  const fields: CallField[] = [];
  const args: [string, string][] = [];
  const rawArgs: [string, string][] = [];
  const diagnostics: JsonDiagnostic[] = [];
  const known = new Map<string, TextRange>();
  for (const [index, { key, value }] of members.entries()) {
    if (value === undefined) continue;
    const name = key.text ?? '';
    const raw = layer.source.slice(value.start, value.end);
    const meaning = value.text ?? raw;
    const keyRange = placed(innerRange(key), layer);
    const inner = innerRange(value);
    const escaped = layer.source.slice(inner.start, inner.end) !== meaning || layer.spell(meaning) !== meaning;
    const range = placed({ start: key.start, end: value.end }, layer);
    fields.push({ key: name, keyRange, valueRange: placed(inner, layer), escaped, ...range });
    args.push([name, meaning]);
    rawArgs.push([name, raw]);
    const earlier = known.get(name);
    if (earlier !== undefined) diagnostics.push(duplicateKeyDiagnostic(name, earlier, keyRange));
    const next = members[index + 1]?.key.start;
    // Up to the next member: a comma goes with it.
    known.set(name, placed({ start: key.start, end: next ?? value.end }, layer));
  }
  // Own properties whatever they are called: __proto__ is a name like any other.
  const owned = { args: Object.fromEntries(args), rawArgs: Object.fromEntries(rawArgs) };
  return { fields, ...owned, broken: false, diagnostics };
}

function placed({ start, end }: TextRange, { place }: Layer): TextRange {
  return { start: place(start), end: place(end) };
}
