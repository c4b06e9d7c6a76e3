import type { ExecutionOptions } from '../engine/executionOptions.ts';
import { executeToolRequests } from '../engine/executor.ts';
import { resolveToolEnabled } from '../engine/resolveToolEnabled.ts';
import type { ToolCallRequest } from '../tools/calls.ts';
import type { CallDecision } from './confirmations.ts';
import type { EffectiveConfig } from './effectiveConfig.ts';
import type { ChatAssistantEntry, ChatCall } from './entries.ts';
import type { CallPolicy, ChatEnvironment } from './environment.ts';
import type { PlannedCall, PlannedCalls } from './plannedCalls.ts';
import { refuseCall, settleCall } from './settleCall.ts';
import type { ChatTurn } from './turn.ts';

/** The calls of one step, and where they belong. */
export interface RunCallsOptions {
  turn: ChatTurn;
  env: ChatEnvironment;
  entry: ChatAssistantEntry;
  calls: PlannedCalls;
  config: EffectiveConfig;
  policy: CallPolicy;
}

/**
 * Runs the calls of a step through the executor, and gives each its result. A call that has to be confirmed waits for a
 * person as long as it takes, or until the turn is stopped. Every change is written at once.
 */
export async function runCalls(options: RunCallsOptions): Promise<void> {
  const { turn, env, entry, calls, config, policy } = options;
  const { book, toolRegistryManager, onError } = env;
  const byId = new Map(calls.planned.map(({ call }) => [call.id, call]));
  const save = (): void => book.save(turn.sessionId, entry);
  const isApproved = ({ qualifiedName, danger }: ChatCall): boolean =>
    danger === undefined && qualifiedName !== undefined && book.get(turn.sessionId).approved.includes(qualifiedName);

  for (const { call, refusal } of calls.planned) if (refusal !== undefined) refuseCall(call, refusal);
  for (const each of calls.planned) {
    if (asks(each, config) && !isApproved(each.call)) each.call.state = 'waiting';
  }
  save();

  const followed = env.follow();
  const hooks: Pick<ExecutionOptions, 'onBeforeExecute' | 'onCallStart' | 'onWentOut' | 'onCallEnd'> = {
    onWentOut: followed.onWentOut,
    async onBeforeExecute({ requestId = '' }, { danger }) {
      const call = byId.get(requestId);
      if (call === undefined) return false;
      // Danger may have come to the list while the call waited for its turn.
      if (danger !== undefined) call.danger = danger;
      if (isApproved(call) && call.state === 'queued') return take(call, { confirmation: true, approvedBy: 'always' });
      if (call.state === 'queued') {
        call.state = 'waiting';
        save();
      }
      return take(call, await turn.confirmations.word(call.id));
    },
    onCallStart(record, cancel) {
      followed.onCallStart?.(record, cancel);
      const call = byId.get(record.requestId);
      if (call === undefined) return;
      const { callId, startedAt, args } = record;
      call.approvedBy ??= 'auto';
      Object.assign(call, { state: 'running', callId, startedAt, argsJson: JSON.stringify(args) });
      save();
    },
    onCallEnd(ended) {
      followed.onCallEnd?.(ended);
      const call = byId.get(ended.requestId);
      if (call !== undefined) settleCall(call, ended.result);
      save();
    },
  };
  const results = await executeToolRequests(withoutRefused(calls), {
    ...policy,
    ...hooks,
    ...{ toolRegistryManager, config, caller: 'model', signal: turn.signal, onError },
    suspicionOf: turn.results.suspicionOf,
  });
  // A hook that failed has not kept its result.
  for (const result of results) {
    const call = byId.get(result.requestId);
    if (call !== undefined) settleCall(call, result);
  }
}

function take(call: ChatCall, { confirmation, approvedBy }: CallDecision): CallDecision['confirmation'] {
  if (approvedBy !== undefined) call.approvedBy = approvedBy;
  return confirmation;
}

/** Whether the executor will ask, as far as that can be known now. */
function asks({ call, prepared, refusal }: PlannedCall, config: EffectiveConfig): boolean {
  if (refusal !== undefined) return false;
  if (config.requireConfirmation) return true;
  const { target, converted } = prepared;
  if (call.danger === undefined || target === undefined || converted.issues.length > 0) return false;
  return target.method.agentCallable && resolveToolEnabled(target.registry.id, config);
}

function withoutRefused({ planned, requests }: PlannedCalls): ToolCallRequest[] {
  const refused = new Set(planned.flatMap(({ call, refusal }) => (refusal === undefined ? [] : [call.id])));
  if (refused.size === 0) return requests;
  return requests.flatMap((request): ToolCallRequest[] => {
    if (!('rawBlock' in request) || request.calls === undefined)
      return refused.has(request.requestId ?? '') ? [] : [request];
    const calls = request.calls.filter(({ requestId }) => !refused.has(requestId));
    return calls.length === 0 ? [] : [{ ...request, calls }];
  });
}
