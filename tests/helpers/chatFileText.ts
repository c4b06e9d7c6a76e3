import type { ChatFilePiece } from '../../src-core/contract/types.ts';

/** A chat's file, put together from its pieces. */
export async function exportedFile(pieces: AsyncIterable<ChatFilePiece>): Promise<ChatFilePiece> {
  const all: ChatFilePiece[] = [];
  for await (const piece of pieces) all.push(piece);
  const problem = all.at(-1)?.problem;
  return {
    fileName: all[0]?.fileName ?? '',
    text: all.map(({ text }) => text).join(''),
    ...(problem !== undefined && { problem }),
  };
}

/** A file's text as the contract takes it. */
export async function* inPieces(text: string, length = 500_000): AsyncGenerator<string, void, void> {
  for (let at = 0; at < text.length; at += length) yield await Promise.resolve(text.slice(at, at + length));
}
