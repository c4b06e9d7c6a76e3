import type { ChatBook } from './chatBook.ts';
import type { ChatTurn } from './turn.ts';
import type { ChatPage, ChatStream, ChatView } from '../../contract/chat.ts';

/** Which entries of a chat a window lacks. */
export interface ReadPageInput {
  sessionId: string;
  /** What changed after it, oldest change first. Otherwise the last entries, or those before a position. */
  afterRevision?: number | undefined;
  before?: number | undefined;
  limit: number;
  /** The part of a streaming reply that is known already, in UTF-16 code units. */
  known?: { entryId: string; text: number; reasoning: number } | undefined;
}

/** Reads what a window asks for; cheap if little has changed. Throws a `RequestError` for a chat that does not exist. */
export function readPage(book: ChatBook, turn: ChatTurn | undefined, input: ReadPageInput): ChatPage {
  const { sessionId, afterRevision, before, limit, known } = input;
  const session = viewOf(book.get(sessionId), turn);
  const stream = streamOf(turn, known);
  const streaming = stream !== undefined && { stream };
  if (afterRevision === undefined) {
    const entries = book.page(sessionId, { before, limit });
    return { session, entries, revision: session.revision, more: (entries[0]?.position ?? 1) > 1, ...streaming };
  }
  const entries = book.changes(sessionId, { after: afterRevision, limit });
  const last = entries.at(-1)?.revision;
  const more = last !== undefined && book.hasChanges(sessionId, last);
  const revision = more ? last : session.revision;
  return { session, entries, revision, more, ...streaming };
}

/** A chat as a window sees it. */
export function viewOf(session: Omit<ChatView, 'waiting'>, turn: ChatTurn | undefined): ChatView {
  const waiting = turn?.entry?.calls.filter(({ state }) => state === 'waiting').length ?? 0;
  return { ...session, waiting };
}

function streamOf(turn: ChatTurn | undefined, known: ReadPageInput['known']): ChatStream | undefined {
  if (turn?.entry === undefined || turn.streamed === undefined) return undefined;
  const { text, reasoning, toolCalls } = turn.streamed;
  const entryId = turn.entry.id;
  const from = known?.entryId === entryId ? known : { text: 0, reasoning: 0 };
  const textFrom = Math.min(from.text, text.length);
  const reasoningFrom = Math.min(from.reasoning, reasoning.length);
  return {
    entryId,
    textFrom,
    reasoningFrom,
    toolCalls,
    text: text.slice(textFrom),
    reasoning: reasoning.slice(reasoningFrom),
  };
}
