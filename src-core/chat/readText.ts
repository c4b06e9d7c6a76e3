import { readReply } from '../protocols/readReply.ts';
import type { ReplyDiagnostic, ReplyReading, ReplyRequest } from '../protocols/replyTypes.ts';
import type { TextRange } from '../protocols/parse.ts';

/** A model's text in its parts. */
export interface TextParts {
  /** What is neither call nor reasoning, without the white space around it. */
  prose: string;
  /** What stands in reasoning tags, the tags included; empty where nothing does. */
  reasoning: string;
  /** All but the reasoning: what of a reply goes back to the model. */
  withoutReasoning: string;
  requests: ReplyRequest[];
  /** The first of them; a text of megabytes may have thousands. */
  remarks: ReplyDiagnostic[];
}

const maxRemarks = 100;

/** Reads a reply by its text protocol: calls in reasoning, in code or in echoed results are none (spec/vcp.md §4). */
export function readText(text: string, protocol: 'vcp' | 'json'): TextParts {
  const reading = readReply(text, { dialect: protocol === 'json' ? 'json' : 'standard' });
  const reasoning = reasoningRanges(reading);
  const calls = reading.requests.map(({ range }) => range);
  return {
    prose: without(text, [...reasoning, ...calls]).trim(),
    reasoning: reasoning
      .map(({ start, end }) => text.slice(start, end))
      .join('\n')
      .trim(),
    withoutReasoning: without(text, reasoning).trim(),
    requests: reading.requests,
    remarks: reading.diagnostics.slice(0, maxRemarks),
  };
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
