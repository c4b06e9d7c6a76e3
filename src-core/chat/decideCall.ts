import { refusedByUser } from '../engine/confirmCall.ts';
import { fittingArguments } from '../engine/fittingArguments.ts';
import { RequestError } from '../tools/requestError.ts';
import type { ChatDecision } from './decision.ts';
import type { ChatAssistantEntry, ChatCall } from './entries.ts';
import type { ChatEnvironment } from './environment.ts';
import { refuseCall } from './settleCall.ts';
import type { ChatTurn } from './turn.ts';

/** Which call of which turn; no turn where none is under way. */
export interface DecideCallOptions {
  env: Pick<ChatEnvironment, 'book' | 'toolRegistryManager'>;
  turn: ChatTurn | undefined;
  callId: string;
  decision: ChatDecision;
}

/**
 * Gives the word on a call, also before its turn has come. Throws, and leaves the call waiting, where it cannot be given: a
 * `RequestError` where the call does not wait, a `ToolError` `invalid-arguments` where new arguments do not fit.
 */
export function decideCall({ env, turn, callId, decision }: DecideCallOptions): void {
  const entry = turn?.entry;
  const call = entry?.calls.find(({ id, state }) => id === callId && state === 'waiting');
  if (turn === undefined || entry === undefined || call === undefined) {
    throw new RequestError('This call does not wait for a decision any more.', { field: 'callId' });
  }
  if (decision.action === 'refuse') {
    const { reason } = decision;
    refuseCall(call, refusedByUser(reason));
    env.book.save(turn.sessionId, entry);
    turn.confirmations.decide(callId, { confirmation: { allowed: false, ...(reason !== undefined && { reason }) } });
    return;
  }
  const { argsJson, always = false } = decision;
  const method = always ? repeatable(call) : undefined;
  const args = argsJson === undefined ? undefined : fittingArguments({ ...call, ...env, argsJson });
  call.state = 'approved';
  if (args !== undefined && call.qualifiedName !== undefined) delete call.problem;
  if (args !== undefined && JSON.stringify(args) !== call.argsJson)
    Object.assign(call, { argsJson: JSON.stringify(args), edited: true });
  const alike = method === undefined ? [] : waitingOf(entry, method);
  for (const each of alike) each.state = 'approved';
  env.book.together(() => {
    env.book.save(turn.sessionId, entry);
    if (method !== undefined) approveMethod(env, turn.sessionId, method);
  });
  const edited = call.edited === true && args !== undefined && { args };
  turn.confirmations.decide(callId, { confirmation: { allowed: true, ...edited }, approvedBy: 'person' });
  for (const { id } of alike) turn.confirmations.decide(id, { confirmation: true, approvedBy: 'always' });
}

/** The method that may be approved for good. */
function repeatable({ qualifiedName, danger }: ChatCall): string {
  if (danger !== undefined) {
    throw new RequestError(`This call asks every time: ${danger} Approve it alone.`, { field: 'decision.always' });
  }
  if (qualifiedName !== undefined) return qualifiedName;
  throw new RequestError('No tool of this name is there, so its calls cannot be approved for the rest of the chat.', {
    field: 'decision.always',
  });
}

function waitingOf({ calls }: ChatAssistantEntry, method: string): ChatCall[] {
  return calls.filter(
    ({ state, qualifiedName, danger }) => state === 'waiting' && qualifiedName === method && danger === undefined,
  );
}

function approveMethod({ book }: Pick<ChatEnvironment, 'book'>, sessionId: string, method: string): void {
  const { approved } = book.get(sessionId);
  if (!approved.includes(method)) book.change(sessionId, { approved: [...approved, method] });
}
