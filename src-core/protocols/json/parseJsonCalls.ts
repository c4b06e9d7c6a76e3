import type { TextRange } from '../parse.ts';
import { createRequestIds } from '../requestIds.ts';
import { parseReading } from './parseReading.ts';
import { createReading } from './reading.ts';
import type { JsonParseOptions, JsonParseResult } from './types.ts';

/**
 * Reads the JSON tool calls in a model's text, losslessly, in linear time (issue 3, item 3): `<tool_call>` tags, JSON in
 * fences, chat APIs' messages pasted from a log, objects that stand alone. What looks like a call and is not run has a
 * diagnostic. Never throws.
 */
export function parseJsonCalls(text: string, options: JsonParseOptions = {}): JsonParseResult {
  const { newId = createRequestIds('call'), counter = { steps: 0 } } = options;
  const inertCalls = (part: string): TextRange[] => {
    const inside = createReading({ text: part, counter, newId: () => '', inertCalls: undefined });
    parseReading(inside);
    return inside.requests.map(({ range }) => range);
  };
  const reading = createReading({ text, counter, newId, inertCalls });
  parseReading(reading);
  const { requests, diagnostics, regions } = reading;
  diagnostics.sort((a, b) => a.start - b.start || a.end - b.end);
  return { length: text.length, requests, diagnostics, regions };
}
