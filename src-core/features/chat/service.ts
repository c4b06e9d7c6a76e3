import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { workPool } from '../../base/workPool.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { Tools } from '../discovery/service.ts';
import type { Models } from '../models/service.ts';
import type { Trash } from '../trash/open.ts';
import { createChatBook, type ChatBook } from './chatBook.ts';
import { chatFileFormat, chatFileVersion } from './chatFile.ts';
import { writeEntriesWork } from './chatFileWork.ts';
import { Chats } from './chats.ts';
import type {
  chat,
  ChatFilePiece,
  ChatOptions,
  ChatOptionsChange,
  ChatProtocol,
  ChatSession,
} from '../../contract/chat.ts';
import type { Implementation } from '../../contract/implementation.ts';
import { decideCall, noLongerWaits } from './decideCall.ts';
import { newChatProtocol } from './effectiveConfig.ts';
import type { ChatEnvironment } from './environment.ts';
import { fileTooLong, maxFileLength } from './readChatFile.ts';
import { readPage } from './readPage.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import { trimEndOf } from '../../base/trimEndOf.ts';

const maxTitleLength = 60;

type Procedures = Partial<Implementation<typeof chat>>;
type RerunInput = Parameters<Implementation<typeof chat>['rerun']>[0];

/** Opens the chats of a workbench. `close` ends their turns, which then show as interrupted. */
export function openChat({
  events,
  tools,
  trash,
  models,
  calls,
  newId = randomUUID,
  now = Date.now,
  ...context
}: Pick<FeatureContext, 'events' | 'toolRegistryManager' | 'onError'> & {
  tools: Tools;
  trash: Pick<Trash, 'chats'>;
  models: Models;
  calls: Pick<Calls, 'policy' | 'follow'>;
  newId?: () => string;
  /** Epoch ms. */
  now?: () => number;
}) {
  const onChange = (): void => void events.emit('changed', 'chats');
  const book = createChatBook({ store: trash.chats, now, onChange });
  const env: ChatEnvironment = {
    ...context,
    ...tools,
    book,
    modelOf: models.modelOf,
    policy: calls.policy,
    follow: () => calls.follow('model'),
    newId,
    now,
    onChange,
    earlierResults: new Map(),
  };
  const chats = new Chats(env);
  const service = {
    ...sessionProcedures(chats, models),
    ...turnProcedures(chats),
    ...promptProcedures(chats),
    ...fileProcedures(chats),
  } satisfies Implementation<typeof chat>;
  return { service, close: () => chats.close() };
}

/** A chat as a whole, and its options. */
function sessionProcedures(chats: Chats, models: Pick<Models, 'defaultId' | 'protocolOf'>) {
  const { book, policy, earlierResults } = chats.env;

  const firstProtocol = (modelId: string): ChatProtocol =>
    models.protocolOf(modelId) ?? newChatProtocol(policy().config);

  function defaultOptions(modelId = models.defaultId()): ChatOptions {
    return {
      modelId,
      protocol: firstProtocol(modelId),
      mode: policy().config.mode,
      systemPrompt: '',
      config: {},
    };
  }

  return {
    list: () =>
      chats
        .opened()
        .list()
        .map((session) => chats.view(session)),
    create({ title = '', options: change = {} }) {
      chats.opened();
      return chats.view(chats.add(title, changeOptions(defaultOptions(change.modelId), change)));
    },
    get: (input) => readPage(chats.opened(), chats.turnOf(input.sessionId), input),
    rename({ sessionId, title }) {
      chats.opened().change(sessionId, { title });
    },
    async remove({ sessionId }) {
      chats.opened().get(sessionId);
      await chats.cancel(sessionId);
      book.remove(sessionId);
      earlierResults.delete(sessionId);
    },
    updateOptions({ sessionId, options: change }) {
      const { options, entryCount } = chats.opened().get(sessionId);
      const next = changeOptions(options, change);
      // An empty chat whose protocol was not chosen takes that of its new model.
      const follows = entryCount === 0 && change.protocol === undefined && options.modelId !== next.modelId;
      if (follows && options.protocol === firstProtocol(options.modelId)) next.protocol = firstProtocol(next.modelId);
      return chats.view(book.change(sessionId, { options: next }));
    },
    withdrawApproval({ sessionId, method }) {
      const { approved } = chats.opened().get(sessionId);
      book.change(sessionId, { approved: approved.filter((each) => each !== method) });
    },
  } satisfies Procedures;
}

