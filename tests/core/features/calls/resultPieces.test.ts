import { expect, test } from 'vitest';

import type { ResultPiece, ToolExecutionResult } from '../../../../src-core/contract/types.ts';
import { pieceLength, resultPieces } from '../../../../src-core/features/calls/resultPieces.ts';

const plain: ToolExecutionResult = {
  requestId: 'r',
  toolName: 't_m',
  status: 'success',
  result: 'short',
  durationMs: 1,
};

async function piecesOf(result: ToolExecutionResult): Promise<ResultPiece[]> {
  const pieces: ResultPiece[] = [];
  for await (const piece of resultPieces(result)) pieces.push(piece);
  return pieces;
}

test('what is short goes in one piece, as it is', async () => {
  const result: ToolExecutionResult = { ...plain, content: [{ type: 'text', text: 'short' }] };
  expect(await piecesOf(result)).toEqual([{ result, long: [] }]);
});

test('long texts come behind, in pieces of a bounded length, and the result itself is left as it was', async () => {
  const text = 'é'.repeat(2 * pieceLength + 1);
  const data = 'A'.repeat(pieceLength + 4);
  const content = [{ type: 'image' as const, data, mimeType: 'image/png' }];
  const result: ToolExecutionResult = { ...plain, result: text, content };
  const [head, ...rest] = await piecesOf(result);
  expect(head).toEqual({
    result: { ...plain, result: '', content: [{ type: 'image', data: '', mimeType: 'image/png' }] },
    long: [
      { member: 'result', length: text.length },
      { block: 0, member: 'data', length: data.length },
    ],
  });
  const texts = rest.map((piece) => ('text' in piece ? piece.text : ''));
  expect(texts.map(({ length }) => length)).toEqual([pieceLength, pieceLength, 1, pieceLength, 4]);
  expect(texts.join('')).toBe(text + data);
  expect(result.result).toBe(text);
  expect(result.content?.[0]).toMatchObject({ data });
});

test('splits structured data into pieces, too', async () => {
  const structuredContent = `{"a":"${'x'.repeat(pieceLength)}"}`;
  const [head, ...rest] = await piecesOf({ ...plain, structuredContent });
  expect(head).toEqual({
    result: { ...plain, structuredContent: '' },
    long: [{ member: 'structuredContent', length: structuredContent.length }],
  });
  expect(rest.map((piece) => ('text' in piece ? piece.text : '')).join('')).toBe(structuredContent);
});
