import { DpopSession, requestJwtAuthorizationGrant } from '@modelcontextprotocol/client';
import * as z from 'zod';

import { createSignInProvider } from '../../../mcp/auth/createSignInProvider.ts';
import type { SignInOptions } from '../../../mcp/auth/signInAttempt.ts';
import type { SignInClient, SignInPage, SignInProvider, SignInStore } from '../../../mcp/auth/types.ts';

/** Nothing listens there: the answer of the sign-in page is read from its redirect. */
const redirectUrl = 'http://127.0.0.1:33418/callback';
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';

/** The data that the suite passes to a client: `MCP_CONFORMANCE_CONTEXT`. */
export const suiteContext = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  issuer: z.string().optional(),
  private_key_pem: z.string().optional(),
  signing_algorithm: z.string().optional(),
  idp_client_id: z.string().optional(),
  idp_id_token: z.string().optional(),
  idp_token_endpoint: z.string().optional(),
  valid_jwt: z.string().optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).optional(),
});
export type SuiteContext = z.infer<typeof suiteContext>;

/** A sign-in without a browser and a user: the pages of the suite answer with a redirect. */
export async function createHeadlessSignIn(options: {
  serverUrl: string;
  scenario: string;
  context: SuiteContext;
  signal: AbortSignal;
}): Promise<SignInProvider> {
  const { serverUrl, scenario, context, signal } = options;
  const assertion = assertionOf(context);
  const hasPage = assertion === undefined && !scenario.startsWith('auth/client-credentials');
  const client = clientOf(context);
  return createSignInProvider({
    serverUrl,
    signal,
    store: createMemoryStore(),
    dpop: await DpopSession.create(),
    ...(client && { client }),
    ...(assertion && { assertion }),
    ...(hasPage && { page }),
    ...(hasPage && !client && { clientMetadataUrl }),
  });
}

const page: SignInPage = {
  redirectUrl: () => Promise.resolve(redirectUrl),
  async show(url, isOurs) {
    const response = await fetch(url, { redirect: 'manual' });
    await response.body?.cancel();
    const location = response.headers.get('location');
    const answer = location === null ? undefined : new URL(location, url).searchParams;
    if (answer === undefined || !isOurs(answer)) throw new Error('The sign-in page did not return to this client.');
    return answer;
  },
};

function clientOf(context: SuiteContext): SignInClient | undefined {
  const { client_id: clientId, client_secret: clientSecret, issuer, private_key_pem: pem } = context;
  if (clientId === undefined) return undefined;
  return {
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(issuer !== undefined && { issuer }),
    ...(pem !== undefined && { privateKey: { pem, algorithm: context.signing_algorithm ?? 'ES256' } }),
  };
}

/** A token of the workload (`auth/wif-jwt-bearer`), or one for which the identity provider exchanges its token of the user. */
function assertionOf(context: SuiteContext): SignInOptions['assertion'] {
  const { valid_jwt: jwt, idp_client_id: clientId, idp_id_token: idToken, idp_token_endpoint: tokenEndpoint } = context;
  if (jwt !== undefined) return () => jwt;
  if (clientId === undefined || idToken === undefined || tokenEndpoint === undefined) return undefined;
  return async (target) => {
    const { jwtAuthGrant } = await requestJwtAuthorizationGrant({ ...target, clientId, idToken, tokenEndpoint });
    return jwtAuthGrant;
  };
}

function createMemoryStore(): SignInStore {
  const tokens = new Map<string, ReturnType<SignInStore['tokens']>>();
  const clients = new Map<string, ReturnType<SignInStore['client']>>();
  let last: string | undefined;
  let bound: string | undefined;
  return {
    boundIssuer: () => bound,
    bindIssuer: (issuer) => void (bound = issuer),
    issuer: () => last,
    tokens: (issuer) => tokens.get(issuer),
    saveTokens(issuer, given) {
      tokens.set(issuer, given);
      if (given !== undefined) last = issuer;
    },
    client: (issuer) => clients.get(issuer),
    saveClient: (issuer, given) => void clients.set(issuer, given),
  };
}
