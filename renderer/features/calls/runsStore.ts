import { defineStore } from 'pinia';

import type { CallQuestion, RunView } from '../../../src-core/contract/types.ts';
import { followRun, type RunToFollow } from './followRun.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';

const storageKey = 'runs';
/** Ids that are kept; the oldest ones go. */
const mostIds = 100;

/**
 * Runs of the engine that this window started. Their ids are kept in the session storage, which a reload of the window leaves,
 * so that the window shows them again; the questions are those of runs that no window shows.
 */
export const useRuns = defineStore('runs', () => {
  const connection = injectConnection();
  const { runs, calls } = connection.client;
  const own = new Set(readIds());
  let before: Promise<RunView[]> | undefined;
  const questions = createResource<CallQuestion[]>({
    connection,
    topics: ['calls'],
    initial: [],
    // The Parser's store follows its own run again after a reload: the Parser then asks.
    fetch: async () => (await runs.questions()).filter(({ runId }) => runId === undefined || !own.has(runId)),
  });

  function store(): void {
    if (own.size === 0) return sessionStorage.removeItem(storageKey);
    try {
      sessionStorage.setItem(storageKey, JSON.stringify([...own].slice(-mostIds)));
    } catch (error) {
      // A text of the Parser may fill the storage. The run continues; after a reload only the status bar and the history show it.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  async function findRuns(): Promise<RunView[]> {
    const found = own.size === 0 ? [] : await runs.list({ ids: [...own] });
    // The others ended too long ago, or with an engine that was ended.
    const known = new Set(found.map(({ id }) => id));
    for (const id of own) if (!known.has(id)) own.delete(id);
    store();
    return found;
  }

  return {
    /** The runs of this kind that the window started before it was reloaded and that the engine still knows. */
    async ofBefore<Kind extends RunView['kind']>(kind: Kind): Promise<Extract<RunView, { kind: Kind }>[]> {
      before ??= findRuns();
      const isOfKind = (run: RunView): run is Extract<RunView, { kind: Kind }> => run.kind === kind;
      return (await before).filter(isOfKind);
    },
    /** Yields the events of a run until its end. See `followRun`. */
    async *follow<Event extends object>(id: string, run: RunToFollow<Event>): AsyncGenerator<Event, void, void> {
      own.add(id);
      store();
      try {
        yield* followRun(connection, run);
      } finally {
        own.delete(id);
        store();
      }
    },
    /** Ends a run, or one call that runs. */
    cancel: (callId: string) => calls.cancel({ callId }),
    questions: questions.data,
    attend: (callId: string): Promise<unknown> => runs.attend({ callId }),
    async decide(word: Parameters<typeof runs.decide>[0]): Promise<void> {
      try {
        await runs.decide(word);
      } finally {
        await questions.refresh();
      }
    },
  };
});

function readIds(): string[] {
  return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as string[];
}
