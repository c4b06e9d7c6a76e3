import { isOfferedTo } from '../../registry/isOfferedTo.ts';
import type { Confirmation, ExecutionOptions } from '../../engine/executionOptions.ts';
import { executeToolRequests } from '../../engine/executor.ts';
import { resolveToolEnabled } from '../../engine/resolveToolEnabled.ts';
import type { ToolCallConfig, ToolCallRequest } from '../../base/calls.ts';
import type { EarlierResults } from '../../engine/earlierResults.ts';
import type { CallDecision, Confirmations } from './confirmations.ts';
import type { EffectiveConfig } from './effectiveConfig.ts';
import type { ChatCall } from '../../contract/chat.ts';
import type { CallPolicy, ChatEnvironment } from './environment.ts';
import type { PlannedCall, PlannedCalls } from './plannedCalls.ts';
import { refuseCall, settleCall } from './settleCall.ts';

/** The calls of one reply, and how they run. */
export interface RunCallsOptions extends Pick<ChatEnvironment, 'toolRegistryManager' | 'onError'> {
  calls: PlannedCalls;
  config: EffectiveConfig;
  policy: CallPolicy;
  /** Cancels what runs and what waits. */
  signal: AbortSignal;
  confirmations: Confirmations;
  suspicionOf: EarlierResults['suspicionOf'];
  /** Whether the user approved all calls of the method of that qualified name. */
  isMethodApproved: (qualifiedName: string) => boolean;
  /** Hooks that follow the calls, for history and the list of running calls. */
  followed: ReturnType<ChatEnvironment['follow']>;
  /** A call has changed. */
  save: () => void;
}

/**
 * Runs the calls of a reply through the executor, and sets each result. A call that has to be confirmed waits for the
 * user as long as it takes, or until `signal` aborts. A call that is refused whatever its arguments are does not ask.
 */
export async function runCalls(options: RunCallsOptions): Promise<void> {
  const { calls, config, policy, confirmations, followed, save } = options;
  const { toolRegistryManager, suspicionOf, signal, onError } = options;
  const plannedById = new Map(calls.planned.map((each) => [each.call.id, each]));
  const callOf = (id: string): ChatCall | undefined => plannedById.get(id)?.call;
  const isApproved = ({ qualifiedName, danger }: ChatCall): boolean =>
    danger === undefined && qualifiedName !== undefined && options.isMethodApproved(qualifiedName);

  for (const { call, refusal } of calls.planned) if (refusal !== undefined) refuseCall(call, refusal);
  for (const each of calls.planned) if (asks(each, config) && !isApproved(each.call)) each.call.state = 'waiting';
  save();

  const hooks: Pick<ExecutionOptions, 'onBeforeExecute' | 'onCallStart' | 'onWentOut' | 'onCallEnd'> = {
    onWentOut: followed.onWentOut,
    async onBeforeExecute({ requestId = '' }, { danger }) {
      const planned = plannedById.get(requestId);
      if (planned === undefined) return false;
      const { call } = planned;
      // The executor refuses it; there is nothing to ask.
      if (!mayRun(planned, config)) return true;
      // Danger may have come to the list while the call waited for its turn.
      if (danger !== undefined) call.danger = danger;
      if (isApproved(call) && call.state === 'queued') return take(call, { confirmation: true, approvedBy: 'always' });
      if (call.state === 'queued') {
        call.state = 'waiting';
        save();
      }
      return take(call, await confirmations.word(call.id));
    },
    onCallStart(record, ending) {
      followed.onCallStart?.(record, ending);
      const call = callOf(record.requestId);
      if (call === undefined) return;
      const { callId, startedAt, args } = record;
      call.approvedBy ??= 'auto';
      Object.assign(call, { state: 'running', callId, startedAt, argsJson: JSON.stringify(args) });
      save();
    },
    async onCallEnd(ended) {
      const call = callOf(ended.requestId);
      if (call !== undefined) settleCall(call, ended.result);
      save();
      await followed.onCallEnd?.(ended);
    },
  };
  const results = await executeToolRequests(withoutRefused(calls), {
    ...policy,
    ...hooks,
    toolRegistryManager,
    config,
    caller: 'model',
    consumer: 'chat',
    signal,
    suspicionOf,
    onError,
  });
  // A hook that failed has not kept its result.
  for (const result of results) {
    const call = callOf(result.requestId);
    if (call !== undefined) settleCall(call, result);
  }
}

function take(call: ChatCall, decision: CallDecision): Confirmation {
  if ('refusal' in decision) throw decision.refusal;
  call.approvedBy = decision.approvedBy;
  return decision.confirmation;
}

/** Whether the executor will ask, as far as that can be known now. */
function asks(planned: PlannedCall, config: EffectiveConfig): boolean {
  const { call, prepared, refusal } = planned;
  if (refusal !== undefined || !mayRun(planned, config)) return false;
  if (config.requireConfirmation) return true;
  return call.danger !== undefined && prepared.converted?.issues.length === 0;
}

/** Whether a model may call the method at all. Arguments that do not fit can be changed when the call asks. */
export function mayRun({ prepared: { target } }: Pick<PlannedCall, 'prepared'>, config: ToolCallConfig): boolean {
  return target !== undefined && isOfferedTo(target.method, 'chat') && resolveToolEnabled(target.registry.id, config);
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
