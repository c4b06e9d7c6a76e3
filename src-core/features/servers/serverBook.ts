import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import { localize } from '../../base/messages/localize.ts';
import { toolConsumers } from '../../base/toolTypes.ts';
import { RequestError } from '../../base/requestError.ts';
import { keptSignInConfig } from '../../contract/serverSignIn.ts';
import { serverLogLevels, type ServerConfig } from '../../contract/servers.ts';
import type { ServerEndpoint } from '../../mcp/types.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { KeyValueStore } from '../../store/types.ts';
import { expandEndpoint } from './configFiles/expandEndpoint.ts';
import type { ConfiguredServer } from './configFiles/types.ts';
import { checkSignIn, keepSignIn, signInSecretNames } from './signInSettings.ts';

const settingsKey = 'servers';
const maxServers = 200;

const storedServer = z.object({
  id: z.string(),
  name: z.string(),
  registryId: z.string(),
  config: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('stdio'),
      command: z.string(),
      args: z.array(z.string()),
      cwd: z.string().optional(),
      envNames: z.array(z.string()),
    }),
    z.object({
      type: z.enum(['http', 'sse', 'websocket']),
      url: z.string(),
      headerNames: z.array(z.string()),
      signIn: keptSignInConfig.optional(),
    }),
  ]),
  /** The syntax of the variables in its texts, which are replaced at each start. */
  variables: z.enum(['none', 'shell', 'editor']).default('none'),
  /** Who is offered its tools. A user who calls by hand always is. */
  consumers: z.array(z.enum(toolConsumers)).default([]),
  logLevel: z.enum(serverLogLevels).default('off'),
  /** `file:` URIs. */
  roots: z.array(z.object({ uri: z.string(), name: z.string().optional() })).default([]),
  /** Whether it may ask for a model's reply. */
  sampling: z.boolean().default(false),
  /** What the user has always approved: the fingerprint, and the facts that it is of. */
  approved: z.object({ fingerprint: z.string(), facts: z.record(z.string(), z.string()) }).optional(),
});
/** A server as it is kept: without the values of variables and headers. */
export type KeptServer = z.infer<typeof storedServer>;

/** What a configuration file says of a server beside its configuration. It may have secrets. */
export type ServerSource = Omit<ConfiguredServer, 'name' | 'config'>;

const sourceName = (id: string): string => `mcp:${id}:source`;

/** The configurations of MCP servers. Values of variables and headers are in the secret store. */
export interface ServerBook {
  list(): readonly KeptServer[];
  /** @throws {RequestError} If there is no server of that id. */
  get(id: string): KeptServer;
  /** @throws {RequestError} If there are 200 already, or the URL does not fit the transport. */
  add(config: ServerConfig, source?: ServerSource): Promise<KeptServer>;
  /** What the file that it was imported from says beside the configuration. */
  sourceOf(id: string): Promise<ServerSource | undefined>;
  change(id: string, config: ServerConfig): Promise<void>;
  remove(id: string): Promise<void>;
  approve(id: string, approved: KeptServer['approved']): void;
  set(id: string, settings: Partial<Pick<KeptServer, 'consumers' | 'logLevel' | 'roots' | 'sampling'>>): void;
  /** With its secrets, as it is written: variables are not replaced. */
  writtenOf(server: KeptServer): Promise<ServerEndpoint>;
  /** With its secrets. @throws {RequestError} If a variable has no value. */
  endpointOf(server: KeptServer): Promise<ServerEndpoint>;
}

