import type { ToolExecutionResult } from '../../../../src-core/contract/types.ts';

type Answer = Pick<ToolExecutionResult, 'result' | 'content' | 'structuredContent'>;

/** Whether the answer has blocks other than text: images, audio, resources. */
export function hasOtherBlocks({ content = [] }: Pick<Answer, 'content'>): boolean {
  return content.some(({ type }) => type !== 'text');
}

/** The complete answer of the tool: its text, or JSON of all blocks and data if there is more than text. */
export function rawAnswer(answer: Answer): string {
  if (!hasOtherBlocks(answer)) return answer.result;
  const blocks = JSON.stringify(answer.content, null, 2).replaceAll('\n', '\n  ');
  // As received, so that no number is rounded.
  const data = answer.structuredContent === undefined ? '' : `,\n  "structuredContent": ${answer.structuredContent}`;
  return `{\n  "content": ${blocks}${data}\n}`;
}
