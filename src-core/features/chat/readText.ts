import { boundReading, type ReadingLimits } from '../../protocols/boundReading.ts';
import { readReply } from '../../protocols/readReply.ts';
import { smallText } from '../../protocols/readReplyFully.ts';
import type { ReplyDiagnostic, ReplyReading, TextRange } from '../../base/replyTypes.ts';
import { toParsedRequest } from '../../protocols/toParsedRequest.ts';
import type { ParsedToolRequest } from '../../base/calls.ts';
import { workPool } from '../../base/workPool.ts';
import type { Work } from '../../base/workProcess.ts';
import { maxCallsOfReply } from './plannedCalls.ts';

/** The parts of a model's text. */
export interface TextParts {
  /** The text that is neither call nor reasoning, without the white space around it. */
  prose: string;
  /** The text in reasoning tags, including the tags; empty if there is none. */
  reasoning: string;
  /** All but the reasoning: the part of a reply that is sent back to the model. */
  withoutReasoning: string;
  /** The first of them, with their positions; a text of megabytes may have thousands. */
  requests: (ParsedToolRequest & { range: TextRange })[];
  skippedCalls: number;
  /** The first of them. */
  remarks: ReplyDiagnostic[];
  skippedRemarks: number;
}

const limits: ReadingLimits = {
  calls: maxCallsOfReply,
  fields: 10_000,
  characters: 8_000_000,
  diagnostics: 100,
  regions: 0,
};
/** Milliseconds of processor time in a process of the pool: 2 MB of the text that takes longest take 1,400 ms. */
const usualLimitMs = 5_000;

/**
 * Reads a reply by its text protocol. Calls in reasoning, in code or in echoed results do not count
 * (docs/protocols/vcp.md#dialects).
 */
function readText(text: string, protocol: 'vcp' | 'json'): TextParts {
  const reading = readReply(text, { dialect: protocol === 'json' ? 'json' : 'standard' });
  const reasoning = reasoningRanges(reading);
  const calls = reading.requests.map(({ range }) => range);
  const { requests, diagnostics, omitted } = boundReading(reading, limits);
  return {
    prose: without(text, [...reasoning, ...calls]).trim(),
    reasoning: reasoning
      .map(({ start, end }) => text.slice(start, end))
      .join('\n')
      .trim(),
    withoutReasoning: without(text, reasoning).trim(),
    requests: requests.map((request) => ({ ...toParsedRequest(request), range: request.range })),
    skippedCalls: omitted?.calls ?? 0,
    remarks: diagnostics,
    skippedRemarks: omitted?.diagnostics ?? 0,
  };
}

export const replyTextWork: Work<undefined, { text: string; protocol: 'vcp' | 'json' }, TextParts> = {
  name: 'replyText',
  open:
    () =>
    ({ text, protocol }, budget) =>
      budget.run(() => readText(text, protocol)),
};

/** `readText`, in a process of the pool if the text is large. Rejects as `readReplyFully` does. */
export async function readTextFully(
  text: string,
  {
    protocol,
    signal,
    limitMs = usualLimitMs,
  }: { protocol: 'vcp' | 'json'; signal: AbortSignal; limitMs?: number | undefined },
): Promise<TextParts> {
  if (text.length <= smallText) return readText(text, protocol);
  return workPool.run(replyTextWork, { text, protocol }, { limitMs, signal });
}

function reasoningRanges({ regions }: ReplyReading): TextRange[] {
  return regions.filter(({ kind }) => kind === 'reasoning');
}

/** Ranges do not overlap. */
function without(text: string, ranges: readonly TextRange[]): string {
  let kept = '';
  let at = 0;
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    kept += text.slice(at, start);
    at = Math.max(at, end);
  }
  return kept + text.slice(at);
}
