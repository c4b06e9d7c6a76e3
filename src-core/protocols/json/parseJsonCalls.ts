import type { TextRange } from '../parse.ts';
import { createRequestIds } from '../requestIds.ts';
import { parseReading } from './parseReading.ts';
import { createReading, type Reading } from './reading.ts';
import type { JsonParseOptions, JsonParseResult, JsonRequest } from './types.ts';

/**
 * Reads the JSON tool calls in a model's text, losslessly, in linear time (issue 3, item 3): `<tool_call>` tags, JSON in
 * fences, chat APIs' messages pasted from a log, objects that stand alone. What looks like a call and is not run has a
 * diagnostic. Never throws.
 */
export function parseJsonCalls(text: string, options: JsonParseOptions = {}): JsonParseResult {
  const { newId = createRequestIds('call') } = options;
  const inertCalls = (part: string): TextRange[] => {
    const inside = createReading({ text: part, newId: () => '', inertCalls: undefined });
    parseReading(inside);
    return inside.requests.map(({ range }) => range);
  };
  const reading = createReading({ text, newId, inertCalls });
  parseReading(reading);
  checkFenceFix(reading);
  const { requests, diagnostics, regions } = reading;
  diagnostics.sort((a, b) => a.start - b.start || a.end - b.end);
  return { length: text.length, requests, diagnostics, regions };
}

/**
 * Removes the fix of an unclosed fence if a call would no longer run, or in another order: a closed fence may turn other
 * text into calls.
 */
function checkFenceFix({ text, inertCalls, diagnostics, requests }: Reading): void {
  const unclosed = diagnostics.find(({ code, fix }) => code === 'unclosed-fence' && fix !== undefined);
  const edit = unclosed?.fix?.edits[0];
  if (unclosed === undefined || edit === undefined || requests.length === 0) return;
  const fixedText = text.slice(0, edit.start) + edit.newText + text.slice(edit.end);
  const fixed = createReading({ text: fixedText, newId: () => '', inertCalls });
  parseReading(fixed);
  // The range of a call may change: the fence becomes part of it.
  const isKept = requests.every((request, index) => isSameCall(request, fixed.requests[index]));
  if (!isKept) delete unclosed.fix;
}

function isSameCall(call: JsonRequest, other: JsonRequest | undefined): boolean {
  return call.toolName === other?.toolName && JSON.stringify(call.args) === JSON.stringify(other.args);
}
