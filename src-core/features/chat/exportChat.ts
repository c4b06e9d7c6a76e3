import { workPool } from '../../base/workPool.ts';
import type { ChatBook } from './chatBook.ts';
import { chatFileFormat, chatFileVersion } from './chatFile.ts';
import { writeEntriesWork } from './chatFileWork.ts';
import { fileTooLong, maxFileLength } from './readChatFile.ts';
import type { ChatFilePiece } from '../../contract/chat.ts';

/** Characters of one piece of a file; an entry may be longer. */
const pieceLength = 500_000;
/** Milliseconds of processor time in a process of the pool for some entries of at most 4 MB. */
const limitMs = 5_000;

/**
 * Writes a chat as a file (docs/chat.md) in pieces: JSON, for people and for `importChat`. It lacks raw exchanges and which
 * methods the user approved. A turn under way is closed in the file, not in the chat. Entries that are added meanwhile are
 * not in it. There is no limit of its size; if `importChat` would refuse it, the last piece has the `problem`.
 * @throws RequestError if the chat is removed meanwhile.
 */
export async function* exportChat(options: {
  book: ChatBook;
  sessionId: string;
  now: number;
}): AsyncGenerator<Omit<ChatFilePiece, 'fileName'>, void, void> {
  const { book, sessionId, now } = options;
  const session = book.get(sessionId);
  const head = {
    format: chatFileFormat,
    version: chatFileVersion,
    exportedAt: new Date(now).toISOString(),
    title: session.title,
    options: session.options,
    entries: [],
  };
  // The list is filled with what follows.
  const begin = JSON.stringify(head, undefined, 2).slice(0, -']\n}'.length);
  yield { text: begin };
  let length = begin.length;
  let problem: string | undefined;
  let after = 0;
  let from = 0;
  while (after < session.entryCount) {
    const { records, last } = book.records(sessionId, { after, upTo: session.entryCount });
    if (last === undefined) break;
    const written = await workPool.run(writeEntriesWork, { records, from }, { limitMs });
    const text = `${after === 0 ? '' : ','}\n${written.text}`;
    for (let at = 0; at < text.length; at += pieceLength) yield { text: text.slice(at, at + pieceLength) };
    length += text.length;
    problem ??= written.problem;
    from += records.length;
    after = last;
  }
  const end = after === 0 ? ']\n}\n' : '\n  ]\n}\n';
  if (length + end.length > maxFileLength) problem = fileTooLong().message;
  yield { text: end, ...(problem !== undefined && { problem }) };
}
