import { randomUUID } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import type { JsonObject, JsonSchema } from '../../base/json.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { SamplingReply, ServerRequest } from '../../contract/servers.ts';
import { McpError } from '../../mcp/errors.ts';
import type {
  CreateMessageRequestParams,
  ElicitRequestParams,
  ElicitResult,
  InContext,
  SamplingResult,
} from '../../mcp/types.ts';
import { currentCallId } from '../frames/mcp/mcpFrames.ts';
import type { Models } from '../models/service.ts';
import { draftReply, questionOf, resultOf } from './sampling.ts';
import type { KeptServer } from './serverBook.ts';

/** Questions of one server that may wait for the user; further ones fail. */
const maxOfServer = 20;
/** Characters of a question. Longer ones are refused, because the user must see all of it. */
const maxLength = 1_000_000;

/** Sent to the server as an internal error: the user has not refused the question. */
class TooManyError extends Error {
  constructor() {
    super('Too many requests wait for the user. Ask again later.');
  }
}

interface Answer {
  action: 'accept' | 'decline' | 'cancel';
  content?: JsonObject | undefined;
  reply?: SamplingReply | undefined;
}

interface Waiting {
  request: ServerRequest;
  settle: (answer: Answer) => void;
  /** Aborts once the server no longer waits. */
  signal: AbortSignal;
  /** The parameters of a request for a model's reply. */
  sampling?: CreateMessageRequestParams | undefined;
}

/** What servers ask of the user: forms to fill in, pages to open and replies from a model. */
export interface ServerRequests {
  list(): ServerRequest[];
  /** Resolves to the user's answer; `cancel` if the signal aborts. Rejects if too many wait, or the question is too long. */
  elicit(
    server: KeptServer,
    params: ElicitRequestParams,
    signal: AbortSignal,
    contexts?: readonly InContext[],
  ): Promise<ElicitResult>;
  /** Resolves to the reply that the user sends. Rejects if the user sends none, or the server may not ask for one any more. */
  sample(
    server: KeptServer,
    params: CreateMessageRequestParams,
    signal: AbortSignal,
    contexts?: readonly InContext[],
  ): Promise<SamplingResult>;
  /** Has a model reply to a request that waits. @throws {RequestError} If nothing of that id waits, or the model fails. */
  draftReply(
    requestId: string,
    model: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Required<SamplingReply>>;
  /** Asks to open a sign-in page; with a scope, for the present call, if there is one. Resolves to whether the user refused. */
  signIn(server: KeptServer, page: { url: string; scope?: string | undefined }, signal: AbortSignal): Promise<boolean>;
  /** @throws {RequestError} If nothing of that id waits. */
  answer(requestId: string, answer: Answer): void;
}

/** Counts the requests of a server, except sign-ins: Toolwire itself asks for one, once for all requests to the server. */
function countOf(waiting: ReadonlyMap<string, Waiting>, { id }: KeptServer): number {
  return [...waiting.values()].filter(({ request }) => request.serverId === id && request.kind !== 'sign-in').length;
}

/** @throws {McpError} If the question is too long. */
function checkLength(params: ElicitRequestParams | CreateMessageRequestParams): void {
  const { length } = JSON.stringify(params);
  if (length > maxLength)
    throw new McpError(
      'too-large',
      `The question has ${length} characters; at most ${maxLength} are shown to the user.`,
    );
}

export function createServerRequests(options: {
  clock: Clock;
  onChange: () => void;
  models: Pick<Models, 'modelOf'>;
}): ServerRequests {
  const { models } = options;
  const waiting = new Map<string, Waiting>();
  const ask = createAsk(waiting, options);

  function get(requestId: string): Waiting {
    const found = waiting.get(requestId);
    if (found === undefined) throw new RequestError(localize('servers.notWaiting'));
    return found;
  }

  return {
    list: () => [...waiting.values()].map(({ request }) => request),
    async elicit(server, params, signal, contexts) {
      checkLength(params);
      const isUrl = params.mode === 'url';
      const shown = isUrl
        ? { kind: 'url' as const, url: params.url }
        : { kind: 'form' as const, schema: params.requestedSchema as unknown as JsonSchema };
      const { action, content } = await ask(server, { ...shown, message: params.message }, { signal, contexts });
      return { action, ...(content !== undefined && { content }) } as ElicitResult;
    },
    async sample(server, params, signal, contexts) {
      if (!server.sampling) throw new McpError('unsupported', 'Replies from a model are no longer allowed.');
      checkLength(params);
      const sampling = questionOf(params);
      const { reply } = await ask(server, { kind: 'sampling', message: '', sampling }, { signal, contexts, params });
      // The specification uses -1 for a refusal.
      if (reply === undefined)
        throw Object.assign(new Error('The user refused the request for a reply from a model.'), { code: -1 });
      return resultOf(params, reply);
    },
    draftReply(requestId, model, signal) {
      const { sampling, signal: ends } = get(requestId);
      if (sampling === undefined) throw new RequestError(localize('servers.notWaiting'));
      return draftReply(models.modelOf(model), sampling, AbortSignal.any([ends, ...(signal ? [signal] : [])]));
    },
    async signIn(server, { url, scope }, signal) {
      const needs = scope === undefined || currentCallId() === undefined ? {} : { scope };
      const { action } = await ask(server, { kind: 'sign-in', url, message: '', ...needs }, { signal });
      return action !== 'accept' && !signal.aborted;
    },
    answer(requestId, answer) {
      const { sampling, settle } = get(requestId);
      if (sampling === undefined || answer.action !== 'accept') return settle({ ...answer, reply: undefined });
      if (answer.reply === undefined) throw new RequestError(localize('servers.noReply'), { field: 'reply' });
      // Throws here, so that the request continues to wait.
      resultOf(sampling, answer.reply);
      settle(answer);
    },
  };
}

/** Returns what adds a request to those that wait, and resolves to the user's answer. */
function createAsk(
  waiting: Map<string, Waiting>,
  { clock, onChange }: { clock: Clock; onChange: () => void },
): (
  server: KeptServer,
  shown: Pick<ServerRequest, 'kind' | 'message' | 'schema' | 'url' | 'scope' | 'sampling'>,
  of: { signal: AbortSignal; contexts?: readonly InContext[] | undefined; params?: CreateMessageRequestParams },
) => Promise<Answer> {
  return (server, shown, { signal, contexts = [(run) => run()], params }) => {
    if (signal.aborted) return Promise.resolve({ action: 'cancel' });
    if (shown.kind !== 'sign-in' && countOf(waiting, server) >= maxOfServer) return Promise.reject(new TooManyError());
    const requestId = randomUUID();
    const isForAll = shown.kind === 'sign-in' && shown.scope === undefined;
    const asking = isForAll ? [] : contexts.map((inContext) => inContext(currentCallId));
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const settle = (answer: Answer): void => {
      waiting.delete(requestId);
      signal.removeEventListener('abort', cancel);
      resolve(answer);
      onChange();
    };
    const cancel = (): void => settle({ action: 'cancel' });
    signal.addEventListener('abort', cancel, { once: true });
    waiting.set(requestId, {
      settle,
      signal,
      sampling: params,
      request: {
        requestId,
        serverId: server.id,
        serverName: server.name,
        // Something else, such as the reading of a resource, may be asking, too.
        callIds: asking.every((callId) => callId !== undefined) ? asking : [],
        askedAt: clock.wall(),
        ...shown,
      },
    });
    onChange();
    return promise;
  };
}
