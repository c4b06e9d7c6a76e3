import type { ChatEntry, ChatOptions, ChatSession, ChatView } from '../../contract/chat.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ChatBook } from './chatBook.ts';
import { closeEntry } from './closeEntry.ts';
import { composePrompt, type ComposedPrompt } from './composePrompt.ts';
import { effectiveConfig } from './effectiveConfig.ts';
import type { ChatEnvironment } from './environment.ts';
import { importChat } from './importChat.ts';
import { viewOf } from './readPage.ts';
import { startTurn, type StartedTurn } from './runTurn.ts';

/** The chats of a workbench, with their turns and imports that are under way. */
export class Chats {
  readonly env: ChatEnvironment;
  readonly #turns = new Map<string, StartedTurn>();
  readonly #imports = new Set<Promise<string>>();
  readonly #closing = new AbortController();
  #recovered = false;

  constructor(env: ChatEnvironment) {
    this.env = env;
  }

  /** Deferred: a terminal's workbench opens the store as well, and must not change the window's turns. */
  opened(): ChatBook {
    const { book } = this.env;
    if (!this.#recovered) {
      // If the disk fails, the next request retries.
      this.#recovered =
        unlessStorageFails(() => {
          if (this.#imports.size === 0) book.removeUnfinished();
          return recoverChats(this.env, (sessionId) => this.#turns.has(sessionId));
        }) ?? false;
    }
    return book;
  }

  turnOf(sessionId: string): StartedTurn['turn'] | undefined {
    return this.#turns.get(sessionId)?.turn;
  }

  view(session: ChatSession): ChatView {
    return viewOf(session, this.turnOf(session.id));
  }

  /** @throws {RequestError} If a turn cannot begin. */
  checkIdle(session: ChatSession): void {
    this.checkOpen();
    if (this.#turns.has(session.id)) throw new RequestError(localize('chat.turnRuns'), { field: 'sessionId' });
    this.env.modelOf(session.options.modelId);
    this.env.book.checkSize(session.id);
  }

  /** @throws {RequestError} If the workbench is closing. */
  checkOpen(): void {
    if (this.#closing.signal.aborted) throw new RequestError(localize('workbench.closing'));
  }

  start(sessionId: string): void {
    const started = startTurn(this.env, sessionId);
    this.#turns.set(sessionId, started);
    void started.ended.then(({ isKept }) => {
      this.#turns.delete(sessionId);
      if (!isKept) this.#recovered = false;
      this.env.onChange();
    });
  }

  async cancel(sessionId: string): Promise<void> {
    const started = this.#turns.get(sessionId);
    started?.turn.stop('cancelled');
    await started?.ended;
  }

  add(title: string, options: ChatOptions, origin?: ChatSession['origin']): ChatSession {
    const { book, newId, now } = this.env;
    return book.create(newId(), { title, createdAt: now(), options, approved: [], ...(origin && { origin }) });
  }

  nextPrompt({ sessionId, text }: { sessionId: string; text?: string | undefined }): ComposedPrompt {
    const { book, policy } = this.env;
    const { options } = this.opened().get(sessionId);
    book.checkSize(sessionId);
    const config = effectiveConfig(policy().config, options);
    const next: ChatEntry[] =
      text === undefined ? [] : [{ id: '', position: 0, revision: 0, createdAt: 0, role: 'user', text }];
    const entries = [...book.entries(sessionId), ...next];
    return composePrompt({ ...this.env, config, options, entries });
  }

  /** Adds a chat from the pieces of a file's text, and returns its id. */
  async import(pieces: AsyncIterable<string> | Iterable<string>, signal?: AbortSignal): Promise<string> {
    this.opened();
    const { book, policy, newId, now } = this.env;
    const closing = this.#closing.signal;
    const ending = signal === undefined ? closing : AbortSignal.any([closing, signal]);
    const { mode } = policy().config;
    const imported = importChat({ book, pieces, mode, id: newId(), now, signal: ending });
    this.#imports.add(imported);
    try {
      return await imported;
    } catch (error) {
      throw signal?.aborted === true ? new RequestError(localize('chat.importCancelled')) : error;
    } finally {
      this.#imports.delete(imported);
    }
  }

  /** Ends turns and imports. */
  async close(): Promise<void> {
    this.#closing.abort(new RequestError(localize('workbench.closing')));
    for (const { turn } of this.#turns.values()) turn.stop('interrupted');
    await Promise.allSettled([...[...this.#turns.values()].map(({ ended }) => ended), ...this.#imports]);
  }
}

/**
 * Closes turns that ended without being written: by a process that ended, or on a disk that was full. They show as
 * interrupted, and each of their calls has a result. Returns true.
 */
function recoverChats(
  { book, newId, now }: Pick<ChatEnvironment, 'book' | 'newId' | 'now'>,
  isUnderWay: (sessionId: string) => boolean,
): true {
  for (const { id, running, options } of book.list()) {
    if (!running || isUnderWay(id)) continue;
    const [last] = book.page(id, { limit: 1 });
    book.together(() => {
      if (last?.role === 'assistant') {
        closeEntry(last, { why: 'Toolwire ended before this call had a result.', because: 'interrupted' });
        last.stoppedBecause ??= 'interrupted';
        book.save(id, last);
      } else if (last !== undefined) {
        const { modelId, protocol } = options;
        book.append(id, {
          id: newId(),
          role: 'assistant',
          createdAt: now(),
          step: 1,
          state: 'ended',
          stoppedBecause: 'interrupted',
          modelId,
          modelName: modelId,
          protocol,
          text: '',
          calls: [],
          replyTokens: 0,
          promptTokens: { system: 0, tools: 0, history: 0, message: 0, total: 0 },
        });
      }
      book.change(id, { running: false });
    });
  }
  return true;
}
