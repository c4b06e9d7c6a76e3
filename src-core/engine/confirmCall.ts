import type { ToolCallRequest } from '../base/calls.ts';
import { describeThrown } from '../base/describeThrown.ts';
import { ToolError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Confirmation, ExecutionOptions, PendingCall } from './executionOptions.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { abortError } from './toFailure.ts';

/** Without `onBeforeExecute` a call that needs confirmation fails. */
export interface ConfirmCallOptions {
  request: ToolCallRequest;
  pending: PendingCall;
  onBeforeExecute: ExecutionOptions['onBeforeExecute'];
}

/**
 * Asks whether a call may run; waits for the answer or until the call is cancelled. Returns the arguments to send
 * instead if the user changed them.
 * @throws {ToolError} `not-authorized`, `confirmation-required` (no `onBeforeExecute`; `details.asked` has the method's
 * identity), `cancelled`, or the error that `onBeforeExecute` throws.
 */
export async function confirmCall({
  request,
  pending,
  onBeforeExecute,
}: ConfirmCallOptions): Promise<JsonObject | undefined> {
  const what = pending.danger ?? 'Calls have to be confirmed before they run.';
  if (onBeforeExecute === undefined) {
    const details = { asked: pending.identity };
    throw new ToolError('confirmation-required', `${what} This call has not been confirmed.`, { details });
  }
  const { signal } = pending;
  const ask = async (): Promise<Confirmation> => onBeforeExecute(request, pending);
  const answer = await untilAborted(ask, signal, () => abortError(signal, 'The call')).catch((error: unknown) => {
    if (error instanceof ToolError) throw error;
    throw new ToolError(
      'not-authorized',
      `The call was not run, because asking for it failed: ${describeThrown(error)}`,
      { cause: error },
    );
  });
  const given: Exclude<Confirmation, boolean> =
    typeof answer === 'object' && answer !== null ? answer : { allowed: answer };
  if (given.allowed === true) return given.args;
  throw refusedByUser(given.reason, given.node);
}

/** The error of a call that the user refused, maybe at another node. The user's reason, if any, is for the model. */
export function refusedByUser(reason: string | undefined, node?: string): ToolError {
  const what = node === undefined ? 'The user refused this call' : `The user refused this call at the node "${node}"`;
  return new ToolError('not-authorized', reason ? `${what}: ${reason}` : `${what}.`, {
    details: { refusedBy: 'user' },
  });
}

/** The error of a call whose tool has changed since the call was checked or the user was asked. */
export function changedError(toolId: string): ToolError {
  return new ToolError(
    'tool-changed',
    `The tool "${toolId}" was changed or replaced before the call ran. Run the call again.`,
  );
}

/** The error of a call about which the user was asked without a decision. */
export function undecided(why: string): ToolError {
  return new ToolError('not-authorized', `The call was not run, because the user made no decision. ${why}`);
}

/** The error of a call whose question was not answered in time. */
export function unanswered(seconds: number): ToolError {
  return undecided(`The question was not answered within ${seconds} s.`);
}
