import { SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';

import { maskSecrets } from '../base/maskSecrets.ts';
import { McpError } from './errors.ts';
import type { McpTransport } from './readMessages.ts';

/** What an error of a transport's `send` means for the request. */
export function explainRequestError(error: unknown, transport: McpTransport): McpError {
  if (error instanceof McpError) return error;
  if (UnauthorizedError.isInstance(error)) return new McpError('unauthorized', 'Sign in first.', { cause: error });
  const status = SdkHttpError.isInstance(error) ? error.status : undefined;
  if (status !== undefined) return explainStatus(status, error, transport);
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.ClientHttpUnexpectedContent)
    return new McpError('invalid-answer', messageOf(error), { cause: error });
  return new McpError('connection-lost', `The connection was lost: ${messageOf(error)}`, { cause: error });
}

function explainStatus(status: number, cause: unknown, { sessionId }: McpTransport): McpError {
  if (status === 401) return new McpError('unauthorized', 'Sign in first.', { status, cause });
  if (status === 403) return new McpError('forbidden', 'The server denies access (403).', { status, cause });
  if (sessionId !== undefined && (status === 404 || status === 400))
    return new McpError('session-lost', `The server has forgotten the session (${status}).`, { status, cause });
  return new McpError('http', `The server answered with the status ${status}.`, { status, cause });
}

/** The message of an error with those of its causes, which name the fault of the network. */
export function messageOf(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 5; at = at.cause) texts.push(at.message);
  return maskSecrets((texts.length > 0 ? texts.join(': ') : String(error)).slice(0, 2000));
}
