import { shallowRef, type ShallowRef } from 'vue';

import type { RunQuestion, RunView, SeriesFigures } from '../../../src-core/contract/types.ts';
import type { RunToFollow } from './followRun.ts';
import type { RunRequest, UseRunOptions } from './useRun.ts';

/** What is to be called how often. */
export interface SeriesRequest extends RunRequest {
  count: number;
  /** How many at once. */
  parallel: number;
}

export type SeriesState =
  | { phase: 'idle' }
  | { phase: 'running'; request: SeriesRequest; figures: SeriesFigures | undefined; cancelling: boolean }
  /** The user is asked, once for all of them, whether the calls may go out. */
  | { phase: 'asking'; request: SeriesRequest; answer: (yes: boolean) => void }
  | { phase: 'done'; request: SeriesRequest; figures: SeriesFigures }
  /** The engine could not be asked, or the figures stopped coming. */
  | { phase: 'lost'; request: SeriesRequest; figures: SeriesFigures | undefined; message: string };

export interface Series {
  state: ShallowRef<SeriesState>;
  run: (request: SeriesRequest) => Promise<void>;
  /** Shows a series that this window started before it was reloaded. */
  resume: (view: Extract<RunView, { kind: 'series' }>) => Promise<void>;
  cancel: () => Promise<void>;
}

/** One call made many times, from the ask to its last figures. The engine owns the series. After a no, nothing is shown of it. */
export function useSeries({
  client,
  runs,
  onUndecided,
  newId = () => crypto.randomUUID(),
}: Omit<UseRunOptions, 'now'>): Series {
  const state = shallowRef<SeriesState>({ phase: 'idle' });
  let seriesId = '';

  async function run(request: SeriesRequest): Promise<void> {
    if (state.value.phase === 'running' || state.value.phase === 'asking') return;
    const { qualifiedName: toolName, ...rest } = request;
    const id = newId();
    await show(id, request, (options) => client.calls.repeat({ seriesId: id, toolName, ...rest }, options));
  }

  async function resume({ id, input }: Extract<RunView, { kind: 'series' }>): Promise<void> {
    const { toolName: qualifiedName, argsJson, timeoutMs = 0, count, parallel, rules, collection } = input;
    const request = { qualifiedName, argsJson, timeoutMs, count, parallel, rules, origin: 'executor' as const };
    await show(id, { ...request, ...(collection !== undefined && { collection }) });
  }

  async function show(
    id: string,
    request: SeriesRequest,
    start?: RunToFollow<SeriesFigures | RunQuestion>['start'],
  ): Promise<void> {
    seriesId = id;
    let figures: SeriesFigures | undefined;
    let isRefused = false;
    const running = (): void => {
      const cancelling = state.value.phase === 'running' && state.value.cancelling;
      state.value = { phase: 'running', request, figures, cancelling };
    };
    running();
    const follow: RunToFollow<SeriesFigures | RunQuestion>['follow'] = (options) =>
      client.calls.followSeries({ seriesId }, options);
    const answer = (allowed: boolean): void =>
      void client.runs.decide({ callId: seriesId, allowed }).catch(onUndecided);
    try {
      for await (const event of runs.follow(seriesId, { start, follow })) {
        if ('question' in event) state.value = { phase: 'asking', request, answer };
        else if ('allowed' in event) {
          isRefused = !event.allowed;
          running();
        } else {
          figures = event;
          if (figures.done) state.value = { phase: 'done', request, figures };
          else running();
        }
      }
      if (isRefused) state.value = { phase: 'idle' };
      else if (figures?.done !== true) throw new Error('The figures stopped before the last call.');
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      state.value = { phase: 'lost', request, figures, message };
    }
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

  return { state, run, resume, cancel };
}
