import type { IncomingMessage } from 'node:http';

import { respondJson } from '../../server/respond.ts';
import { hostPolicy } from '../../server/policies.ts';
import type { HttpExchange, Listener, RequestPolicy } from '../../server/types.ts';

/** Limit of a request's body: 4 MiB. */
export const maxMcpBodyBytes = 4 * 1024 * 1024;

/**
 * Adds the paths at which MCP hosts call to a listener. Pages of other origins are refused, and so is a request whose host is not
 * known. Returns the function that removes the paths.
 */
export function routeMcp<Host>(options: {
  listener: Pick<Listener, 'route'>;
  paths: readonly string[];
  /** Names of this machine in `Host`, besides its addresses. */
  names?: () => readonly string[];
  /** Policies that are checked after `Host` and `Origin`. */
  policies?: readonly RequestPolicy[];
  /** Returns the host that sent a request. Undefined if its token is missing or wrong. */
  hostOf: (request: IncomingMessage) => Host | undefined;
  /** A sentence that tells the user how to get a token. */
  tokenHint?: string;
  handle: (exchange: HttpExchange, host: Host) => Promise<void> | void;
}): () => void {
  const { listener, paths, names, policies = [], hostOf, tokenHint = '' } = options;
  const removals = paths.map((path) =>
    listener.route({
      path,
      methods: ['POST', 'GET', 'DELETE'],
      policies: [hostPolicy({ names }), ownOrigin, ...policies],
      maxBodyBytes: maxMcpBodyBytes,
      handle(exchange) {
        const host = hostOf(exchange.request);
        if (host !== undefined) return options.handle(exchange, host);
        const cause =
          exchange.request.headers.authorization === undefined
            ? 'A token is needed: Authorization: Bearer ….'
            : 'This token is not valid or was revoked.';
        const error = { code: -32_000, message: `${cause} ${tokenHint}`.trimEnd() };
        respondJson(exchange.response, 401, { jsonrpc: '2.0', error, id: null }, { 'WWW-Authenticate': 'Bearer' });
      },
    }),
  );
  return () => {
    for (const remove of removals) remove();
  };
}

/** Keeps web pages out, except those of this very address: a page of another port or name has another origin. */
const ownOrigin: RequestPolicy = ({ headers: { host = '', origin } }) =>
  origin === undefined || origin === `http://${host}`
    ? undefined
    : { status: 403, message: 'Pages of this origin may not use this address.' };
