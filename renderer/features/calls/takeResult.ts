import type { LongText, ResultPiece, ToolExecutionResult } from '../../../src-core/contract/types.ts';

/** Assembles a result from its pieces. A second head starts over. Rejects if the pieces end before it is complete. */
export async function takeResult(pieces: AsyncIterable<ResultPiece>): Promise<ToolExecutionResult> {
  let result: ToolExecutionResult | undefined;
  let missing: readonly LongText[] = [];
  let got: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    if ('result' in piece) {
      result = piece.result;
      missing = piece.long;
      got = [];
      length = 0;
      continue;
    }
    got.push(piece.text);
    length += piece.text.length;
    const [text, ...others] = missing;
    if (result === undefined || text === undefined || length < text.length) continue;
    put(result, text, got.join(''));
    missing = others;
    got = [];
    length = 0;
  }
  if (result === undefined || missing.length > 0) throw new Error('The answer stopped before its end.');
  return result;
}

function put(result: ToolExecutionResult, { block, member }: LongText, text: string): void {
  const holder = block === undefined ? result : result.content?.[block];
  if (holder !== undefined) Object.assign(holder, { [member]: text });
}
