import { webcrypto } from 'node:crypto';

import { DpopSession, generateDpopKeyPair } from '@modelcontextprotocol/client';
import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import type { SignInView } from '../../contract/serverSignIn.ts';
import { createSignInProvider } from '../../mcp/auth/createSignInProvider.ts';
import type { SignInOptions } from '../../mcp/auth/signInAttempt.ts';
import { callbackUrl, freePort, listenForCallback } from '../../mcp/auth/listenForCallback.ts';
import type { SignInPage, SignInProvider, SignInStore } from '../../mcp/auth/types.ts';
import type { ServerEndpoint } from '../../mcp/types.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { KeptServer } from './serverBook.ts';
import type { ServerRequests } from './serverRequests.ts';
import { readSignInClient, type KeptSignInConfig } from './signInSettings.ts';
import type { SignInTimelines } from './signInTimeline.ts';

/** How long the browser may take, in ms. */
const waitMs = 600_000;

/** The clients that were registered, by issuer. What is kept belongs to this URL of the server only. */
const keptClients = z.object({
  url: z.string(),
  clients: z.record(z.string(), z.looseObject({ client_id: z.string() })),
  /** The key that tokens are bound to, as JWK. */
  dpopKey: z.record(z.string(), z.unknown()).optional(),
});
/** The tokens, by issuer, and the issuer of the last ones. A separate secret, which exists only if the user is signed in. */
const keptTokens = z.object({
  url: z.string(),
  issuer: z.string(),
  tokens: z.record(z.string(), z.looseObject({ access_token: z.string(), token_type: z.string() })),
});
type KeptSignIn = Omit<z.infer<typeof keptClients> & z.infer<typeof keptTokens>, 'issuer'> & { issuer?: string };

/** Sign-ins at MCP servers. Tokens are in the secret store. */
export interface SignIns {
  /**
   * Returns what signs in for one start of a server, until `signal` aborts. If the user must sign in, the page becomes a request.
   */
  begin(
    server: KeptServer,
    endpoint: Extract<ServerEndpoint, { url: string }>,
    options: Pick<SignInOptions, 'signal' | 'onState'>,
  ): Promise<SignInProvider>;
  isSignedIn(serverId: string): Promise<boolean>;
  view(serverId: string): SignInView;
  /** Forgets the tokens and the registered clients; with `binding`, also which issuer the configured client belongs to. */
  forget(serverId: string, options?: { binding?: boolean }): Promise<void>;
}

export function createSignIns(options: {
  secrets: SecretStore;
  requests: Pick<ServerRequests, 'signIn'>;
  clock: Pick<Clock, 'after' | 'wall'>;
  timelines: SignInTimelines;
}): SignIns {
  const { secrets, requests, clock, timelines } = options;

  function pageOf(server: KeptServer, signal: AbortSignal, forgetClients: () => Promise<void>): SignInPage {
    return {
      redirectUrl: async () => callbackUrl(await portOf(server, timelines)),
      async changePort() {
        if (settingsOf(server)?.callbackPort !== undefined) return false;
        timelines.set(server.id, { port: await freePort() });
        // They were registered with the other one.
        await forgetClients();
        return true;
      },
      async show(url, isOurs, { scope, signal: ends }) {
        const shown = new AbortController();
        const stop = AbortSignal.any([signal, ends, shown.signal]);
        const port = await portOf(server, timelines);
        const { after } = clock;
        const { callback } = await listenForCallback({ port, signal: stop, timeoutMs: waitMs, isOurs, after });
        void requests.signIn(server, { url: url.href, scope }, stop).then((isRefused) => isRefused && shown.abort());
        try {
          return await callback;
        } finally {
          shown.abort();
        }
      },
    };
  }

  return {
    async begin(server, { url, headers }, { signal, onState }) {
      const { id } = server;
      const settings = settingsOf(server);
      const kept = await readKept(secrets, id, url);
      const client = settings && (await readSignInClient(id, settings, secrets));
      const { scope, issuer, clientMetadataUrl, dpop, method = 'user' } = settings ?? {};
      const saveClients = (): Promise<void> => secrets.set(clientName(id), JSON.stringify(keptClients.parse(kept)));
      const forgetClients = (): Promise<void> => {
        kept.clients = {};
        return saveClients();
      };
      return createSignInProvider({
        serverUrl: url,
        headers,
        signal,
        store: storeOf({ secrets, timelines, clock, id, kept, saveClients }),
        ...(client && { client }),
        ...(method === 'user' && { page: pageOf(server, signal, forgetClients) }),
        ...(scope !== undefined && { scope }),
        ...(issuer !== undefined && { issuer }),
        ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
        ...(dpop === true && { dpop: await openDpop(kept, saveClients) }),
        ...(onState && { onState }),
        onStep: (step) => timelines.add(id, step),
      });
    },
    isSignedIn: (serverId) => secrets.has(tokenName(serverId)),
    view(serverId) {
      const { port, rows, signedIn } = timelines.of(serverId);
      return { rows, ...(signedIn && { signedIn }), ...(port !== undefined && { redirectUrl: callbackUrl(port) }) };
    },
    async forget(serverId, { binding = false } = {}) {
      timelines.set(serverId, { signedIn: undefined, ...(binding && { boundIssuer: undefined }) });
      await secrets.delete(tokenName(serverId));
      await secrets.delete(clientName(serverId));
    },
  };
}

