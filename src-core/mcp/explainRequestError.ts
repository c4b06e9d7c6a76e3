import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
  type RequestId,
} from '@modelcontextprotocol/client';

import { oneLine } from '../base/hiddenCharacters.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { maskSecrets } from '../base/maskSecrets.ts';
import { McpError } from './errors.ts';
import { longestNote, readMessages, type McpTransport } from './readMessages.ts';
import type { ConnectOptions } from './types.ts';

interface OfRequest {
  transport: McpTransport;
  /** A notification has none. */
  id?: RequestId;
  mask: ConnectOptions['mask'];
}

/** What an error of a transport's `send` means for the request, or for a notification. */
export function explainRequestError(error: unknown, of: OfRequest): McpError {
  if (error instanceof McpError) return error;
  if (UnauthorizedError.isInstance(error)) return new McpError('unauthorized', 'Sign in first.', { cause: error });
  if (InsufficientScopeError.isInstance(error))
    return new McpError('unauthorized', 'The server asks for more rights.', { status: 403, cause: error });
  const status = SdkHttpError.isInstance(error) ? error.status : undefined;
  if (status !== undefined) return explainStatus(status, error, of);
  const isUnexpected = SdkError.isInstance(error) && error.code === SdkErrorCode.ClientHttpUnexpectedContent;
  // `response.json()` and the SDK's schema of messages.
  if (isUnexpected || (error instanceof Error && ['SyntaxError', 'ZodError'].includes(error.name)))
    return new McpError('invalid-answer', messageOf(error), { cause: error });
  return new McpError('connection-lost', `The connection was lost: ${messageOf(error)}`, { cause: error });
}

function explainStatus(status: number, cause: unknown, { transport, id, mask }: OfRequest): McpError {
  // Without a way to sign in: the user has set the header, or Toolwire is a library.
  if (status === 401) {
    const text = 'The server refused the request (401). Set or correct the header Authorization.';
    return new McpError('unauthorized', text, { status, cause });
  }
  const text = SdkHttpError.isInstance(cause) ? String(cause.data.text ?? '') : '';
  const excerpt = bodyExcerpt(text, mask);
  const quoted = excerpt === '' ? '.' : `: "${excerpt}"`;
  if (status === 403) return new McpError('forbidden', `The server denies access (403)${quoted}`, { status, cause });
  const answer = readMessages(text)?.[0];
  const error = answer?.['error'];
  // A server that knows the session may refuse a request with 400. Some use the request's id for a lost session, too.
  const isOwn =
    isJsonObject(error) && id !== undefined && answer?.['id'] === id && !/\bsession\b/i.test(String(error['message']));
  if (transport.sessionId !== undefined && (status === 404 || (status === 400 && !isOwn)))
    return new McpError('session-lost', `The server has forgotten the session (${status}).`, { status, cause });
  if (isJsonObject(error)) return errorOf(error, status);
  return new McpError('http', `The server answered with the status ${status}${quoted}`, { status, cause });
}

/** Characters of a body that are looked at, and of its excerpt. */
const maxBody = 4_096;
const maxExcerpt = 300;
/**
 * Up to the last end of a word. A part of a secret that is not known would not be masked, so that a cut is never between Latin letters,
 * digits or other signs; each character of Chinese and Japanese is an end.
 */
const endOfWord =
  /^.*[ ",\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]/su;

/**
 * What the body of a refusal says first, in one line without secrets: of a page its title; empty if it says nothing. `mask` replaces
 * those of the server.
 */
export function bodyExcerpt(body: string, mask: ConnectOptions['mask'] = (text) => text): string {
  const start = mask(body.slice(0, longestNote)).slice(0, maxBody);
  const shown = /^\s*</.test(start) ? (/<title>([^<]*)/i.exec(start)?.[1] ?? '') : start;
  const line = maskSecrets(oneLine(shown)).trim().replace(/\s+/g, ' ');
  if (body.length <= maxBody && line.length <= maxExcerpt) return line;
  const [whole = ''] = endOfWord.exec(line.slice(0, maxExcerpt + 1)) ?? [];
  return whole.length <= 1 ? '' : `${whole}…`;
}

/** The message of an error with those of its causes, which name the fault of the network. */
export function messageOf(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 5; at = at.cause) texts.push(at.message);
  return maskSecrets((texts.length > 0 ? texts.join(': ') : String(error)).slice(0, longestNote));
}

/** The code of Node's error at the root of a fault of the network, such as `ECONNREFUSED`. */
export function networkCode(error: unknown): string | undefined {
  let found: string | undefined;
  for (let at = error, depth = 0; at instanceof Error && depth < 8; depth++) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(at.code) && !SdkError.isInstance(at))
      found = at.code;
    at = at instanceof AggregateError && at.errors[0] instanceof Error ? at.errors[0] : (at.cause ?? dataCause(at));
  }
  return found;
}

function dataCause(error: Error): unknown {
  const data = 'data' in error ? error.data : undefined;
  return typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined;
}

/** The `error` of an answer. */
export function errorOf(error: JsonValue | undefined, status?: number): McpError {
  if (!isJsonObject(error)) return new McpError('invalid-answer', 'The answer has neither a result nor an error.');
  const { code, message, data } = error;
  return new McpError(
    'rpc',
    typeof message === 'string' && message !== '' ? message : 'The server returned an error.',
    {
      ...(typeof code === 'number' && { rpcCode: code }),
      ...(data !== undefined && { data }),
      ...(status !== undefined && { status }),
    },
  );
}
