import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import { createSignInProvider } from '../../mcp/auth/createSignInProvider.ts';
import type { SignInProvider, SignInStep, SignInStore } from '../../mcp/auth/types.ts';
import { waitForCallback } from '../../mcp/auth/waitForCallback.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { KeptServer } from './serverBook.ts';
import type { ServerRequests } from './serverRequests.ts';

/** How long the browser may take, in ms. */
const waitMs = 600_000;

/** The clients that were registered, by issuer. What is kept belongs to this URL of the server only. */
const keptClients = z.object({
  url: z.string(),
  /** The port of the callback: some authorization servers compare it with the registered one. */
  port: z.number(),
  clients: z.record(z.string(), z.looseObject({ client_id: z.string() })),
});
/** The tokens, by issuer, and the issuer of the last ones. A secret of its own: that it exists means that the user is signed in. */
const keptTokens = z.object({
  url: z.string(),
  issuer: z.string(),
  tokens: z.record(z.string(), z.looseObject({ access_token: z.string(), token_type: z.string() })),
});
type KeptSignIn = Omit<z.infer<typeof keptClients> & z.infer<typeof keptTokens>, 'issuer'> & { issuer?: string };

/** Sign-ins at MCP servers. Tokens are in the secret store. */
export interface SignIns {
  /**
   * Returns the provider for one start of a server. If the server asks for a sign-in, the page becomes a request to the user, and
   * `onSignedIn` is called once the browser has returned with a token.
   */
  begin(
    server: KeptServer,
    url: string,
    on: { step: (text: string) => void; signedIn: () => void },
  ): Promise<SignInProvider>;
  /** Ends the wait for the browser. */
  cancel(serverId: string): void;
  isSignedIn(serverId: string): Promise<boolean>;
  /** Forgets the tokens and the registered clients. */
  forget(serverId: string): Promise<void>;
}

export function createSignIns(options: {
  secrets: SecretStore;
  requests: Pick<ServerRequests, 'signIn'>;
  clock: Pick<Clock, 'after'>;
}): SignIns {
  const { secrets, requests, clock } = options;
  const waits = new Map<string, AbortController>();

  function cancel(serverId: string): void {
    waits.get(serverId)?.abort();
    waits.delete(serverId);
  }

  return {
    cancel,
    isSignedIn: (serverId) => secrets.has(tokenName(serverId)),
    async begin(server, url, { step, signedIn }) {
      cancel(server.id);
      const wait = new AbortController();
      waits.set(server.id, wait);
      const kept = await readKept(secrets, server.id, url);
      const { redirectUrl, callback } = await waitForCallback({
        signal: wait.signal,
        after: (run) => clock.after(waitMs, run),
        port: kept.port,
      });
      const port = Number(new URL(redirectUrl).port);
      // Registered with another address of the callback.
      if (port !== kept.port) Object.assign(kept, { port, clients: {} });
      let page: AbortController | undefined;
      const provider = createSignInProvider({
        serverUrl: url,
        store: storeOf(secrets, server.id, kept),
        redirectUrl,
        open(address) {
          page?.abort();
          page = new AbortController();
          void requests
            .signIn(server, address.href, AbortSignal.any([page.signal, wait.signal]))
            .then((isRefused) => isRefused && wait.abort());
        },
        onStep: (each) => step(wordStep(each)),
      });
      void callback
        .then((given) => provider.finish(given))
        .then(signedIn)
        // Its steps are in the log. The server stays in need of a sign-in.
        .catch((error: unknown) => {
          if (page !== undefined) step(error instanceof Error ? error.message : String(error));
        })
        .finally(() => page?.abort());
      return provider;
    },
    async forget(serverId) {
      cancel(serverId);
      await secrets.delete(tokenName(serverId));
      await secrets.delete(clientName(serverId));
    },
  };
}

async function readKept(secrets: SecretStore, serverId: string, url: string): Promise<KeptSignIn> {
  const [clients, tokens] = await Promise.all([secrets.get(clientName(serverId)), secrets.get(tokenName(serverId))]);
  const kept: KeptSignIn = { url, port: 0, tokens: {}, clients: {} };
  for (const found of [
    clients === undefined ? undefined : keptClients.parse(JSON.parse(clients)),
    tokens === undefined ? undefined : keptTokens.parse(JSON.parse(tokens)),
  ])
    if (found?.url === url) Object.assign(kept, found);
  return kept;
}

function storeOf(secrets: SecretStore, serverId: string, kept: KeptSignIn): SignInStore {
  const { url } = kept;
  const saveTokens = ({ issuer, tokens }: KeptSignIn): Promise<void> =>
    Object.keys(tokens).length === 0
      ? secrets.delete(tokenName(serverId))
      : secrets.set(tokenName(serverId), JSON.stringify({ url, issuer, tokens }));
  const saveClients = ({ port, clients }: KeptSignIn): Promise<void> =>
    secrets.set(clientName(serverId), JSON.stringify({ url, port, clients }));
  return {
    issuer: () => kept.issuer,
    tokens: (issuer) => kept.tokens[issuer],
    saveTokens(issuer, tokens) {
      if (tokens === undefined) kept.tokens = without(kept.tokens, issuer);
      else [kept.tokens[issuer], kept.issuer] = [{ ...tokens }, issuer];
      return saveTokens(kept);
    },
    client: (issuer) => kept.clients[issuer],
    saveClient(issuer, client) {
      if (client === undefined) kept.clients = without(kept.clients, issuer);
      else kept.clients[issuer] = { ...client };
      return saveClients(kept);
    },
  };
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function tokenName(serverId: string): string {
  return `mcp:${serverId}:sign-in`;
}

function clientName(serverId: string): string {
  return `mcp:${serverId}:client`;
}

function wordStep({ step, outcome, request, status, facts }: SignInStep): string {
  const parts = [request, status === undefined ? undefined : String(status), ...facts].filter(Boolean);
  return `Sign-in: ${step} ${outcome}${parts.length === 0 ? '' : `. ${parts.join(', ')}`}`;
}
