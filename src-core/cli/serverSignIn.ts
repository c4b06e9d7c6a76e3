import { setTimeout } from 'node:timers/promises';

import type { Client } from '../rpc/client.ts';
import { visibleLine } from '../base/hiddenCharacters.ts';
import type { ServerConfig } from '../contract/servers.ts';
import { signInAlgorithms, type SignInConfig, type SignInRow } from '../contract/serverSignIn.ts';
import type { Command, GivenFlags } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag } from './dataDirFlag.ts';
import { ExitError, exitCodes } from './exitCodes.ts';
import { readFileText } from './filePieces.ts';
import { firstLine } from './firstLine.ts';
import { findServer, notApproved, rowOf, waitsForSignIn } from './neededServers.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

const pollMs = 50;
const maxSecretBytes = 64 * 1024;
const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

const settings = {
  'client-id': { type: 'string', value: 'ID', help: 'a client that is registered at the authorization server' },
  auth: { type: 'string', value: 'METHOD', help: `how the client authenticates: ${authMethods.join(', ')}` },
  'secret-file': {
    type: 'string',
    value: 'FILE|-',
    help: 'file with the secret of the client, or its private key in PEM; - reads standard input',
  },
  algorithm: { type: 'string', value: 'NAME', help: `algorithm of the private key: ${signInAlgorithms.join(', ')}` },
  'client-metadata-url': { type: 'string', value: 'URL', help: 'a client ID metadata document' },
  scope: { type: 'string', value: 'SCOPES', help: 'scopes to request in addition to those that the server requires' },
  issuer: { type: 'string', value: 'URL', help: 'the authorization server, if the server names several' },
  'callback-port': { type: 'string', value: 'PORT', help: 'the port to which the browser returns' },
  'client-credentials': { type: 'boolean', help: 'sign in with the credentials of the client, without a user' },
  dpop: { type: 'boolean', help: 'bind the tokens to a key' },
  reset: { type: 'boolean', help: 'register Toolwire again, as for a new server' },
} as const;

/** `toolwire servers sign-in`: signs in without a window. */
export const serverSignInCommand: Command = {
  name: 'servers sign-in',
  argument: { label: 'SERVER', required: true },
  summary: 'Sign in at an approved MCP server: print the address of the page, and wait for the browser.',
  details:
    'SERVER is its id or its name. The browser must run on this computer. Flags about the client are stored with the server and\n' +
    'replace earlier ones. If the sign-in fails, prints the step that failed and what to change, and exits with code 1.',
  flags: {
    ...settings,
    json: { type: 'boolean', help: 'print one line of JSON with the URL, then one with the result' },
    ...dataDirFlag,
  },
  run: (context) =>
    withWorkbench(context, async ({ client }) => {
      const { argument = '', flags, terminal } = context;
      const row = await findServer(client, argument);
      const { id, name } = row;
      const { config } = await client.servers.detail({ id });
      if (config.type !== 'http' && config.type !== 'sse')
        throw new Error(`${firstLine(name)} does not use HTTP, so it needs no sign-in.`);
      const { signIn: before, ...rest } = config;
      const signIn = flags.isSet('reset') ? undefined : ((await settingsOf(flags, terminal)) ?? before);
      const isChanged = signIn !== before;
      if (isChanged) await client.servers.change({ id, config: { ...rest, ...(signIn && { signIn }) } });
      // Another start would end the calls that wait for it.
      const isAsked = waitsForSignIn(row) || (await pageOf(client, id)) !== undefined;
      if (isChanged || !isAsked) await client.servers.start({ id });
      return untilSignedIn(client, config, id, context);
    }),
};