/** What begins, continues and ends turns. */
function turnProcedures(chats: Chats) {
  const { book, newId, now, toolRegistryManager } = chats.env;
  return {
    send({ sessionId, text }) {
      const session = chats.opened().get(sessionId);
      chats.checkIdle(session);
      const entryId = newId();
      book.together(() => {
        book.append(sessionId, { id: entryId, role: 'user', createdAt: now(), text });
        book.change(sessionId, { running: true, ...(session.title === '' && { title: titleOf(text) }) });
      });
      chats.start(sessionId);
      return { entryId };
    },
    resume({ sessionId }) {
      const session = chats.opened().get(sessionId);
      chats.checkIdle(session);
      const [last] = book.page(sessionId, { limit: 1 });
      if (last === undefined || (last.role === 'assistant' && last.stoppedBecause === 'done'))
        throw new RequestError(localize('chat.turnEnded'), { field: 'sessionId' });
      chats.start(sessionId);
    },
    decide({ sessionId, callId, decision }) {
      chats.opened().get(sessionId);
      const turn = chats.turnOf(sessionId);
      const entry = turn?.entry;
      if (turn === undefined || entry === undefined) throw noLongerWaits();
      const { confirmations } = turn;
      const save = (method?: string): void => {
        const { approved } = book.get(sessionId);
        book.together(() => {
          book.save(sessionId, entry);
          if (method === undefined || approved.includes(method)) return;
          book.change(sessionId, { approved: [...approved, method] });
        });
      };
      decideCall({ toolRegistryManager, calls: entry.calls, confirmations, callId, decision, save });
    },
    cancel({ sessionId }) {
      chats.opened().get(sessionId);
      const turn = chats.turnOf(sessionId);
      turn?.stop('cancelled');
      return { cancelled: turn !== undefined };
    },
    rerun(input) {
      const { id } = copyUpTo(chats, input);
      chats.start(id);
      return { sessionId: id };
    },
  } satisfies Procedures;
}

/** Adds a copy of a chat up to a message of the user, to be answered by another model or through another protocol. */
function copyUpTo(chats: Chats, { sessionId, entryId, modelId, protocol }: RerunInput): ChatSession {
  const { book, modelOf } = chats.env;
  const session = chats.opened().get(sessionId);
  const entry = book.entry(sessionId, entryId);
  if (entry.role !== 'user') throw new RequestError(localize('chat.notUsersMessage'), { field: 'entryId' });
  const change = { ...(modelId !== undefined && { modelId }), ...(protocol !== undefined && { protocol }) };
  const wanted = changeOptions(session.options, change);
  chats.checkOpen();
  modelOf(wanted.modelId);
  book.checkSize(sessionId, entry.position);
  return book.together(() => {
    const copy = chats.add(session.title, wanted, { sessionId, entryId });
    book.copyEntries({ from: sessionId, to: copy.id, upTo: entry.position });
    return copy;
  });
}

/** What is sent to the model. */
function promptProcedures(chats: Chats) {
  return {
    exchange: ({ id }) => chats.opened().step(id),
    prompt(input) {
      const { messages, tools, tokens } = chats.nextPrompt(input);
      return { messages, tools, tokens };
    },
    promptSize(input) {
      const { methods, tokens } = chats.nextPrompt(input);
      return { methods, tokens };
    },
  } satisfies Procedures;
}

/** Chats as files. */
function fileProcedures(chats: Chats) {
  const { book, now } = chats.env;
  return {
    async *exportChat({ sessionId }) {
      const fileName = fileNameOf(chats.opened().get(sessionId).title);
      for await (const piece of exportChat({ book, sessionId, now: now() })) {
        yield { fileName, ...piece };
        // Yields to other requests.
        await nextTurn();
      }
    },
    async importChat(pieces: AsyncIterable<string> | Iterable<string>, signal?: AbortSignal) {
      return { sessionId: await chats.import(pieces, signal) };
    },
  } satisfies Procedures;
}

/** The options after a change. */
function changeOptions(options: ChatOptions, change: ChatOptionsChange): ChatOptions {
  const { temperature, maxTokens, ...rest } = { ...options, ...change };
  return {
    ...rest,
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
  };
}

/** Letters and digits of any language; no characters that are special to a file system. */
function fileNameOf(title: string): string {
  const name = trimEndOf(title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+/, ''), '-');
  return `${name === '' ? 'chat' : name}.toolwire-chat.json`;
}

/** A chat's title by its first message: the beginning of the first line that says something. */
function titleOf(text: string): string {
  const line = text.split('\n', 20).find((each) => each.trim() !== '') ?? '';
  const title = line.trim().replace(/\s+/g, ' ');
  return title.length <= maxTitleLength
    ? title
    : `${title
        .slice(0, maxTitleLength - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** Characters of one piece of a file; an entry may be longer. */
const pieceLength = 500_000;
/** Milliseconds of processor time in a process of the pool for some entries of at most 4 MB. */
const exportLimitMs = 5_000;

/**
 * Writes a chat as a file (docs/chat.md) in pieces: JSON, for people and for `importChat`. It lacks raw exchanges and which
 * methods the user approved. A turn under way is closed in the file, not in the chat. Entries that are added meanwhile are
 * not in it. There is no limit of its size; if `importChat` would refuse it, the last piece has the `problem`.
 * @throws RequestError if the chat is removed meanwhile.
 */
async function* exportChat(options: {
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
    const written = await workPool.run(writeEntriesWork, { records, from }, { limitMs: exportLimitMs });
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
