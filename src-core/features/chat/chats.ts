import { setImmediate as nextTurn } from 'node:timers/promises';

import { TooMuchWorkError } from '../../base/workBudget.ts';
import { createWorkAllowance, workPool, type OpenWork, type WorkLimits } from '../../base/workPool.ts';
import type { ChatEntry, ChatOptions, ChatSession, ChatStop, ChatView } from '../../contract/chat.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ChatBook } from './chatBook.ts';
import { readFileWork, type ChatFilePart, type ChatFileProblem } from './chatFileWork.ts';
import { resultsOf } from './chatResults.ts';
import { closeEntry } from './closeEntry.ts';
import { composePrompt, type ComposedPrompt } from './composePrompt.ts';
import { createConfirmations } from './confirmations.ts';
import { effectiveConfig } from './effectiveConfig.ts';
import type { ChatEnvironment } from './environment.ts';
import { fileTooLong, invalidFile, maxFileLength } from './readChatFile.ts';
import { viewOf } from './readPage.ts';
import { createRepeatCounter } from './refuseRepeats.ts';
import { runStep } from './runStep.ts';
import type { ChatTurn } from './turn.ts';

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

/** A turn that was begun, and its end. */
interface StartedTurn {
  turn: ChatTurn;
  /** Resolves when the turn has ended; `isKept` is false if its end could not be written. Never rejects. */
  ended: Promise<{ isKept: boolean }>;
}

/**
 * Runs one turn of a chat: asks the model, runs its calls, feeds their results back, and so on until it calls nothing,
 * or until a limit, a failure or the user ends it. Its first step is written when this returns. Whatever happens, each
 * call in the history ends with exactly one result.
 */
function startTurn(env: ChatEnvironment, sessionId: string): StartedTurn {
  const { book, onError } = env;
  const controller = new AbortController();
  let because: ChatStop = 'cancelled';
  const turn: ChatTurn = {
    sessionId,
    signal: controller.signal,
    confirmations: createConfirmations(),
    results: resultsOf(env, sessionId),
    stop(reason) {
      if (controller.signal.aborted) return;
      because = reason;
      controller.abort();
    },
    stoppedBecause: () => because,
  };
  const repeats = createRepeatCounter();

  async function run(): Promise<{ isKept: boolean }> {
    try {
      for (let step = 1; (await runStep({ env, turn, step, repeats })) === undefined; step += 1);
    } catch (error) {
      // Not the model's fault, nor a tool's: the store, or we.
      onError(error, 'a chat');
    }
    return { isKept: endChat() };
  }
  function endChat(): boolean {
    const { entry } = turn;
    delete turn.entry;
    try {
      book.together(() => {
        if (entry !== undefined && entry.state !== 'ended') {
          closeEntry(entry, { why: 'Toolwire failed before this call had a result.', because: 'error' });
          book.save(sessionId, entry);
        }
        book.change(sessionId, { running: false });
      });
      return true;
    } catch (error) {
      onError(error, 'a chat');
      return false;
    }
  }

  book.change(sessionId, { running: true });
  return { turn, ended: run() };
}

type OpenFile = OpenWork<number, ChatFilePart | { problem: ChatFileProblem }>;

/** Milliseconds of processor time in a process of the pool; a usual file of that length takes a second. */
const importLimitMs = 20_000;

/**
 * Adds a chat from the pieces of a file's text, and returns its id. The file is read in a separate process, and is stored in parts;
 * until all of it is, there is no such chat.
 * @throws RequestError that names the field if the text is not such a file; the signal's reason.
 */
async function importChat(options: {
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
  const allowance = createWorkAllowance(
    importLimitMs,
    `it takes more than ${importLimitMs / 1_000} s of processor time`,
  );
  const ask = (from: number): Promise<ChatFilePart> =>
    askFile(file, from, { limitMs: importLimitMs, signal, allowance });
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