function settingsOf({ config }: KeptServer): KeptSignInConfig | undefined {
  return config.type === 'stdio' ? undefined : config.signIn;
}

/** The port to which the browser returns stays the same for a server. */
async function portOf(server: KeptServer, timelines: SignInTimelines): Promise<number> {
  const known = settingsOf(server)?.callbackPort ?? timelines.of(server.id).port;
  if (known !== undefined) return known;
  const port = await freePort();
  timelines.set(server.id, { port });
  return port;
}

async function readKept(secrets: SecretStore, serverId: string, url: string): Promise<KeptSignIn> {
  const [clients, tokens] = await Promise.all([secrets.get(clientName(serverId)), secrets.get(tokenName(serverId))]);
  const kept: KeptSignIn = { url, tokens: {}, clients: {} };
  for (const found of [
    clients === undefined ? undefined : keptClients.parse(JSON.parse(clients)),
    tokens === undefined ? undefined : keptTokens.parse(JSON.parse(tokens)),
  ])
    if (found?.url === url) Object.assign(kept, found);
  return kept;
}

function storeOf(of: {
  secrets: SecretStore;
  timelines: SignInTimelines;
  clock: Pick<Clock, 'wall'>;
  id: string;
  kept: KeptSignIn;
  saveClients: () => Promise<void>;
}): SignInStore {
  const { secrets, timelines, clock, id, kept, saveClients } = of;
  const { url } = kept;
  function describe(): void {
    const { issuer } = kept;
    const tokens = issuer === undefined ? undefined : kept.tokens[issuer];
    if (issuer === undefined || tokens === undefined) return timelines.set(id, { signedIn: undefined });
    const { scope, expires_in: seconds, refresh_token: refresh, token_type: type } = tokens;
    const clientId = kept.clients[issuer]?.client_id;
    timelines.set(id, {
      signedIn: {
        issuer,
        refreshes: refresh !== undefined,
        bound: type.toLowerCase() === 'dpop',
        ...(clientId !== undefined && { clientId }),
        ...(typeof scope === 'string' && { scope }),
        ...(typeof seconds === 'number' && { expiresAt: clock.wall() + seconds * 1_000 }),
      },
    });
  }
  return {
    issuer: () => kept.issuer,
    tokens: (issuer) => kept.tokens[issuer],
    async saveTokens(issuer, tokens) {
      if (tokens === undefined) kept.tokens = without(kept.tokens, issuer);
      else [kept.tokens[issuer], kept.issuer] = [{ ...tokens }, issuer];
      describe();
      const text = JSON.stringify({ url, issuer: kept.issuer, tokens: kept.tokens });
      await (Object.keys(kept.tokens).length === 0 ? secrets.delete(tokenName(id)) : secrets.set(tokenName(id), text));
    },
    client: (issuer) => kept.clients[issuer],
    saveClient(issuer, client) {
      if (client === undefined) kept.clients = without(kept.clients, issuer);
      else kept.clients[issuer] = { ...client };
      return saveClients();
    },
    boundIssuer: () => timelines.of(id).boundIssuer,
    bindIssuer: (boundIssuer) => timelines.set(id, { boundIssuer }),
  };
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' };
const storedKey = z.object({ privateJwk: z.looseObject({}), publicJwk: z.looseObject({}), thumbprint: z.string() });

/** The key is kept: tokens that are bound to it are of no use without it. */
async function openDpop(kept: KeptSignIn, save: () => Promise<void>): Promise<DpopSession> {
  const { subtle } = webcrypto;
  const { data } = storedKey.safeParse(kept.dpopKey);
  if (data !== undefined) {
    const { privateJwk, publicJwk, thumbprint } = data;
    const privateKey = await subtle.importKey('jwk', privateJwk as webcrypto.JsonWebKey, curve, true, ['sign']);
    const publicKey = await subtle.importKey('jwk', publicJwk as webcrypto.JsonWebKey, curve, true, ['verify']);
    return DpopSession.create({ keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: 'ES256' } as never });
  }
  const keyPair = await generateDpopKeyPair({ alg: 'ES256', extractable: true });
  const { publicJwk, thumbprint } = keyPair;
  kept.dpopKey = { privateJwk: await subtle.exportKey('jwk', keyPair.privateKey), publicJwk, thumbprint };
  await save();
  return DpopSession.create({ keyPair });
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
