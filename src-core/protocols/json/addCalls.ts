import type { TextRange } from '../parse.ts';
import { addCall } from './addCall.ts';
import { definitionDiagnostic, fragmentDiagnostic } from './diagnostics.ts';
import { isOneCall } from './documents.ts';
import type { FoundCalls } from './findCalls.ts';
import type { JsonNode } from './jsonNode.ts';
import { paint, type Reading } from './reading.ts';
import type { JsonCallForm, JsonRegionKind } from './types.ts';

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
