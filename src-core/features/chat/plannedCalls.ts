import type { PreparedCall } from '../../engine/prepareCall.ts';
import type { ToolCallRequest } from '../../base/calls.ts';
import type { ToolError } from '../../base/errors.ts';
import type { ChatCall } from '../../contract/chat.ts';

/** A call of a reply, before it runs. */
export interface PlannedCall {
  call: ChatCall;
  prepared: PreparedCall;
  /** Why it cannot even be tried; it gets this as its result. */
  refusal?: ToolError;
}

/** The calls of a reply, and the requests that the executor takes. */
export interface PlannedCalls {
  planned: PlannedCall[];
  /** One for each block; the ids in it are those of the calls. Calls with a refusal may be among them. */
  requests: ToolCallRequest[];
  /** Calls beyond the limit. */
  skipped: number;
}

/** Calls that one reply may make; a reply is untrusted. */
export const maxCallsOfReply = 100;
