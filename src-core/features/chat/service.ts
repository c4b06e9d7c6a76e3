import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { Tools } from '../discovery/service.ts';
import type { Models } from '../models/service.ts';
import type { Trash } from '../trash/open.ts';
import { createChatBook } from './chatBook.ts';
import { changeOptions } from './changeOptions.ts';
import type { chat, ChatAssistantEntry, ChatEntry, ChatOptions, ChatSession, ChatView } from '../../contract/chat.ts';
import type { Implementation } from '../../contract/implementation.ts';
import { composePrompt, type ComposedPrompt } from './composePrompt.ts';
import { decideCall, noLongerWaits } from './decideCall.ts';
import { effectiveConfig, newChatProtocol } from './effectiveConfig.ts';
import type { ChatEnvironment } from './environment.ts';
import { exportChat } from './exportChat.ts';
import { importChat } from './importChat.ts';
import { readPage, viewOf } from './readPage.ts';
import { recoverChats } from './recoverChats.ts';
import { startTurn } from './runTurn.ts';
import type { StartedTurn } from './runTurn.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import { trimEndOf } from '../../base/trimEndOf.ts';

const maxTitleLength = 60;

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
    onStream: onChange,
    earlierResults: new Map(),
  };
  const turns = new Map<string, StartedTurn>();
  let recovered = false;
  const closing = new AbortController();
  const imports = new Set<Promise<string>>();

  /** Deferred: a terminal's workbench opens the store as well, and must not change the window's turns. */
  function opened(): typeof book {
    if (!recovered) {
      // If the disk fails, the next request retries.
      recovered =
        unlessStorageFails(() => {
          if (imports.size === 0) book.removeUnfinished();
          return recoverChats(env, (sessionId) => turns.has(sessionId));
        }) ?? false;
    }
    return book;
  }

  const turnOf = (sessionId: string): StartedTurn['turn'] | undefined => turns.get(sessionId)?.turn;
  const view = (session: ChatSession): ChatView => viewOf(session, turnOf(session.id));

  /** @throws {RequestError} If a turn cannot begin. */
  function checkIdle(session: ChatSession): void {
    if (closing.signal.aborted) throw new RequestError(localize('workbench.closing'));
    if (turns.has(session.id)) {
      throw new RequestError(localize('chat.turnRuns'), { field: 'sessionId' });
    }
    env.modelOf(session.options.modelId);
    book.checkSize(session.id);
  }

  function start(sessionId: string): void {
    const started = startTurn(env, sessionId);
    turns.set(sessionId, started);
    void started.ended.then(({ isKept }) => {
      turns.delete(sessionId);
      if (!isKept) recovered = false;
      onChange();
    });
  }

  function defaultOptions(): ChatOptions {
    const { config } = env.policy();
    return {
      modelId: models.defaultId(),
      protocol: newChatProtocol(config),
      mode: config.mode,
      systemPrompt: '',
      config: {},
    };
  }

  function addChat(title: string, chatOptions: ChatOptions, origin?: ChatSession['origin']): ChatSession {
    const record = {
      title,
      createdAt: now(),
      options: chatOptions,
      approved: [],
      ...(origin && { origin }),
    };
    return book.create(newId(), record);
  }

  function nextPrompt({ sessionId, text }: { sessionId: string; text?: string | undefined }): ComposedPrompt {
    const { options: chatOptions } = opened().get(sessionId);
    book.checkSize(sessionId);
    const config = effectiveConfig(env.policy().config, chatOptions);
    const next: ChatEntry[] =
      text === undefined ? [] : [{ id: '', position: 0, revision: 0, createdAt: 0, role: 'user', text }];
    const entries = [...book.entries(sessionId), ...next];
    return composePrompt({ ...env, config, options: chatOptions, entries });
  }

  function saveDecision(entry: ChatAssistantEntry, sessionId: string, approvedMethod: string | undefined): void {
    const { approved } = book.get(sessionId);
    book.together(() => {
      book.save(sessionId, entry);
      if (approvedMethod === undefined || approved.includes(approvedMethod)) return;
      book.change(sessionId, { approved: [...approved, approvedMethod] });
    });
  }

  const service = {
    list: () => opened().list().map(view),
    create({ title = '', options: change = {} }) {
      opened();
      return view(addChat(title, changeOptions(defaultOptions(), change)));
    },
    get: (input) => readPage(opened(), turnOf(input.sessionId), input),
    send({ sessionId, text }) {
      const session = opened().get(sessionId);
      checkIdle(session);
      const entryId = newId();
      book.together(() => {
        book.append(sessionId, {
          id: entryId,
          role: 'user',
          createdAt: now(),
          text,
        });
        book.change(sessionId, {
          running: true,
          ...(session.title === '' && { title: titleOf(text) }),
        });
      });
      start(sessionId);
      return { entryId };
    },
    resume({ sessionId }) {
      const session = opened().get(sessionId);
      checkIdle(session);
      const [last] = book.page(sessionId, { limit: 1 });
      if (last === undefined || (last.role === 'assistant' && last.stoppedBecause === 'done')) {
        throw new RequestError(localize('chat.turnEnded'), { field: 'sessionId' });
      }
      start(sessionId);
    },
    decide({ sessionId, callId, decision }) {
      opened().get(sessionId);
      const turn = turnOf(sessionId);
      const entry = turn?.entry;
      if (turn === undefined || entry === undefined) throw noLongerWaits();
      const { toolRegistryManager } = env;
      const { confirmations } = turn;
      const save = (method?: string): void => saveDecision(entry, sessionId, method);
      decideCall({
        toolRegistryManager,
        calls: entry.calls,
        confirmations,
        callId,
        decision,
        save,
      });
    },
    cancel({ sessionId }) {
      opened().get(sessionId);
      const turn = turnOf(sessionId);
      turn?.stop('cancelled');
      return { cancelled: turn !== undefined };
    },
    rerun({ sessionId, entryId, modelId, protocol }) {
      const session = opened().get(sessionId);
      const entry = book.entry(sessionId, entryId);
      if (entry.role !== 'user') {
        throw new RequestError(localize('chat.notUsersMessage'), {
          field: 'entryId',
        });
      }
      const change = {
        ...(modelId !== undefined && { modelId }),
        ...(protocol !== undefined && { protocol }),
      };
      const wanted = changeOptions(session.options, change);
      if (closing.signal.aborted) throw new RequestError(localize('workbench.closing'));
      env.modelOf(wanted.modelId);
      book.checkSize(sessionId, entry.position);
      const copy = book.together(() => {
        const made = addChat(session.title, wanted, { sessionId, entryId });
        book.copyEntries({
          from: sessionId,
          to: made.id,
          upTo: entry.position,
        });
        return made;
      });
      start(copy.id);
      return { sessionId: copy.id };
    },
    rename({ sessionId, title }) {
      opened().change(sessionId, { title });
    },
    async remove({ sessionId }) {
      opened().get(sessionId);
      const started = turns.get(sessionId);
      started?.turn.stop('cancelled');
      await started?.ended;
      book.remove(sessionId);
      env.earlierResults.delete(sessionId);
    },
    updateOptions({ sessionId, options: change }) {
      const session = opened().get(sessionId);
      return view(
        book.change(sessionId, {
          options: changeOptions(session.options, change),
        }),
      );
    },
    withdrawApproval({ sessionId, method }) {
      const { approved } = opened().get(sessionId);
      book.change(sessionId, {
        approved: approved.filter((each) => each !== method),
      });
    },
    exchange: ({ id }) => opened().step(id),
    prompt(input) {
      const { messages, tools, tokens } = nextPrompt(input);
      return { messages, tools, tokens };
    },
    promptSize(input) {
      const { methods, tokens } = nextPrompt(input);
      return { methods, tokens };
    },
    async *exportChat({ sessionId }) {
      const fileName = fileNameOf(opened().get(sessionId).title);
      for await (const piece of exportChat({ book, sessionId, now: now() })) {
        yield { fileName, ...piece };
        // Yields to other requests.
        await nextTurn();
      }
    },
    async importChat(pieces: AsyncIterable<string> | Iterable<string>, signal?: AbortSignal) {
      opened();
      const { mode } = env.policy().config;
      const ending = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
      const imported = importChat({
        book,
        pieces,
        mode,
        id: newId(),
        now,
        signal: ending,
      });
      imports.add(imported);
      try {
        return { sessionId: await imported };
      } catch (error) {
        throw signal?.aborted === true ? new RequestError(localize('chat.importCancelled')) : error;
      } finally {
        imports.delete(imported);
      }
    },
  } satisfies Implementation<typeof chat>;
  return {
    service,
    async close() {
      closing.abort(new RequestError(localize('workbench.closing')));
      for (const { turn } of turns.values()) turn.stop('interrupted');
      await Promise.allSettled([...[...turns.values()].map(({ ended }) => ended), ...imports]);
    },
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
