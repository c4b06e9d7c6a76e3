import { expect } from 'vitest';
import { parseJsonCalls } from '../../../../src-core/protocols/json/parseJsonCalls.ts';
import type { JsonDiagnostic, JsonParseResult } from '../../../../src-core/protocols/json/types.ts';
import type { TextEdit } from '../../../../src-core/base/replyTypes.ts';

/** Parses with ids n1, n2 … and checks what holds of every parse. */
export function read(text: string): JsonParseResult {
  let ids = 0;
  const result = parseJsonCalls(text, { newId: () => `n${(ids += 1)}` });
  expectLossless(text, result);
  return result;
}

/** Regions tile the text; what is said lies within it; requests are the text that they name. */
export function expectLossless(text: string, { length, regions, requests, diagnostics }: JsonParseResult): void {
  expect(length).toBe(text.length);
  let end = 0;
  for (const region of regions) {
    if (region.start !== end || region.end <= region.start) expect.fail(`a gap at ${end}: ${JSON.stringify(region)}`);
    end = region.end;
  }
  expect(end).toBe(text.length);
  for (const request of requests) {
    const { range, fields, rawBlock } = request;
    expect(rawBlock).toBe(text.slice(range.start, range.end));
    expect([...new Set(fields.map(({ key }) => key))].sort()).toEqual(Object.keys(request.args).sort());
    for (const { start, end: fieldEnd, keyRange, valueRange } of fields) {
      const offsets = [range.start, start, keyRange.start, keyRange.end, valueRange.start, valueRange.end, fieldEnd];
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
      expect(fieldEnd).toBeLessThanOrEqual(range.end);
    }
  }
  for (const { start, end: to, fix } of diagnostics) {
    for (const range of [{ start, end: to }, ...(fix?.edits ?? [])]) {
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThanOrEqual(text.length);
    }
  }
}

/** Name, arguments and form of each call. */
export function callsIn(text: string): unknown[] {
  return read(text).requests.map(({ toolName, args, form }) => [toolName, { ...args }, form]);
}

export function codesIn(text: string): string[] {
  return read(text).diagnostics.map(({ code }) => code);
}

/** The only diagnostic of a text. */
export function onlyDiagnostic(text: string): JsonDiagnostic {
  const { diagnostics } = read(text);
  expect(diagnostics).toHaveLength(1);
  return diagnostics[0]!;
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, newText }) => result.slice(0, start) + newText + result.slice(end), text);
}
