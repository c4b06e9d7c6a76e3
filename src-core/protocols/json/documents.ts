import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import { brokenJsonDiagnostic } from './diagnostics.ts';
import { findCalls, type CallCandidate, type FoundCalls } from './findCalls.ts';
import type { JsonNode, JsonProblem } from '../../base/jsonNode.ts';
import { mendJson } from './mendJson.ts';
import type { Reading } from './reading.ts';
import { isJsonSpace, scanJson } from '../../base/scanJson.ts';
import type { JsonDiagnostic } from './types.ts';

/** JSON values one after the other, as far as they are JSON. */
export interface Documents {
  roots: JsonNode[];
  /** Where the next value would begin: what stands here begins none, or one that is broken, or it is the limit. */
  end: number;
  /** What stands at `end` begins a value, but is not valid JSON. */
  broken: boolean;
}

/** Reads objects and lists that follow one another, white space between them. */
export function readDocuments({ text }: Reading, range: TextRange): Documents {
  const roots: JsonNode[] = [];
  let at = range.start;
  for (;;) {
    while (at < range.end && isJsonSpace(text.charCodeAt(at))) at++;
    const sign = at < range.end ? text.charAt(at) : '';
    if (sign !== '{' && sign !== '[') return { roots, end: at, broken: false };
    const { root, problems, end } = scanJson(text, { start: at, limit: range.end, strict: true });
    if (root === undefined || problems.length > 0) return { roots, end: at, broken: true };
    roots.push(root);
    at = end;
  }
}

/** A stretch that should be one JSON value, read past its faults. */
export interface BrokenDocument {
  root: JsonNode | undefined;
  end: number;
  diagnostic: JsonDiagnostic;
}

/** Says what is wrong with a value that is not valid JSON, and what mends it. `whole`: nothing else may stand in the range. */
export function readBroken(reading: Reading, range: TextRange, { whole }: { whole: boolean }): BrokenDocument {
  const { text } = reading;
  const scan = scanJson(text, { start: range.start, limit: range.end, strict: false });
  const rest = trailing(text, { start: scan.end, end: range.end });
  const all: JsonProblem[] = [...scan.problems];
  const stopped = scan.problems.some(({ edits }) => edits === undefined);
  if (whole && rest !== undefined && !stopped) {
    const edits: TextEdit[] = [{ ...rest, newText: '' }];
    all.push({ ...rest, what: 'text follows the JSON', edits });
  }
  const [first = { start: range.start, end: range.end }] = all;
  const edits = mendJson(text, { start: range.start, end: whole ? range.end : scan.end }, all);
  const diagnostic = brokenJsonDiagnostic({ range: first, problems: all, edits });
  return { root: scan.root, end: scan.end, diagnostic };
}

function trailing(text: string, { start, end }: TextRange): TextRange | undefined {
  let from = start;
  while (from < end && isJsonSpace(text.charCodeAt(from))) from++;
  return from < end ? { start: from, end } : undefined;
}

/** The calls of several values together. */
export function callsOf(roots: readonly JsonNode[], options: { explicit: boolean }): FoundCalls {
  const found = roots.map((root) => findCalls(root, options));
  return {
    calls: found.flatMap(({ calls }) => calls),
    definitions: found.flatMap(({ definitions }) => definitions),
    fragments: found.flatMap(({ fragments }) => fragments),
  };
}

/** Whether the values are one call and nothing else, so that the call's tags or fence belong to it. */
export function isOneCall(roots: readonly JsonNode[], calls: readonly CallCandidate[]): boolean {
  return roots.length === 1 && calls.length === 1 && calls[0]?.node === roots[0];
}
