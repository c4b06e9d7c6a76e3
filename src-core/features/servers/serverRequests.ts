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
  /** @throws {RequestError} If nothing of that id waits. */
  answer(requestId: string, answer: Answer): void;
}

export function createServerRequests({ clock, onChange }: { clock: Clock; onChange: () => void }): ServerRequests {
  const waiting = new Map<string, { request: ServerRequest; settle: (answer: Answer) => void }>();

  return {
    list: () => [...waiting.values()].map(({ request }) => request),
    elicit(server, params, signal) {
      const ofServer = [...waiting.values()].filter(({ request }) => request.serverId === server.id);
      if (signal.aborted || ofServer.length >= maxOfServer) return Promise.resolve({ action: 'cancel' });
      const requestId = randomUUID();
      const { promise, resolve } = Promise.withResolvers<ElicitResult>();
      const settle = ({ action, content }: Answer): void => {
        waiting.delete(requestId);
        signal.removeEventListener('abort', cancel);
        resolve({ action, ...(content !== undefined && { content }) } as ElicitResult);
        onChange();
      };
      const cancel = (): void => settle({ action: 'cancel' });
      signal.addEventListener('abort', cancel, { once: true });
      const isUrl = params.mode === 'url';
      waiting.set(requestId, {
        settle,
        request: {
          requestId,
          serverId: server.id,
          serverName: server.name,
          askedAt: clock.wall(),
          kind: isUrl ? 'url' : 'form',
          message: params.message,
          ...(isUrl ? { url: params.url } : { schema: params.requestedSchema as unknown as JsonSchema }),
        },
      });
      onChange();
      return promise;
    },
    answer(requestId, answer) {
      const found = waiting.get(requestId);
      if (found === undefined) throw new RequestError(localize('servers.notWaiting'));
      found.settle(answer);
    },
  };
}
