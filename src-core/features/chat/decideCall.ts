import { ToolError } from '../../base/errors.ts';
import { refusedByUser } from '../../engine/confirmCall.ts';
import { fittingArguments } from '../../engine/fittingArguments.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { Confirmations } from './confirmations.ts';
import type { ChatCall, ChatDecision } from '../../contract/chat.ts';
import { refuseCall } from './settleCall.ts';

/** The call to decide on, and the effects of the decision. */
export interface DecideCallOptions {
  toolRegistryManager: ToolRegistryManager;
  calls: readonly ChatCall[];
  confirmations: Confirmations;
  callId: string;
  /** Or the error of a call that was not decided on in time. */
  decision: ChatDecision | ToolError;
  /** The calls have changed; with a name, later calls of that method are approved, too. */
  save: (approvedMethod?: string) => void;
}

/**
 * Applies the decision on a call, also before its turn has come.
 * @throws {RequestError} If the call does not wait.
 * @throws {ToolError} `invalid-arguments` if new arguments do not fit; the call keeps waiting.
 */
export function decideCall({
  toolRegistryManager,
  calls,
  confirmations,
  callId,
  decision,
  save,
}: DecideCallOptions): void {
  const call = calls.find(({ id, state }) => id === callId && state === 'waiting');
  if (call === undefined) throw noLongerWaits();
  if (decision instanceof ToolError || decision.action === 'refuse') {
    const refusal = decision instanceof ToolError ? decision : refusedByUser(decision.reason);
    refuseCall(call, refusal);
    save();
    confirmations.decide(callId, { refusal });
    return;
  }
  const { argsJson, always = false } = decision;
  const method = always ? repeatable(call) : undefined;
  const args = argsJson === undefined ? undefined : fittingArguments({ ...call, toolRegistryManager, argsJson });
  call.state = 'approved';
  if (args !== undefined && call.qualifiedName !== undefined) delete call.problem;
  if (args !== undefined && JSON.stringify(args) !== call.argsJson)
    Object.assign(call, { argsJson: JSON.stringify(args), edited: true });
  const alike = method === undefined ? [] : waitingOf(calls, method);
  for (const each of alike) each.state = 'approved';
  save(method);
  const edited = call.edited === true && args !== undefined && { args };
  confirmations.decide(callId, { confirmation: { allowed: true, ...edited }, approvedBy: 'person' });
  for (const { id } of alike) confirmations.decide(id, { confirmation: true, approvedBy: 'always' });
}

/** The error of a decision that comes too late. */
export function noLongerWaits(): RequestError {
  return new RequestError(localize('chat.notWaiting'), { field: 'callId' });
}

/** The method that may be approved permanently. */
function repeatable({ qualifiedName, danger }: ChatCall): string {
  if (danger !== undefined)
    throw new RequestError(localize('chat.alwaysAsks', { danger }), { field: 'decision.always' });
  if (qualifiedName !== undefined) return qualifiedName;
  throw new RequestError(localize('chat.noTool'), { field: 'decision.always' });
}

function waitingOf(calls: readonly ChatCall[], method: string): ChatCall[] {
  return calls.filter(
    ({ state, qualifiedName, danger }) => state === 'waiting' && qualifiedName === method && danger === undefined,
  );
}
