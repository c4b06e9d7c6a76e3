import type { ToolExecutionResult } from '../base/calls.ts';
import type { ContentBlock } from '../base/toolTypes.ts';

/** A picture or a sound of an answer. */
export type MediaPart = Extract<ContentBlock, { data: string }>;

/** A piece of an answer as frameworks know them. */
export type AnswerPart = { type: 'text'; text: string } | MediaPart;

/** The beginning of a failed answer: chat APIs have no field for a failure. */
const failed = 'Error: ';

/**
 * An answer for a model: its text, or every part in order if not all of them are text. There is always some text, since
 * not every API accepts pictures in an answer.
 */
export function answerParts({ status, result, content = [] }: ToolExecutionResult): string | AnswerPart[] {
  const lead = status === 'error' ? failed : '';
  if (content.every(({ type }) => type === 'text')) return lead + result;
  const parts = content.map(toPart);
  const first = parts.find((part) => part.type === 'text');
  if (first === undefined) return [{ type: 'text', text: lead + result }, ...parts];
  return parts.map((part) => (part === first ? { type: 'text', text: lead + first.text } : part));
}

function toPart(block: ContentBlock): AnswerPart {
  if (block.type !== 'resource') return block;
  const { uri, text } = block;
  return { type: 'text', text: text === undefined ? `[${uri}]` : `[${uri}]\n${text}` };
}
