import type { ToolError } from '../../base/errors.ts';
import type { Confirmation } from '../../engine/executionOptions.ts';

/** The approval of a call by the user or by an earlier decision, or the error of a call that does not run. */
export type CallDecision = { confirmation: Confirmation; approvedBy: 'person' | 'always' } | { refusal: ToolError };

/** Calls of one turn that wait for a word, whether or not the executor has come to them yet. */
export interface Confirmations {
  /** The word on a call, now or later. */
  word(callId: string): Promise<CallDecision>;
  /** Gives the word, once. */
  decide(callId: string, decision: CallDecision): void;
}

/** Makes the list for one turn. */
export function createConfirmations(): Confirmations {
  const waiting = new Map<string, PromiseWithResolvers<CallDecision>>();

  function of(callId: string): PromiseWithResolvers<CallDecision> {
    const known = waiting.get(callId);
    if (known !== undefined) return known;
    const made = Promise.withResolvers<CallDecision>();
    waiting.set(callId, made);
    return made;
  }

  return { word: (callId) => of(callId).promise, decide: (callId, decision) => of(callId).resolve(decision) };
}
