import type { ToolCallingProtocol } from '../protocols/base.ts';
import type { ParsedToolRequest } from '../base/calls.ts';
import { reportError, type ErrorReporter } from '../base/reportError.ts';

/** Options of `parseToolRequests`. */
export interface ParseToolRequestsOptions {
  /** Called if a protocol throws or returns something that is not a request. */
  onError?: ErrorReporter | undefined;
}

/**
 * The calls in a model's reply, as the protocol reads them. Never throws: a protocol that fails returns no calls and does
 * not stop the conversation, and the error goes to `onError`.
 */
export function parseToolRequests(
  text: string,
  protocol: ToolCallingProtocol,
  { onError = reportError }: ParseToolRequestsOptions = {},
): ParsedToolRequest[] {
  const where = `the protocol "${protocol.id}", at parsing`;
  try {
    const requests: unknown = protocol.parseToolRequests(text);
    if (!Array.isArray(requests)) throw new Error('it returned no list of requests');
    const usable = requests.filter(isRequest);
    if (usable.length < requests.length)
      onError(new Error(`${requests.length - usable.length} of ${requests.length} entries are not requests`), where);
    return usable;
  } catch (error) {
    onError(error, where);
    return [];
  }
}

function isRequest(request: unknown): request is ParsedToolRequest {
  if (typeof request !== 'object' || request === null) return false;
  const { requestId, toolName, rawBlock, args } = request as Record<string, unknown>;
  const texts = [requestId, toolName, rawBlock].every((value) => typeof value === 'string');
  return texts && typeof args === 'object' && args !== null;
}
