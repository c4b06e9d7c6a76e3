import { randomUUID } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import type { JsonObject, JsonSchema } from '../../base/json.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ServerRequest } from '../../contract/servers.ts';
import type { ElicitRequestParams, ElicitResult } from '../../mcp/types.ts';
import type { KeptServer } from './serverBook.ts';

/** Requests of one server that may wait for the user; further ones are cancelled. */
const maxOfServer = 20;

interface Answer {
  action: 'accept' | 'decline' | 'cancel';
  content?: JsonObject | undefined;
}

/** What servers ask of the user: forms to fill in and pages to open. */
export interface ServerRequests {
  list(): ServerRequest[];
  /** Resolves to the user's answer; `cancel` if the signal aborts or too many wait. */
  elicit(server: KeptServer, params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult>;
  /** Asks to open a sign-in page. Resolves to whether the user refused. */
  signIn(server: KeptServer, url: string, signal: AbortSignal): Promise<boolean>;
  /** @throws {RequestError} If nothing of that id waits. */
  answer(requestId: string, answer: Answer): void;
}

export function createServerRequests({ clock, onChange }: { clock: Clock; onChange: () => void }): ServerRequests {
  const waiting = new Map<string, { request: ServerRequest; settle: (answer: Answer) => void }>();

  function ask(
    server: KeptServer,
    shown: Pick<ServerRequest, 'kind' | 'message' | 'schema' | 'url'>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const ofServer = [...waiting.values()].filter(({ request }) => request.serverId === server.id);
    if (signal.aborted || ofServer.length >= maxOfServer) return Promise.resolve({ action: 'cancel' });
    const requestId = randomUUID();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const settle = (answer: Answer): void => {
      waiting.delete(requestId);
      signal.removeEventListener('abort', cancel);
      resolve(answer);
      onChange();
    };
    const cancel = (): void => settle({ action: 'cancel' });
    signal.addEventListener('abort', cancel, { once: true });
    const { id: serverId, name: serverName } = server;
    waiting.set(requestId, {
      settle,
      request: { requestId, serverId, serverName, askedAt: clock.wall(), ...shown },
    });
    onChange();
    return promise;
  }

  return {
    list: () => [...waiting.values()].map(({ request }) => request),
    async elicit(server, params, signal) {
      const isUrl = params.mode === 'url';
      const shown = isUrl
        ? { kind: 'url' as const, url: params.url }
        : { kind: 'form' as const, schema: params.requestedSchema as unknown as JsonSchema };
      const { action, content } = await ask(server, { ...shown, message: params.message }, signal);
      return { action, ...(content !== undefined && { content }) } as ElicitResult;
    },
    async signIn(server, url, signal) {
      const { action } = await ask(server, { kind: 'sign-in', url, message: '' }, signal);
      return action !== 'accept' && !signal.aborted;
    },
    answer(requestId, answer) {
      const found = waiting.get(requestId);
      if (found === undefined) throw new RequestError(localize('servers.notWaiting'));
      found.settle(answer);
    },
  };
}
