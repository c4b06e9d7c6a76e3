import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';

import type { Client } from '../../src-core/api/client.ts';
import type { ToolExecutionResult } from '../../src-core/api/types.ts';
import { takeResult } from './takeResult.ts';

/** What is to be called, exactly as it is sent. */
export interface RunRequest {
  /** `toolId_methodName`. */
  qualifiedName: string;
  argsJson: string;
  timeoutMs: number;
  origin: 'executor' | 'parser';
  /** The folder of the collection whose secrets the arguments name. */
  collection?: string;
}

export type RunState =
  | { phase: 'idle' }
  | { phase: 'running'; callId: string; startedAt: number; request: RunRequest; cancelling: boolean }
  /** A person is asked whether the call may go out. */
  | { phase: 'asking'; request: RunRequest; reason: string; answer: (yes: boolean) => void }
  | { phase: 'done'; callId: string; startedAt: number; request: RunRequest; result: ToolExecutionResult }
  /** The engine could not be asked, or its answer did not arrive. */
  | { phase: 'lost'; callId: string; startedAt: number; request: RunRequest; message: string };

export interface UseRunOptions {
  client: Client;
  newId?: () => string;
  now?: () => number;
}

export interface Run {
  state: ShallowRef<RunState>;
  running: ComputedRef<boolean>;
  run: (request: RunRequest) => Promise<void>;
  cancel: () => Promise<void>;
}

/**
 * One call at a time, from the ask to its result. A call that the engine will not make without a yes waits in `asking`
 * for an answer; after a no, what was shown before is shown again.
 */
export function useRun({ client, newId = () => crypto.randomUUID(), now = Date.now }: UseRunOptions): Run {
  const state = shallowRef<RunState>({ phase: 'idle' });

  async function run(request: RunRequest): Promise<void> {
    if (state.value.phase === 'running' || state.value.phase === 'asking') return;
    const before = state.value;
    const result = await attempt(request, false);
    if (result?.error?.code !== 'confirmation-required') return;
    const yes = await ask(request, result.error.message);
    if (yes) await attempt(request, true);
    else state.value = before;
  }

  function ask(request: RunRequest, reason: string): Promise<boolean> {
    return new Promise((answer) => {
      state.value = { phase: 'asking', request, reason, answer };
    });
  }

  async function attempt(request: RunRequest, confirmed: boolean): Promise<ToolExecutionResult | undefined> {
    const call = { callId: newId(), startedAt: now(), request };
    state.value = { phase: 'running', ...call, cancelling: false };
    const { qualifiedName: toolName, ...rest } = request;
    try {
      const input = { callId: call.callId, toolName, ...rest };
      const pieces = await client.calls.executeInPieces(confirmed ? { ...input, confirmed } : input);
      const result = await takeResult(pieces);
      // A question to the person is no result.
      if (result.error?.code !== 'confirmation-required') state.value = { phase: 'done', ...call, result };
      return result;
    } catch (cause) {
      state.value = { phase: 'lost', ...call, message: cause instanceof Error ? cause.message : String(cause) };
      return undefined;
    }
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

  return {
    state,
    running: computed(() => state.value.phase === 'running'),
    run,
    cancel,
  };
}
