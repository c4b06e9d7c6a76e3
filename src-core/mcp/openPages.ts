import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Deadline } from './createDeadline.ts';
import { McpError } from './errors.ts';
import { fulfilInputs } from './fulfilInputs.ts';
import type { CallOptions, McpConnection, ServerRequestHandlers } from './types.ts';
import { untilAborted } from '../base/untilAborted.ts';

const urlElicitationRequired = -32042;
const maxPages = 20;
/** ms until the request is sent again, because a server need not report that the user has finished with a page. */
const defaultRetryMs = 5_000;
/** How often it is sent again without a new page to ask about: for three minutes by default. */
const maxWaits = 36;

interface Asking {
  handlers: ServerRequestHandlers;
  options: Pick<CallOptions, 'signal' | 'onRound'>;
  connection: Pick<McpConnection, 'onNotification'>;
  /** Aborts once the connection has ended. */
  ended: AbortSignal;
  /** No time of it passes while the user is at the pages. */
  deadline: Deadline;
  maxRounds: number;
  retryMs?: number | undefined;
}

/**
 * Returns what sends one request of a server before 2026-07-28, which may refuse it until the user has opened some pages. The user is
 * asked for each page once. The request is sent again as soon as the server has reported that the user has finished with them, or after 5 s.
 * It fails with the server's error if that names no page, or more than 20, if the user does not open them all, or if the server still asks
 * for the same pages after three minutes.
 */
export function createPages(asking: Asking): (send: () => Promise<JsonObject>) => Promise<JsonObject> {
  const { connection, handlers, options, ended, deadline, maxRounds, retryMs = defaultRetryMs } = asking;
  const accepted = new Set<string>();
  /** Pages that the server has said the user is done with. */
  const completed = new Set<string>();
  let rounds = 0;
  let waits = 0;

  async function open(error: McpError): Promise<void> {
    const pages = Object.entries(questionsOf(error.details.data));
    if (pages.length === 0 || pages.length > maxPages || !handlers.elicit) throw error;
    // If a server requests only pages that are finished, the user must open them again.
    if (pages.every(([id]) => completed.has(id)))
      for (const [id] of pages) {
        accepted.delete(id);
        completed.delete(id);
      }
    const fresh = pages.filter(([id]) => !accepted.has(id));
    if (fresh.length === 0 && (waits += 1) > maxWaits) throw error;
    if (fresh.length > 0 && (rounds += 1) > maxRounds) throw tooManyRounds(maxRounds);
    for (const [id] of pages) accepted.add(id);
    const done = Promise.withResolvers<undefined>();
    const stop = connection.onNotification((method, { elicitationId }) => {
      if (method !== 'notifications/elicitation/complete') return;
      if (accepted.has(String(elicitationId))) completed.add(String(elicitationId));
      if (pages.every(([id]) => completed.has(id))) done.resolve(undefined);
    });
    let timer: NodeJS.Timeout | undefined;
    try {
      if (fresh.length > 0) await ask(fresh, error);
      timer = setTimeout(() => done.resolve(undefined), retryMs);
      // The request is repeated in any case: then it fails if it was cancelled, or if the connection has ended.
      await untilAborted(() => done.promise, AbortSignal.any([options.signal, ended])).catch(() => undefined);
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  async function ask(pages: [string, JsonValue][], error: McpError): Promise<void> {
    const { inputResponses } = await fulfilInputs({ inputRequests: Object.fromEntries(pages) }, handlers, options);
    const answers = Object.values(inputResponses as JsonObject);
    if (answers.some((answer) => !isJsonObject(answer) || answer['action'] !== 'accept')) throw error;
  }

  return async (send) => {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof McpError) || error.details.rpcCode !== urlElicitationRequired) throw error;
        deadline.pause();
        await open(error);
        deadline.resume();
      }
    }
  };
}

export function tooManyRounds(maxRounds: number): McpError {
  return new McpError('too-many-rounds', `The server asked for input more than ${maxRounds} times.`);
}

/** The pages as questions of 2026-07-28, by their ids; one without an id by its place. */
function questionsOf(data: JsonValue | undefined): JsonObject {
  const pages = isJsonObject(data) && Array.isArray(data['elicitations']) ? data['elicitations'] : [];
  return Object.fromEntries(
    pages.map((page, at) => {
      const params = isJsonObject(page) ? page : {};
      return [
        String(params['elicitationId'] ?? at),
        { method: 'elicitation/create', params: { ...params, mode: 'url' } },
      ];
    }),
  );
}
