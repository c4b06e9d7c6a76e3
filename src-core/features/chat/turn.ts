import type { StreamedReply } from './askModel.ts';
import type { EarlierResults } from '../../engine/earlierResults.ts';
import type { Confirmations } from './confirmations.ts';
import type { ChatAssistantEntry, ChatStop } from '../../contract/chat.ts';

/** A turn that is under way: from a message to the reply that calls nothing any more. */
export interface ChatTurn {
  readonly sessionId: string;
  /** Aborts when the turn is to end. */
  readonly signal: AbortSignal;
  readonly confirmations: Confirmations;
  /** Results of the chat before the step: a call whose text occurs in one asks first. */
  readonly results: EarlierResults;
  /** The step it is at. */
  entry?: ChatAssistantEntry;
  /** The reply as far as it has come, while it comes. */
  streamed?: StreamedReply;
  /** Ends it, with this reason on its last step; what runs and what waits is cancelled. */
  stop(because: Extract<ChatStop, 'cancelled' | 'interrupted'>): void;
  stoppedBecause(): ChatStop;
}