export function createServerBook(options: {
  store: Pick<KeyValueStore, 'get' | 'set'>;
  secrets: SecretStore;
  isTaken: (registryId: string) => boolean;
  onError: (error: unknown, where: string) => void;
}): ServerBook {
  const { store, secrets, isTaken, onError } = options;
  const parsed = z.array(storedServer).safeParse(store.get(settingsKey) ?? []);
  if (!parsed.success) onError(parsed.error, 'the configurations of MCP servers');
  let servers = parsed.data ?? [];

  function save(now: KeptServer[]): void {
    // Without the members that are undefined, which JSON has not.
    store.set(settingsKey, JSON.parse(JSON.stringify(now)) as never);
    servers = now;
  }

  function get(id: string): KeptServer {
    const found = servers.find((server) => server.id === id);
    if (found === undefined) throw new RequestError(localize('servers.unknown'));
    return found;
  }

  const secretNames = ({ id, config }: KeptServer): string[] =>
    config.type === 'stdio'
      ? config.envNames.map((name) => `mcp:${id}:env:${name}`)
      : [...config.headerNames.map((name) => `mcp:${id}:header:${name}`), ...signInSecretNames(id, config.signIn)];

  async function keep(id: string, config: ServerConfig): Promise<KeptServer['config']> {
    const [kind, values] = config.type === 'stdio' ? ['env', config.env] : ['header', config.headers];
    for (const { name, value } of values) {
      if (value !== undefined) await secrets.set(`mcp:${id}:${kind}:${name}`, value);
    }
    const names = values.map(({ name }) => name);
    if (config.type !== 'stdio') {
      const signIn = config.signIn && (await keepSignIn(id, config.signIn, secrets));
      return { type: config.type, url: config.url, headerNames: names, ...(signIn && { signIn }) };
    }
    const { type, command, args, cwd } = config;
    return { type, command, args, envNames: names, ...(cwd !== undefined && { cwd }) };
  }

  function registryIdOf(name: string): string {
    const stem = `mcp-${
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 40) || 'server'
    }`;
    const used = (id: string): boolean => isTaken(id) || servers.some(({ registryId }) => registryId === id);
    let id = stem;
    for (let number = 2; used(id); number += 1) id = `${stem}-${number}`;
    return id;
  }

  return {
    list: () => servers,
    get,
    async add(config, source) {
      if (servers.length >= maxServers) throw new RequestError(localize('servers.tooMany', { most: maxServers }));
      checkUrl(config);
      const id = randomUUID();
      const kept = await keep(id, config);
      const variables = source?.variables ?? 'none';
      const registryId = registryIdOf(config.name);
      const server = storedServer.parse({ id, name: config.name, registryId, config: kept, variables });
      if (source) await secrets.set(sourceName(id), JSON.stringify(source));
      save([...servers, server]);
      return server;
    },
    async change(id, config) {
      checkUrl(config);
      const before = secretNames(get(id));
      const kept = await keep(id, config);
      const now = { ...get(id), name: config.name, config: kept };
      save(servers.map((server) => (server.id === id ? now : server)));
      const left = new Set(secretNames(now));
      await Promise.all(before.filter((name) => !left.has(name)).map((name) => secrets.delete(name)));
      const source = await sourceOf(id);
      // The spelling belongs to the configuration before.
      if (source?.spelling) await secrets.set(sourceName(id), JSON.stringify({ ...source, spelling: undefined }));
    },
    async remove(id) {
      const names = [...secretNames(get(id)), sourceName(id)];
      save(servers.filter((server) => server.id !== id));
      await Promise.all(names.map((name) => secrets.delete(name)));
    },
    approve(id, approved) {
      const { approved: _, ...server } = get(id);
      const now = { ...server, ...(approved !== undefined && { approved }) };
      save(servers.map((each) => (each.id === id ? now : each)));
    },
    set(id, settings) {
      const now = { ...get(id), ...settings };
      save(servers.map((each) => (each.id === id ? now : each)));
    },
    sourceOf,
    writtenOf,
    async endpointOf(server) {
      return expandEndpoint(await writtenOf(server), server);
    },
  };

  async function sourceOf(id: string): Promise<ServerSource | undefined> {
    const text = await secrets.get(sourceName(id));
    return text === undefined ? undefined : (JSON.parse(text) as ServerSource);
  }

  async function writtenOf({ id, config }: KeptServer): Promise<ServerEndpoint> {
    const read = async (kind: 'env' | 'header', names: string[]): Promise<Record<string, string>> =>
      Object.fromEntries(
        await Promise.all(
          names.map(async (name) => [name, (await secrets.get(`mcp:${id}:${kind}:${name}`)) ?? ''] as const),
        ),
      );
    if (config.type === 'stdio') {
      const { type, command, args, cwd, envNames } = config;
      return { type, command, args, env: await read('env', envNames), ...(cwd !== undefined && { cwd }) };
    }
    const { type, url, headerNames } = config;
    return { type, url, headers: await read('header', headerNames) };
  }
}

function checkUrl(config: ServerConfig): void {
  if (config.type === 'stdio') return;
  const schemes = config.type === 'websocket' ? ['ws:', 'wss:'] : ['http:', 'https:'];
  if (!URL.canParse(config.url) || !schemes.includes(new URL(config.url).protocol))
    throw new RequestError(localize('servers.badUrl', { url: config.url }), { field: 'url' });
  checkSignIn(config.signIn);
}
