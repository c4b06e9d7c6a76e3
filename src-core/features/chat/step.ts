import type { ChatExchange, ChatMessage, ChatTool } from '../models/chatModel.ts';

/** The request to a model in one step, and its raw exchange; fetched on demand. */
export interface ChatStep {
  id: string;
  sessionId: string;
  entryId: string;
  /** Epoch ms of the request. */
  at: number;
  /** The prompt as it was composed, in the order in which it was sent. */
  messages: ChatMessage[];
  /** The tools that were offered natively. */
  tools: ChatTool[];
  /** Absent if nothing was sent over a wire (a scripted model). */
  exchange?: ChatExchange;
}
