import { setImmediate as nextTurn } from 'node:timers/promises';

import type { LongText, ResultPiece } from '../../contract/types.ts';
import type { ToolExecutionResult } from '../../base/calls.ts';

/** UTF-16 units of one piece: a page decodes one in a few ms. What is no longer goes with the result itself. */
export const pieceLength = 128 * 1024;

const members = ['text', 'data', 'blob'] as const;

/** A result in the form that a window takes in without standing still, however long its texts are; the first piece has all else. */
export async function* resultPieces(result: ToolExecutionResult): AsyncGenerator<ResultPiece, void, void> {
  const long: LongText[] = [];
  const texts: string[] = [];
  const leaveOut = (text: string, place: Omit<LongText, 'length'>): boolean => {
    if (text.length <= pieceLength) return false;
    long.push({ ...place, length: text.length });
    texts.push(text);
    return true;
  };
  const head = { ...result };
  for (const member of ['result', 'structuredContent'] as const) {
    const text = result[member];
    if (text !== undefined && leaveOut(text, { member })) head[member] = '';
  }
  if (result.content !== undefined) {
    head.content = result.content.map((block, at) => {
      const parts: Partial<Record<string, unknown>> = block;
      const left = members.filter((member) => {
        const text = Object.hasOwn(parts, member) ? parts[member] : undefined;
        return typeof text === 'string' && leaveOut(text, { block: at, member });
      });
      return { ...block, ...Object.fromEntries(left.map((member) => [member, ''])) };
    });
  }
  yield { result: head, long };
  for (const text of texts) {
    for (let at = 0; at < text.length; at += pieceLength) {
      yield { text: text.slice(at, at + pieceLength) };
      // Other calls and other windows have their turn in between.
      await nextTurn();
    }
  }
}
