import type { CallQuestion } from '../../contract/callRecords.ts';
import { unanswered } from '../../engine/confirmCall.ts';
import type { Confirmation, PendingCall } from '../../engine/executionOptions.ts';
import { fittingArguments } from '../../engine/fittingArguments.ts';
import type { ToolCallRequest } from '../../base/calls.ts';
import type { Clock } from '../../base/clock.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';

/** The user's decision on a call. An approval may have other arguments, as JSON text; a rejection may have a reason. */
export interface CallDecision {
  callId: string;
  allowed: boolean;
  reason?: string | undefined;
  /** The name of the node whose user decided, if that is another one. */
  node?: string | undefined;
  argsJson?: string | undefined;
}

/** Calls of a model, a gateway's or a realtime one, that ask the user before they run. */
export interface CallQuestions {
  /**
   * Rejects if no answer arrives in time.
   * @param host Name of the MCP host that calls.
   */
  ask: (request: ToolCallRequest, pending: PendingCall, host?: string) => Promise<Confirmation>;
  /** The oldest first. */
  list(): CallQuestion[];
  /**
   * @throws {RequestError} If no such call asks any more.
   * @throws {ToolError} `invalid-arguments` if `argsJson`, the arguments to use instead, do not fit; the call keeps
   * waiting.
   */
  decide(input: CallDecision): void;
  /**
   * The user is working on it, as on its arguments: it waits for the full time again, but never more than ten minutes
   * in all. Does nothing if no such call asks.
   */
  attend(callId: string): void;
}

/** ms that a question waits: a client or a conversation waits behind it. */
const patienceMs = 60_000;
/** The longest wait in ms while the user works on it: a window that was left open does not block a client forever. */
const mostMs = 600_000;

/** Creates the list of waiting questions. A question without an answer in time rejects. */
export function createCallQuestions(options: {
  clock: Clock;
  toolRegistryManager: ToolRegistryManager;
  onChange: () => void;
}): CallQuestions {
  const { clock, toolRegistryManager, onChange } = options;
  const open = new Map<
    string,
    { question: CallQuestion; request: ToolCallRequest; answer: (decision: Confirmation) => void; prolong: () => void }
  >();

  return {
    ask: (request, { callId, toolId = request.toolName, methodName = '', args, danger, signal }, host) =>
      new Promise((resolve, reject) => {
        const askedAt = clock.wall();
        const began = clock.now();
        const end = (): void => {
          stop();
          signal.removeEventListener('abort', onAbort);
          open.delete(callId);
          onChange();
        };
        const answer = (decision: Confirmation): void => {
          end();
          resolve(decision);
        };
        const onAbort = (): void => answer(false);
        const giveUp = (): void => {
          const seconds = Math.round((clock.now() - began) / 1_000);
          end();
          reject(unanswered(seconds));
        };
        let stop = clock.after(patienceMs, giveUp);
        const prolong = (): void => {
          const waited = clock.now() - began;
          const left = Math.min(patienceMs, mostMs - waited);
          stop();
          stop = clock.after(left, giveUp);
          const waiting = open.get(callId);
          if (waiting !== undefined) waiting.question = { ...waiting.question, expiresAt: askedAt + waited + left };
          onChange();
        };
        signal.addEventListener('abort', onAbort, { once: true });
        const question: CallQuestion = {
          callId,
          toolId,
          methodName,
          argsJson: JSON.stringify(args),
          askedAt,
          expiresAt: askedAt + patienceMs,
          ...(danger !== undefined && { danger }),
          ...(host !== undefined && { host }),
        };
        open.set(callId, { question, request, answer, prolong });
        onChange();
      }),
    attend: (callId) => open.get(callId)?.prolong(),
    list: () => [...open.values()].map(({ question }) => question),
    decide({ callId, allowed, reason, node, argsJson }) {
      const waiting = open.get(callId);
      if (waiting === undefined) throw new RequestError(localize('calls.notWaiting'), { field: 'callId' });
      const { toolName, command } = waiting.request;
      const changed = allowed && argsJson !== undefined && argsJson !== waiting.question.argsJson;
      waiting.answer({
        allowed,
        ...(reason !== undefined && { reason }),
        ...(node !== undefined && { node }),
        ...(changed && { args: fittingArguments({ argsJson, toolName, command, toolRegistryManager }) }),
      });
    },
  };
}
