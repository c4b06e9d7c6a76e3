import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';

import type { Client } from '../../../src-core/rpc/client.ts';
import type {
  CallRules,
  ResultPiece,
  RunQuestion,
  RunView,
  ToolExecutionResult,
} from '../../../src-core/contract/types.ts';
import type { useRuns } from './runsStore.ts';
import type { RunToFollow } from './followRun.ts';
import { takeResult } from './takeResult.ts';

/** What is to be called, exactly as it is sent. */
export interface RunRequest {
  /** `toolId_methodName`. */
  qualifiedName: string;
  argsJson: string;
  timeoutMs: number;
  origin: 'executor' | 'parser';
  /** Absent: the user's own. */
  rules?: CallRules | undefined;
  /** Runs the call as a task of its server. */
  asTask?: boolean;
  /** The folder of the collection whose secrets the arguments name. */
  collection?: string;
}

export type RunState =
  | { phase: 'idle' }
  | { phase: 'running'; callId: string; startedAt: number; request: RunRequest; cancelling: boolean }
  /** The user is asked whether the call may go out. */
  | { phase: 'asking'; request: RunRequest; answer: (yes: boolean) => void }
  | { phase: 'done'; callId: string; startedAt: number; request: RunRequest; result: ToolExecutionResult }
  /** The engine could not be asked, or its answer did not arrive. */
  | { phase: 'lost'; callId: string; startedAt: number; request: RunRequest; message: string };

export interface UseRunOptions {
  client: Client;
  runs: ReturnType<typeof useRuns>;
  /** A decision did not arrive: the call asks on. */
  onUndecided: (cause: unknown) => void;
  newId?: () => string;
  now?: () => number;
}

export interface Run {
  state: ShallowRef<RunState>;
  running: ComputedRef<boolean>;
  run: (request: RunRequest) => Promise<void>;
  /** Shows a call that this window started before it was reloaded. */
  resume: (view: Extract<RunView, { kind: 'call' }>) => Promise<void>;
  cancel: () => Promise<void>;
}

/**
 * One call at a time, from the ask to its result. The engine owns the call: it continues if the window is reloaded. A call that
 * asks first waits in `asking` for an answer; after a no, its result is a refusal.
 */
export function useRun({
  client,
  runs,
  onUndecided,
  newId = () => crypto.randomUUID(),
  now = Date.now,
}: UseRunOptions): Run {
  const state = shallowRef<RunState>({ phase: 'idle' });
  const isBusy = (): boolean => state.value.phase === 'running' || state.value.phase === 'asking';

  async function run(request: RunRequest): Promise<void> {
    if (isBusy()) return;
    const { qualifiedName: toolName, ...rest } = request;
    const callId = newId();
    await show({ callId, startedAt: now(), request }, (options) =>
      client.calls.executeInPieces({ callId, toolName, ...rest }, options),
    );
  }

  async function resume({ input, startedAt }: Extract<RunView, { kind: 'call' }>): Promise<void> {
    if (isBusy()) return;
    const { callId, toolName: qualifiedName, argsJson, timeoutMs = 0, rules, collection } = input;
    const request = { qualifiedName, argsJson, timeoutMs, rules, origin: 'executor' as const };
    await show({ callId, startedAt, request: { ...request, ...(collection !== undefined && { collection }) } });
  }

  async function show(
    asked: { callId: string; startedAt: number; request: RunRequest },
    start?: RunToFollow<ResultPiece | RunQuestion>['start'],
  ): Promise<void> {
    const { callId } = asked;
    let call = asked;
    state.value = { phase: 'running', ...call, cancelling: false };

    async function* answered(): AsyncGenerator<ResultPiece, void, void> {
      const follow: RunToFollow<ResultPiece | RunQuestion>['follow'] = (options) =>
        client.calls.follow({ callId }, options);
      for await (const event of runs.follow(callId, { start, follow })) {
        if ('question' in event) state.value = { phase: 'asking', request: call.request, answer: answerOf(callId) };
        else if ('allowed' in event) {
          // The history counts it from here.
          call = { ...asked, startedAt: event.at };
          state.value = { phase: 'running', ...call, cancelling: false };
        } else yield event;
      }
    }

    try {
      const result = await takeResult(answered());
      state.value = { phase: 'done', ...call, result };
    } catch (cause) {
      const result = await keptResult(client, callId);
      const message = cause instanceof Error ? cause.message : String(cause);
      state.value = result === undefined ? { phase: 'lost', ...call, message } : { phase: 'done', ...call, result };
    }
  }

  function answerOf(callId: string): (yes: boolean) => void {
    return (allowed) => void client.runs.decide({ callId, allowed }).catch(onUndecided);
  }

  async function cancel(): Promise<void> {
    const current = state.value;
    if (current.phase !== 'running' || current.cancelling) return;
    state.value = { ...current, cancelling: true };
    try {
      // The call itself then ends with its own result, `cancelled`.
      await client.calls.cancel({ callId: current.callId });
    } catch (cause) {
      state.value = { ...current, phase: 'lost', message: cause instanceof Error ? cause.message : String(cause) };
    }
  }

  return { state, running: computed(() => state.value.phase === 'running'), run, resume, cancel };
}

/** How the history says that a call ended: its engine was restarted, or has forgotten the run. Undefined if it says nothing. */
async function keptResult(client: UseRunOptions['client'], callId: string): Promise<ToolExecutionResult | undefined> {
  try {
    return (await client.calls.get({ callId })).result;
  } catch {
    return undefined;
  }
}