/** What the flags say of the client; undefined if they say nothing. */
async function settingsOf(flags: GivenFlags, terminal: Terminal): Promise<SignInConfig | undefined> {
  const names = Object.keys(settings) as (keyof typeof settings)[];
  const isGiven = names.some((name) =>
    settings[name].type === 'boolean' ? flags.isSet(name) : flags.text(name) !== undefined,
  );
  if (!isGiven) return undefined;
  const file = flags.text('secret-file');
  const secret = file === undefined ? undefined : await readSecret(file, terminal);
  const authMethod = oneOf(flags, 'auth', authMethods) ?? (secret === undefined ? 'none' : 'client_secret_basic');
  const port = flags.number('callback-port', { min: 1024, max: 65_535 });
  const texts = { clientId: 'client-id', clientMetadataUrl: 'client-metadata-url', scope: 'scope', issuer: 'issuer' };
  const given = Object.entries(texts).map(([field, flag]) => [field, flags.text(flag)] as const);
  return {
    method: flags.isSet('client-credentials') ? 'client' : 'user',
    authMethod,
    algorithm: oneOf(flags, 'algorithm', signInAlgorithms) ?? 'ES256',
    dpop: flags.isSet('dpop'),
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(secret !== undefined && (authMethod === 'private_key_jwt' ? { privateKey: secret } : { clientSecret: secret })),
    ...(port !== undefined && { callbackPort: port }),
  };
}

async function readSecret(file: string, terminal: Terminal): Promise<string> {
  const text = (file === '-' ? await terminal.readInput() : readFileText(file, maxSecretBytes)).trim();
  if (text === '') throw new UsageError('--secret-file has no secret.');
  return text;
}

function oneOf<T extends string>(flags: GivenFlags, flag: string, values: readonly T[]): T | undefined {
  const given = flags.text(flag);
  const found = values.find((value) => value === given);
  if (given !== undefined && found === undefined)
    throw new UsageError(`--${flag} must be one of ${values.join(', ')}; it is "${given}".`);
  return found;
}

async function untilSignedIn(
  client: Client,
  { name }: ServerConfig,
  id: string,
  { flags, terminal }: { flags: GivenFlags; terminal: Terminal },
): Promise<number> {
  const isJson = flags.isSet('json');
  for (let shown = ''; ;) {
    const row = await rowOf(client, id);
    const page = await pageOf(client, id);
    if (row.state === 'asking') throw new ExitError(notApproved({ id, name }), exitCodes.refused);
    if (page !== undefined && page !== shown) {
      shown = page;
      terminal.note('Open this page in a browser of this computer:\n');
      terminal.print(isJson ? `${JSON.stringify({ url: page })}\n` : `${page}\n`);
    }
    const { signedIn, rows } = await client.servers.signIn({ id });
    const steps = lastSignIn(rows);
    // A server is ready also while a call needs more rights.
    const hasToken = shown === '' || steps.some(({ step, outcome }) => step === 'token' && outcome === 'passed');
    const failure = row.failure ?? (hasToken ? undefined : steps.at(-1)?.failure);
    const isReady = row.state === 'ready' && hasToken;
    if (page === undefined && (isReady || failure !== undefined || row.state === 'stopped')) {
      if (isJson) terminal.print(`${JSON.stringify({ ready: isReady, signedIn, failure, steps: rows })}\n`);
      else if (isReady)
        terminal.note(
          signedIn ? `Signed in at ${firstLine(signedIn.issuer)}.\n` : `${firstLine(name)} needs no sign-in.\n`,
        );
      else for (const step of steps) terminal.note(lineOf(step));
      if (!isReady) terminal.note(`toolwire: ${firstLine(name)}: ${visibleLine(failure?.text ?? 'It was stopped.')}\n`);
      return isReady ? exitCodes.ok : exitCodes.failed;
    }
    await setTimeout(pollMs, undefined, { signal: terminal.ended });
  }
}

async function pageOf(client: Client, id: string): Promise<string | undefined> {
  return (await client.servers.requests()).find(({ serverId, kind }) => serverId === id && kind === 'sign-in')?.url;
}

/** From the last answer of the server that asked for a sign-in. */
function lastSignIn(rows: readonly SignInRow[]): readonly SignInRow[] {
  return rows.slice(rows.findLastIndex(({ step }) => step === 'challenge' || step === 'step-up'));
}

function lineOf({ step, outcome, request, status, facts, failure }: SignInRow): string {
  const parts = [outcome.padEnd(7), step, request, status, ...facts].filter((part) => part !== undefined);
  return `  ${visibleLine(parts.join('  '))}\n${failure ? `          ${visibleLine(failure.text)}\n` : ''}`;
}
