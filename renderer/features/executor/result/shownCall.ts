import type { CallRecord, CallRules, ToolExecutionResult } from '../../../../src-core/contract/types.ts';
import type { RunState } from '../../calls/useRun.ts';
import { indentJson } from '../../../ui/forms/json/indentJson.ts';

/** A finished call as the result region shows it, whether it just ran or comes from the history. */
export interface ShownCall {
  callId: string;
  qualifiedName: string;
  argsJson: string;
  startedAt: number;
  timeoutMs: number;
  rules?: CallRules | undefined;
  result: ToolExecutionResult;
}

/** A call of the history; undefined while it still runs. */
export function fromRecord({
  callId,
  qualifiedName,
  argsJson,
  startedAt,
  timeoutMs,
  rules,
  result,
}: CallRecord): ShownCall | undefined {
  if (result === undefined) return undefined;
  return { callId, qualifiedName, argsJson: indentJson(argsJson), startedAt, timeoutMs, rules, result };
}

/**
 * The call that has just ended; undefined in every other state. The engine begins a call shortly after the window asks for it: the
 * time in the `history` counts.
 */
export function fromRun(state: RunState, history: ReadonlyMap<string, CallRecord>): ShownCall | undefined {
  if (state.phase !== 'done') return undefined;
  const { callId, startedAt, request, result } = state;
  return {
    callId,
    startedAt: history.get(callId)?.startedAt ?? startedAt,
    result,
    rules: request.rules,
    qualifiedName: request.qualifiedName,
    argsJson: request.argsJson,
    timeoutMs: request.timeoutMs,
  };
}
