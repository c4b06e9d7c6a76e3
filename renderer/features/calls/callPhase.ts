import type { ChatCall } from '../../../src-core/contract/types.ts';
import type { Verdict } from '../../../src-core/contract/stateWords.ts';
import { verdictOf } from './verdictOf.ts';

/** The phase of a call as shown on its card: in progress, or its verdict. */
export type CallPhase = 'queued' | 'waiting' | 'approved' | 'running' | Verdict;

export function phaseOf({ state, result }: Pick<ChatCall, 'state' | 'result'>): CallPhase {
  if (result !== undefined) return verdictOf(result);
  return state === 'queued' || state === 'waiting' || state === 'approved' ? state : 'running';
}
