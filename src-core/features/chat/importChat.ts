import { setImmediate as nextTurn } from 'node:timers/promises';

import { unlessStorageFails } from '../../store/storageError.ts';
import { RequestError } from '../../base/requestError.ts';
import { TooMuchWorkError } from '../../base/workBudget.ts';
import { createWorkAllowance, workPool, type OpenWork, type WorkLimits } from '../../base/workPool.ts';
import type { ChatBook } from './chatBook.ts';
import { readFileWork, type ChatFilePart, type ChatFileProblem } from './chatFileWork.ts';
import { fileTooLong, invalidFile, maxFileLength } from './readChatFile.ts';
import type { ChatOptions } from '../../contract/chat.ts';

type OpenFile = OpenWork<number, ChatFilePart | { problem: ChatFileProblem }>;

/** Milliseconds of processor time in a process of the pool; a usual file of that length takes a second. */
const limitMs = 20_000;

/**
 * Adds a chat from the pieces of a file's text, and returns its id. The file is read in a separate process, and is stored in parts;
 * until all of it is, there is no such chat.
 * @throws RequestError that names the field if the text is not such a file; the signal's reason.
 */
export async function importChat(options: {
  book: ChatBook;
  pieces: AsyncIterable<string> | Iterable<string>;
  mode: ChatOptions['mode'];
  id: string;
  now: () => number;
  signal: AbortSignal;
}): Promise<string> {
  const { book, mode, id, now, signal } = options;
  const pieces = await gather(options.pieces);
  signal.throwIfAborted();
  const file = workPool.open(readFileWork, pieces);
  const allowance = createWorkAllowance(limitMs, `it takes more than ${limitMs / 1_000} s of processor time`);
  const ask = (from: number): Promise<ChatFilePart> => askFile(file, from, { limitMs, signal, allowance });
  try {
    let part = await ask(0);
    const record = { title: part.title, createdAt: now(), options: { ...part.options, mode }, approved: [] };
    book.begin(id, record);
    try {
      book.appendUnfinished(id, part.entries);
      while (part.next !== undefined) {
        // Other work has its turn between two parts.
        await nextTurn();
        part = await ask(part.next);
        book.appendUnfinished(id, part.entries);
      }
      book.finish(id);
    } catch (error) {
      // If the disk refuses, the next start removes it.
      unlessStorageFails(() => book.removeUnfinished(id));
      throw error;
    }
    return id;
  } finally {
    file.close();
  }
}

async function gather(pieces: AsyncIterable<string> | Iterable<string>): Promise<string[]> {
  const gathered: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > maxFileLength) throw fileTooLong();
    gathered.push(piece);
  }
  return gathered;
}

async function askFile(file: OpenFile, from: number, limits: WorkLimits): Promise<ChatFilePart> {
  const answer = await file.ask(from, limits).catch((error: unknown) => {
    throw error instanceof TooMuchWorkError ? invalidFile('text', error.message) : error;
  });
  if (!('problem' in answer)) return answer;
  const { field, message } = answer.problem;
  throw new RequestError(message, field === undefined ? {} : { field });
}
