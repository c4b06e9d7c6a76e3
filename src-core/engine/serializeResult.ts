import { stringify as stringifyExactly } from 'lossless-json';
import { describeThrown } from '../base/describeThrown.ts';
import { ToolError } from '../base/errors.ts';
import type { ContentBlock } from '../base/toolTypes.ts';
import type { ToolOutput } from '../registry/types.ts';

/** A tool's output as a result carries it. */
export interface SerializedResult {
  text: string;
  content?: ContentBlock[];
  /** JSON text. */
  structuredContent?: string;
  isError: boolean;
  remark?: string;
}

/** A tool's output, and how much of it may be kept. */
export interface SerializeResultOptions {
  /** What the tool gave; not to be trusted to be a `ToolOutput`. */
  output: unknown;
  /** Bytes of text, in UTF-8; `structuredContent` as much again, content blocks together four times that. */
  maxResultBytes: number;
}

/** Bytes of a result's text that are shown to the user; more than what is passed on to a model. */
export const maxShownResultBytes = 16_000_000;
const contentFactor = 4;
const previewLength = 1_000;

/**
 * Turns a tool's output into text: a string as it is, `undefined` into an empty text (or the text blocks, if any),
 * anything else as JSON, with a bigint as a number. @throws {ToolError} `bad-result` for what has no JSON (a function,
 * a cycle, a getter that throws), `result-too-large` (with the beginning in `details.preview`).
 */
export function serializeResult({ output, maxResultBytes }: SerializeResultOptions): SerializedResult {
  const { value, content, structuredContent, isError, remark } = readOutput(output);
  const text = value === undefined && content !== undefined ? textOf(content) : toText(value);
  checkSize(text, Buffer.byteLength(text), maxResultBytes);
  const result: SerializedResult = { text, isError };
  if (remark !== undefined) result.remark = remark;
  if (content !== undefined) {
    checkSize(text, sizeOf(content), contentFactor * maxResultBytes);
    result.content = content;
  }
  const json = structuredContent === undefined ? undefined : toJson(structuredContent);
  if (json !== undefined) {
    checkSize(json, Buffer.byteLength(json), maxResultBytes);
    result.structuredContent = json;
  }
  return result;
}

function readOutput(output: unknown): {
  value: unknown;
  content: ContentBlock[] | undefined;
  structuredContent: unknown;
  isError: boolean;
  remark: string | undefined;
} {
  if (typeof output !== 'object' || output === null)
    throw new ToolError('bad-result', 'The tool did not return an answer object.');
  try {
    const { value, content, structuredContent, isError, remark } = output as Partial<ToolOutput>;
    const blocks = Array.isArray(content) ? content.filter(isBlock) : undefined;
    return {
      value,
      content: blocks,
      structuredContent,
      isError: isError === true,
      remark: typeof remark === 'string' ? remark : undefined,
    };
  } catch (error) {
    throw new ToolError('bad-result', `The answer could not be read: ${describeThrown(error)}`, { cause: error });
  }
}

function isBlock(block: unknown): block is ContentBlock {
  return typeof block === 'object' && block !== null && 'type' in block;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (typeof value === 'bigint') return String(value);
  const json = toJson(value);
  if (json !== undefined) return json;
  throw new ToolError('bad-result', `The tool returned a value of type ${typeof value}, which has no text.`);
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    const exact = withBigInts(value, error);
    if (exact !== undefined) return exact;
    const reason = describeThrown(error);
    if (error instanceof RangeError && reason === 'Invalid string length')
      throw new ToolError('result-too-large', 'The tool returned too much to convert to text.', { cause: error });
    throw new ToolError('bad-result', `The result of the tool cannot be converted to JSON: ${reason}`, {
      cause: error,
    });
  }
}

/** `JSON.stringify` refuses bigint; the exact writer takes it, but is slow and does not see cycles. */
function withBigInts(value: unknown, refusal: unknown): string | undefined {
  if (!(refusal instanceof TypeError) || !refusal.message.includes('BigInt')) return undefined;
  try {
    return stringifyExactly(value);
  } catch {
    // Something else in it has no JSON either; the first refusal is reported.
    return undefined;
  }
}

function textOf(content: ContentBlock[]): string {
  return content
    .map((block) => (block.type === 'text' ? block.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function sizeOf(content: ContentBlock[]): number {
  let bytes = 0;
  for (const block of content)
    for (const part of Object.values(block)) if (typeof part === 'string') bytes += Buffer.byteLength(part);
  return bytes;
}

function checkSize(text: string, bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw new ToolError(
    'result-too-large',
    `The tool returned ${inMegabytes(bytes)}; at most ${inMegabytes(limit)} are passed on. Request less data from it.`,
    { details: { bytes, limit, preview: text.slice(0, previewLength) } },
  );
}

function inMegabytes(bytes: number): string {
  return bytes < 100_000 ? `${bytes} bytes` : `${(bytes / 1e6).toFixed(1)} MB`;
}
