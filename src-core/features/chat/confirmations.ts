import type { Confirmation } from '../../engine/executionOptions.ts';

/** The user's word on a call, or that the chat has it already. */
export interface CallDecision {
  confirmation: Confirmation;
  approvedBy?: 'person' | 'always';
}

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
