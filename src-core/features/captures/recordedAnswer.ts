import type { ContentBlock } from '../../base/toolTypes.ts';
import { isJsonObject } from '../../base/json.ts';
import { readToolAnswer } from '../../registry/readToolAnswer.ts';
import { mcpPayload } from './mcpPayload.ts';

/** What a device answered to a call. */
export interface RecordedAnswer {
  content: ContentBlock[];
  /** `structuredContent` as JSON. */
  structured?: string;
  isError: boolean;
  /** ms from the request. */
  durationMs?: number;
}

/** Reads a tools/call answer from its frame; `undefined` if the log has not kept all of it. */
export function recordedAnswer(frame: {
  text?: string;
  cut?: boolean;
  durationMs?: number;
}): RecordedAnswer | undefined {
  const timing = frame.durationMs === undefined ? {} : { durationMs: frame.durationMs };
  const failure = (text: string): RecordedAnswer => ({ content: [{ type: 'text', text }], isError: true, ...timing });
  const payload = mcpPayload(frame);
  if (payload === undefined) {
    const message = brokenErrorMessage(frame.cut === true ? '' : (frame.text ?? ''));
    return message === undefined ? undefined : failure(message);
  }
  const { error, result } = payload;
  if (error !== undefined && error !== null) {
    const message = isJsonObject(error) ? error['message'] : error;
    return failure(typeof message === 'string' ? message : JSON.stringify(error));
  }
  if (result === undefined) return undefined;
  const { value, content, structuredContent, isError } = readToolAnswer(result);
  return {
    content: content ?? [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
    ...(structuredContent !== undefined && { structured: JSON.stringify(structuredContent) }),
    isError: isError === true,
    ...timing,
  };
}

/** The firmware does not escape quotes in error messages: such an answer is not valid JSON. */
export function brokenErrorMessage(text: string): string | undefined {
  const start = /"error":\{"message":"/.exec(text);
  const end = text.lastIndexOf('"');
  if (start === null) return undefined;
  const from = start.index + start[0].length;
  return end >= from && /^"[}\s]*$/.test(text.slice(end)) ? text.slice(from, end) : undefined;
}

/** The answer as one text to compare; a picture or sound is replaced by its kind, since no two are the same. */
export function answerText(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.mimeType ?? block.type}]`)).join('\n');
}
