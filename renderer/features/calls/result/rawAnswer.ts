import type { ToolExecutionResult } from '../../../../src-core/contract/types.ts';

type Answer = Pick<ToolExecutionResult, 'result' | 'content' | 'structuredContent'>;

/** Whether the answer is more than its text: pictures, sound, resources. */
export function hasOtherBlocks({ content = [] }: Pick<Answer, 'content'>): boolean {
  return content.some(({ type }) => type !== 'text');
}

/** What the tool answered, whole: its text, or JSON of all its blocks and data where it has more than that. */
export function rawAnswer(answer: Answer): string {
  if (!hasOtherBlocks(answer)) return answer.result;
  const blocks = JSON.stringify(answer.content, null, 2).replaceAll('\n', '\n  ');
  // As it came: no number in it is rounded.
  const data = answer.structuredContent === undefined ? '' : `,\n  "structuredContent": ${answer.structuredContent}`;
  return `{\n  "content": ${blocks}${data}\n}`;
}
