import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { McpError } from './errors.ts';
import { fulfilInputs } from './fulfilInputs.ts';
import type { CallOptions, McpConnection, ServerRequestHandlers } from './types.ts';
import { untilAborted } from '../base/untilAborted.ts';

const urlElicitationRequired = -32042;
const maxPages = 20;
/** How long the user may need at the pages, in ms. A server need not say that they are done with, and can ask again. */
const pagesMs = 180_000;

interface Asking {
  handlers: ServerRequestHandlers;
  options: Pick<CallOptions, 'signal' | 'onRound'>;
  connection: Pick<McpConnection, 'onNotification'>;
  /** Aborts once the connection has ended. */
  ended: AbortSignal;
}

/** Whether a server before 2026-07-28 answers that the request can be repeated once the user has been to some pages. */
export function asksForPages(error: unknown): error is McpError {
  return error instanceof McpError && error.details.rpcCode === urlElicitationRequired;
}

/**
 * Asks the user to open the pages that the error names. Returns as soon as the server has said that the user is done with all of them,
 * or after three minutes. @throws The error if it names none, or more than 20, or if the user does not open them all.
 */
export async function openPages(error: McpError, { connection, handlers, options, ended }: Asking): Promise<void> {
  const inputRequests = questionsOf(error.details.data);
  const open = new Set(Object.keys(inputRequests));
  if (open.size === 0 || open.size > maxPages || !handlers.elicit) throw error;
  const completed = Promise.withResolvers<undefined>();
  const stop = connection.onNotification((method, { elicitationId }) => {
    if (method !== 'notifications/elicitation/complete') return;
    open.delete(String(elicitationId));
    if (open.size === 0) completed.resolve(undefined);
  });
  try {
    const { inputResponses } = await fulfilInputs({ inputRequests }, handlers, options);
    const answers = Object.values(inputResponses as JsonObject);
    if (answers.some((answer) => !isJsonObject(answer) || answer['action'] !== 'accept')) throw error;
    const late = AbortSignal.any([options.signal, ended, AbortSignal.timeout(pagesMs)]);
    // The request is repeated in any case: then it fails if it was cancelled, or if the connection has ended.
    await untilAborted(() => completed.promise, late).catch(() => undefined);
  } finally {
    stop();
  }
}

/** The pages as questions of 2026-07-28, by their ids. */
function questionsOf(data: JsonValue | undefined): JsonObject {
  const pages = isJsonObject(data) && Array.isArray(data['elicitations']) ? data['elicitations'] : [];
  return Object.fromEntries(
    pages.map((page) => {
      const params = isJsonObject(page) ? page : {};
      return [String(params['elicitationId']), { method: 'elicitation/create', params: { ...params, mode: 'url' } }];
    }),
  );
}
