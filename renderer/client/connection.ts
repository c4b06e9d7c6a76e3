import { createORPCClient } from '@orpc/client';
import { shallowRef, watch, type InjectionKey, type ShallowRef } from 'vue';

import type { Client } from '../../src-core/rpc/client.ts';
import type { WorkbenchTopic } from '../../src-core/contract/types.ts';
import { NotLetInError, type Line, type OpenLine } from './line.ts';
import { t } from '../i18n/index.ts';
import { wordEngineError } from '../i18n/engine/wordEngineError.ts';

/**
 * Where the window stands with the engine. `reason` is the last failure, `retryAt` epoch ms of the next attempt; `notLetIn`: an
 * engine is there and wants its new link opened.
 */
export type ConnectionState =
  | { phase: 'connecting'; attempt: number; reason?: string; notLetIn?: boolean }
  | { phase: 'connected' }
  | { phase: 'waiting'; attempt: number; retryAt: number; reason: string; notLetIn: boolean };

/** The window's connection to the engine: one client for good, whatever line is under it. */
export interface Connection {
  readonly client: Client;
  readonly state: Readonly<ShallowRef<ConnectionState>>;
  /** Hears every topic that changed; all of them whenever a line is new (the engine says so first). Returns how to stop. */
  onTopics(listener: (topics: readonly WorkbenchTopic[]) => void): () => void;
  /** Tries at once instead of when `retryAt` comes. */
  retryNow(): void;
  close(): void;
}

/** Resolves once the window is connected by another line than the one that `before` was the state of, or if `signal` aborts. */
export function untilNextLine(
  { state }: Pick<Connection, 'state'>,
  before: ConnectionState,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (signal?.aborted !== true && (state.value.phase !== 'connected' || state.value === before)) return;
      stop();
      signal?.removeEventListener('abort', check);
      resolve();
    };
    const stop = watch(state, check, { flush: 'sync' });
    signal?.addEventListener('abort', check);
    check();
  });
}

export const connectionKey: InjectionKey<Connection> = Symbol('connection');

const silence = 'The engine does not answer';
/** ms between two questions whether the engine still answers. */
const askEveryMs = 2_000;
const defaultDelays = [200, 500, 1_000, 2_000, 5_000];

type ConnectionOptions = { open: OpenLine; delaysMs?: readonly number[] };

/**
 * Keeps a line open: opens it, follows the engine's events, and opens the next one when it is lost, after a growing
 * delay. Calls made before the first line wait for it; calls made while a lost line is not back yet fail at once.
 */
export function createConnection({ open, delaysMs = defaultDelays }: ConnectionOptions): Connection {
  const state = shallowRef<ConnectionState>({ phase: 'connecting', attempt: 1 });
  const listeners = new Set<(topics: readonly WorkbenchTopic[]) => void>();
  const closing = new AbortController();
  const first = Promise.withResolvers<true>();
  /** The first event of a line names all. */
  let allTopics: readonly WorkbenchTopic[] | undefined;
  let line: Line | undefined;
  let wake: (() => void) | undefined;

  const follow = async (): Promise<void> => {
    const opened = await open(closing.signal);
    const { promise: lost, reject: lose } = Promise.withResolvers<never>();
    const connected = { phase: 'connected' } as const;
    const onSilent = (isSilent: boolean): void => {
      if (line !== opened) return;
      state.value = isSilent ? { phase: 'connecting', attempt: 1, reason: silence } : connected;
      wake = isSilent ? () => lose(new Error(silence)) : undefined;
    };
    const stopAsking = keepAsking(() => opened.client.workbench.info(), onSilent);
    try {
      opened.onClose(() => lose(new Error('The engine closed the connection')));
      const events = await Promise.race([opened.client.workbench.events(undefined, { signal: closing.signal }), lost]);
      line = opened;
      state.value = connected;
      first.resolve(true);
      const read = async (): Promise<void> => {
        for await (const { topics } of events) {
          allTopics ??= topics;
          for (const listener of listeners) listener(topics);
        }
      };
      await Promise.race([read(), lost]);
    } finally {
      line = undefined;
      stopAsking();
      opened.close();
    }
  };

  const keepOpen = async (): Promise<void> => {
    for (let attempt = 1; !closing.signal.aborted; attempt += 1) {
      const ended = (): unknown => new Error('The engine ended the connection');
      const error = await follow().then(ended, (cause: unknown) => cause);
      const reason = error instanceof Error ? error.message : String(error);
      const notLetIn = error instanceof NotLetInError;
      if (closing.signal.aborted) return;
      if (state.value.phase === 'connected') attempt = 1;
      const delay = delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 5_000;
      state.value = { phase: 'waiting', attempt, retryAt: Date.now() + delay, reason, notLetIn };
      const { promise, resolve } = Promise.withResolvers<undefined>();
      wake = () => resolve(undefined);
      const timer = setTimeout(wake, delay);
      await promise;
      clearTimeout(timer);
      state.value = { phase: 'connecting', attempt: attempt + 1, reason, notLetIn };
    }
  };
  void keepOpen();

  return {
    client: delegateClient(async () => {
      await first.promise;
      if (!line) throw new Error(t('shell.engine.offline'));
      return line;
    }),
    state,
    onTopics(listener) {
      listeners.add(listener);
      if (state.value.phase === 'connected' && allTopics) listener(allTopics);
      return () => listeners.delete(listener);
    },
    retryNow: () => wake?.(),
    close() {
      closing.abort();
      line?.close();
      wake?.();
    },
  };
}

/**
 * Asks one question at a time, and reports silence once it is without answer for two rounds, and every answer. An error is an
 * answer. A round that took far longer does not count: the page slept. Returns how to stop.
 */
function keepAsking(ask: () => Promise<unknown>, onSilent: (isSilent: boolean) => void): () => void {
  let missed: number | undefined;
  let last = Date.now();
  const answered = (): void => {
    missed = undefined;
    onSilent(false);
  };
  const timer = setInterval(() => {
    const slept = Date.now() - last > 2 * askEveryMs;
    last = Date.now();
    if (missed === undefined) {
      missed = 0;
      void ask().then(answered, answered);
    } else {
      missed = slept ? 0 : missed + 1;
      if (missed === 2) onSilent(true);
    }
  }, askEveryMs);
  return () => clearInterval(timer);
}

type Procedure = (input: unknown, options: unknown) => Promise<unknown>;

/** A client that hands every call to the current line, and fails in the window's language. */
function delegateClient(current: () => Promise<Line>): Client {
  return createORPCClient<Client>({
    call: async (path, input, options) => {
      const line = await current();
      let node: unknown = line.client;
      for (const name of path) node = Reflect.get(node as object, name);
      try {
        return await (node as Procedure)(input, options);
      } catch (error) {
        throw await wordEngineError(error);
      }
    },
  });
}
