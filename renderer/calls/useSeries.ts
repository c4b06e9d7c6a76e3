import { shallowRef, type ShallowRef } from 'vue';

import type { Client } from '../../src-core/api/client.ts';
import type { SeriesFigures } from '../../src-core/api/types.ts';
import type { RunRequest } from './useRun.ts';

/** What is to be called how often. */
export interface SeriesRequest extends RunRequest {
  count: number;
  /** How many at once. */
  parallel: number;
}

export type SeriesState =
  | { phase: 'idle' }
  | { phase: 'running'; request: SeriesRequest; figures: SeriesFigures | undefined; cancelling: boolean }
  /** A person is asked, once for all of them, whether the calls may go out. */
  | { phase: 'asking'; request: SeriesRequest; reason: string; answer: (yes: boolean) => void }
  | { phase: 'done'; request: SeriesRequest; figures: SeriesFigures }
  /** The engine could not be asked, or the figures stopped coming. */
  | { phase: 'lost'; request: SeriesRequest; figures: SeriesFigures | undefined; message: string };

export interface Series {
  state: ShallowRef<SeriesState>;
  run: (request: SeriesRequest) => Promise<void>;
  cancel: () => Promise<void>;
}

/** One call made many times, from the ask to its last figures. After a no, nothing is shown of it. */
export function useSeries({
  client,
  newId = () => crypto.randomUUID(),
}: {
  client: Client;
  newId?: () => string;
}): Series {
  const state = shallowRef<SeriesState>({ phase: 'idle' });
  let seriesId = '';

  async function run(request: SeriesRequest): Promise<void> {
    if (state.value.phase === 'running' || state.value.phase === 'asking') return;
    const reason = await attempt(request, false);
    if (reason === undefined) return;
    const yes = await new Promise<boolean>((answer) => {
      state.value = { phase: 'asking', request, reason, answer };
    });
    if (yes) await attempt(request, true);
    else state.value = { phase: 'idle' };
  }

  /** Resolves with the question that the engine wants answered first, if any. */
  async function attempt(request: SeriesRequest, confirmed: boolean): Promise<string | undefined> {
    seriesId = newId();
    const { qualifiedName: toolName, ...rest } = request;
    let figures: SeriesFigures | undefined;
    state.value = { phase: 'running', request, figures, cancelling: false };
    try {
      const input = { seriesId, toolName, ...rest, ...(confirmed && { confirmed }) };
      for await (figures of await client.calls.repeat(input)) {
        const { stopped } = figures;
        if (figures.done && stopped?.code === 'confirmation-required') return stopped.message;
        const cancelling: boolean = state.value.phase === 'running' && state.value.cancelling;
        state.value = figures.done
          ? { phase: 'done', request, figures }
          : { phase: 'running', request, figures, cancelling };
      }
      if (figures?.done !== true) throw new Error('The figures stopped before the last call.');
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      state.value = { phase: 'lost', request, figures, message };
    }
    return undefined;
  }

  async function cancel(): Promise<void> {
    const current = state.value;
    if (current.phase !== 'running' || current.cancelling) return;
    state.value = { ...current, cancelling: true };
    try {
      // Its last figures then come as those of every series do.
      await client.calls.cancel({ callId: seriesId });
    } catch (cause) {
      state.value = { ...current, phase: 'lost', message: cause instanceof Error ? cause.message : String(cause) };
    }
  }

  return { state, run, cancel };
}
