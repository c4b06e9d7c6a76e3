import { createReadStream } from 'node:fs';

import { readTextFile, RefusedFileError } from '../base/readTextFile.ts';

/** Characters of one piece, well under what one request may carry. */
const pieceLength = 1_000_000;
/** A longer line cannot be a frame; the limit keeps a file without line ends out of memory. */
const longestLine = 7_000_000;

/** A file's text in pieces that end at line ends. @throws {Error} If the file cannot be read; the message names it. */
export async function* filePieces(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(file, 'utf8')) {
      rest += String(chunk);
      const end = rest.length < pieceLength ? 0 : rest.lastIndexOf('\n') + 1;
      if (rest.length - end > longestLine) throw new RangeError('a line of it is longer than 7 MB');
      if (end === 0) continue;
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  if (rest !== '') yield rest;
}

/** The text of a whole file. @throws {Error} If it cannot be read or has more than `maxBytes`; the message names it. */
export function readFileText(file: string, maxBytes: number): string {
  try {
    return readTextFile(file, maxBytes);
  } catch (error) {
    throw error instanceof RefusedFileError ? error : unreadable(file, error);
  }
}

/** The reason why a file cannot be read, as an error to show. */
export function unreadable(file: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why =
    code === 'ENOENT' ? 'there is no such file; check the path' : code === 'EISDIR' ? 'it is a folder' : String(error);
  return new Error(`${file} cannot be read: ${why}.`, { cause: error });
}
