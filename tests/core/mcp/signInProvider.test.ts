import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';

import { createSignInProvider } from '../../../src-core/mcp/auth/createSignInProvider.ts';
import { checkAuthorizationUrl, checkRequestUrl } from '../../../src-core/mcp/auth/checkUrls.ts';
import { waitForCallback } from '../../../src-core/mcp/auth/waitForCallback.ts';
import type { SignInStep, SignInStore } from '../../../src-core/mcp/auth/types.ts';
import type { ConnectOptions, WireFrame } from '../../../src-core/mcp/types.ts';
import { connect, never } from './connectedServer.ts';
import { serveProtected } from './protectedServer.ts';

function createStore(): SignInStore & { kept: Map<string, StoredOAuthTokens | undefined> } {
  const kept = new Map<string, StoredOAuthTokens | undefined>();
  const clients = new Map<string, StoredOAuthClientInformation | undefined>();
  return {
    kept,
    tokens: (issuer) => kept.get(issuer),
    saveTokens: (issuer, tokens) => void kept.set(issuer, tokens),
    client: (issuer) => clients.get(issuer),
    saveClient: (issuer, client) => void clients.set(issuer, client),
    issuer: () => [...kept.keys()].at(-1),
  };
}

async function signIn(
  url: string,
  options: Partial<ConnectOptions> = {},
): Promise<{ steps: SignInStep[]; finished: Promise<void>; list(): Promise<unknown> }> {
  const steps: SignInStep[] = [];
  const { redirectUrl, callback } = await waitForCallback({ signal: never, after: () => () => undefined });
  const provider = createSignInProvider({
    serverUrl: url,
    store: createStore(),
    redirectUrl,
    open: async (page) => void (await (await fetch(page)).text()),
    onStep: (step) => void steps.push(step),
  });
  const endpoint = { type: 'http', url, headers: {} } as const;
  await expect(connect(endpoint, { ...options, authProvider: provider })).rejects.toMatchObject({
    code: 'unauthorized',
  });
  return {
    steps,
    finished: callback.then((given) => provider.finish(given)),
    list: async () => (await connect(endpoint, { ...options, authProvider: provider })).listTools(never),
  };
}

test.each(['auto', 'legacy'] as const)(
  'signs in over the loopback address, era %s; neither the steps nor the recording have secrets',
  async (era) => {
    const { url } = await serveProtected();
    const recorded: unknown[] = [];
    const observer = {
      onFrame: (frame: WireFrame) => void recorded.push(frame),
      onNote: (_kind: string, text: string) => void recorded.push(text),
      onStderr: () => undefined,
    };
    const { steps, finished, list } = await signIn(url, { era, observer });
    await finished;
    expect(await list()).toMatchObject({ tools: [] });
    expect(steps.filter(({ outcome }) => outcome === 'passed').map(({ step }) => step)).toEqual(
      expect.arrayContaining(['server-metadata', 'issuer-metadata', 'registration', 'browser', 'callback', 'token']),
    );
    expect(JSON.stringify(recorded)).toContain('tools/list');
    expect(JSON.stringify([steps, recorded])).not.toMatch(/of-the-test/);
  },
);

test.each([
  ['wrong-state', (callback: URL) => callback.searchParams.set('state', 'another')],
  ['wrong-issuer', (callback: URL) => callback.searchParams.set('iss', 'https://attacker.example')],
  ['wrong-issuer', (callback: URL) => callback.searchParams.delete('iss')],
  ['refused', (callback: URL) => callback.searchParams.set('error', 'access_denied-of-the-test')],
])('refuses a callback: %s', async (code, change) => {
  const { url } = await serveProtected((callback) => {
    callback.searchParams.set('error_description', 'text-of-the-test');
    change(callback);
  });
  const { steps, finished } = await signIn(url);
  await expect(finished).rejects.toMatchObject({ code });
  await expect(finished).rejects.not.toThrow(/of-the-test/);
  expect(JSON.stringify(steps)).not.toMatch(/of-the-test/);
  expect(steps.some(({ step }) => step === 'token')).toBe(false);
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'http://sign-in.example/'])(
  'does not open %s',
  (url) => expect(() => checkAuthorizationUrl(new URL(url))).toThrow(/has to be an https URL/),
);

test('asks no private host for a public server, and nothing over plain http', async () => {
  const server = new URL('https://203.0.113.7/mcp');
  for (const host of ['10.0.0.1', '127.0.0.1', '[::1]', '169.254.169.254', '[::ffff:10.0.0.1]'])
    await expect(checkRequestUrl(new URL(`https://${host}/x`), server)).rejects.toMatchObject({
      code: 'private-address',
    });
  await expect(checkRequestUrl(new URL('http://203.0.113.8/x'), server)).rejects.toMatchObject({
    code: 'insecure-url',
  });
});

test('a cancelled wait and an expired one end, and their port closes', async () => {
  const cancel = new AbortController();
  const cancelled = await waitForCallback({ signal: cancel.signal, after: () => () => undefined });
  cancel.abort();
  await expect(cancelled.callback).rejects.toMatchObject({ code: 'cancelled' });
  await expect(fetch(cancelled.redirectUrl)).rejects.toThrow();
  let expire = (): void => undefined;
  const expired = await waitForCallback({
    signal: never,
    after: (run) => {
      expire = run;
      return () => undefined;
    },
  });
  expire();
  await expect(expired.callback).rejects.toMatchObject({ code: 'timeout' });
});
