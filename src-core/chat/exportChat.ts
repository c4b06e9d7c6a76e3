import { workPool } from '../tools/workPool.ts';
import type { ChatBook } from './chatBook.ts';
import { chatFileFormat, chatFileVersion } from './chatFile.ts';
import { writeEntriesWork } from './chatFileWork.ts';

/** Characters of one piece of a file; an entry may be longer. */
const pieceLength = 500_000;
/** Milliseconds of processor time in a thread for some entries of at most 4 MB. */
const limitMs = 5_000;

/**
 * Writes a chat as a file (docs/chat.md) in pieces: JSON, for people and for `importChat`. It lacks raw exchanges and which
 * methods the user approved. A turn under way is closed in the file, not in the chat. Entries that are added meanwhile are
 * not in it.
 * @throws RequestError if the chat is removed meanwhile.
 */
export async function* exportChat(options: {
  book: ChatBook;
  sessionId: string;
  now: number;
}): AsyncGenerator<string, void, void> {
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
  yield JSON.stringify(head, undefined, 2).slice(0, -']\n}'.length);
  let after = 0;
  while (after < session.entryCount) {
    const { records, last } = book.records(sessionId, { after, upTo: session.entryCount });
    if (last === undefined) break;
    const written = await workPool.run(writeEntriesWork, records, { limitMs });
    const text = `${after === 0 ? '' : ','}\n${written}`;
    for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
    after = last;
  }
  yield after === 0 ? ']\n}\n' : '\n  ]\n}\n';
}
