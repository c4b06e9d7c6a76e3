import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import { OneAfterAnother } from '../../base/oneAfterAnother.ts';
import { localize } from '../../base/messages/localize.ts';
import { toolConsumers } from '../../base/toolTypes.ts';
import { RequestError } from '../../base/requestError.ts';
import { serverOrigin, type ServerOrigin } from '../../contract/serverConsent.ts';
import { keptSignInConfig } from '../../contract/serverSignIn.ts';
import { serverEras, serverLogLevels, type ServerConfig } from '../../contract/servers.ts';
import type { ServerEndpoint } from '../../mcp/types.ts';
import { fitsTransport } from '../../mcp/urlSchemes.ts';
import { readStoredList, type StoredList } from '../../store/readStoredList.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { KeyValueStore } from '../../store/types.ts';
import { expandEndpoint, type ExpandedEndpoint } from './configFiles/expandEndpoint.ts';
import type { ConfiguredServer, VariableSyntax } from './configFiles/types.ts';
import { readVariables } from './configFiles/variables.ts';
import { freeName } from './freeName.ts';
import { checkSignIn, keepSignIn, signInSecretNames } from './signInSettings.ts';
import type { SourceEntry } from './sourceFile.ts';

const settingsKey = 'servers';
const maxServers = 200;

/** The fingerprint of what was approved, the facts that it is of, and marks of the values. */
const keptApproval = z.object({
  fingerprint: z.string(),
  facts: z.record(z.string(), z.string()),
  values: z.record(z.string(), z.string()).default({}),
});

const storedServer = z.object({
  id: z.string(),
  name: z.string(),
  registryId: z.string(),
  config: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('stdio'),
      command: z.string(),
      args: z.array(z.string()),
      cwd: z.string().exactOptional(),
      envNames: z.array(z.string()),
    }),
    z.object({
      type: z.enum(['http', 'sse', 'websocket']),
      url: z.string(),
      headerNames: z.array(z.string()),
      signIn: keptSignInConfig.exactOptional(),
    }),
  ]),
  /** The syntax of the variables in its texts, which are replaced at each start. */
  variables: z.enum(['none', 'shell', 'editor']).default('none'),
  /** The variables that the user has given a value. */
  givenKeys: z.array(z.string()).default([]),
  /** The consumers that are offered its tools. The user can always call them by hand. */
  consumers: z.array(z.enum(toolConsumers)).default([]),
  era: z.enum(serverEras).optional(),
  logLevel: z.enum(serverLogLevels).default('off'),
  /** `file:` URIs. */
  roots: z.array(z.object({ uri: z.string(), name: z.string().optional() })).default([]),
  /** Whether it may ask for a model's reply. */
  sampling: z.boolean().default(false),
  added: serverOrigin.optional(),
  /** The digest of the endpoint that did not answer the probe, and when (epoch ms). */
  silent: z.object({ endpoint: z.string(), at: z.number() }).optional(),
  /** What the user has always approved. */
  approved: keptApproval.optional(),
  /** The last approval, with which the next one is compared. It may be of one session, or withdrawn. */
  approvedBefore: keptApproval.optional(),
});
/** A server as it is kept: without the values of variables and headers. */
export type KeptServer = z.infer<typeof storedServer>;

/** What a configuration file contains about a server in addition to its configuration. May contain secrets. */
export type ServerSource = Omit<ConfiguredServer, 'name' | 'config'> & {
  /** The file that it is from, if the path is known. */
  file?: SourceEntry;
};

const secretOf = {
  source: (id: string): string => `mcp:${id}:source`,
  env: (id: string, name: string): string => `mcp:${id}:env:${name}`,
  header: (id: string, name: string): string => `mcp:${id}:header:${name}`,
  given: (id: string, key: string): string => `mcp:${id}:value:${key}`,
};

/**
 * The configurations of MCP servers. Values of variables and headers are in the secret store. What writes secrets runs one after the other,
 * so that no secret of a removed server is left.
 */
export class ServerBook {
  readonly #deps: ServerBookDeps;
  readonly #turns = new OneAfterAnother();
  readonly #kept: StoredList<KeptServer>;
  #servers: readonly KeptServer[];

  constructor(deps: ServerBookDeps) {
    this.#deps = deps;
    const { onError } = deps;
    this.#kept = readStoredList(deps.store.get(settingsKey), { item: storedServer, where: 'the MCP servers', onError });
    this.#servers = this.#kept.items;
  }

  /** The servers that are not in the trash. */
  list(): readonly KeptServer[] {
    return this.#servers.filter(({ id }) => !this.#deps.isRemoved(id));
  }

  /** By its own id, or by that in the registry. */
  find(id: string): KeptServer | undefined {
    return this.list().find((server) => server.id === id || server.registryId === id);
  }

  /** @throws {RequestError} If there is no server of that id. */
  get(id: string): KeptServer {
    const found = this.list().find((server) => server.id === id);
    if (found === undefined) throw new RequestError(localize('servers.unknown'));
    return found;
  }

  /**
   * Adds all of them, or none. One whose name is in use gets a number behind it. Returns their ids.
   * @throws {RequestError} If there would be more than 200, or a URL does not fit the transport.
   */
  add(given: readonly { config: ServerConfig; source?: ServerSource; added?: ServerOrigin }[]): Promise<string[]> {
    return this.#turns.run(async () => {
      this.checkRoom(given.length);
      for (const { config, source } of given) checkUrl(config, source?.variables ?? 'none');
      const added: KeptServer[] = [];
      try {
        for (const { config, source, added: origin } of given) {
          const id = randomUUID();
          const names = new Set([...added, ...this.list()].map((server) => server.name));
          const server = storedServer.parse({
            id,
            name: freeName(config.name, (name) => names.has(name)),
            registryId: this.#registryIdOf(config.name, added),
            config: withoutValues(config),
            variables: source?.variables ?? 'none',
            added: origin,
            era: config.era,
          });
          added.push(server);
          await this.#keepValues(id, config);
          if (source) await this.#keepSource(id, source);
        }
      } catch (error) {
        await Promise.allSettled(added.map((server) => this.#deleteSecrets(secretNames(server))));
        throw error;
      }
      this.#save([...this.#servers, ...added]);
      return added.map(({ id }) => id);
    });
  }

  /** @throws {RequestError} If there is no room for that many more. */
  checkRoom(more: number): void {
    if (this.list().length + more > maxServers)
      throw new RequestError(localize('servers.tooMany', { most: maxServers }));
  }

  /** `source`: the current entry of the file; without it, only the spelling of the file is forgotten. */
  change(id: string, config: ServerConfig, source?: ServerSource): Promise<void> {
    return this.#turns.run(async () => {
      const before = this.get(id);
      const { variables: syntax } = source ?? before;
      checkUrl(config, syntax);
      await this.#keepValues(id, config);
      const known = source ?? (await this.sourceOf(id));
      // The spelling belongs to the configuration before.
      if (known) {
        const { spelling: _, ...rest } = known;
        await this.#keepSource(id, source ?? rest);
      }
      const now = {
        ...this.get(id),
        name: config.name,
        config: withoutValues(config),
        era: config.era,
        variables: syntax,
      };
      const { variables } = await this.expand(now);
      now.givenKeys = now.givenKeys.filter((key) => variables.some((variable) => variable.key === key));
      this.#replace(now);
      const left = new Set(secretNames(now));
      await this.#deleteSecrets(secretNames(before).filter((name) => !left.has(name)));
    });
  }

  /** Keeps values of its variables; one that is undefined is forgotten. */
  give(id: string, values: readonly { key: string; value?: string | undefined }[]): Promise<void> {
    return this.#turns.run(async () => {
      const { variables } = await this.expand(this.get(id));
      for (const { key } of values)
        if (!variables.some((variable) => variable.key === key))
          throw new RequestError(localize('servers.noVariable', { key }), { field: 'values' });
      for (const { key, value } of values)
        if (value === undefined) await this.#deps.secrets.delete(secretOf.given(id, key));
        else await this.#deps.secrets.set(secretOf.given(id, key), value);
      const changed = new Set(values.map(({ key }) => key));
      const given = values.flatMap(({ key, value }) => (value === undefined ? [] : [key]));
      const server = this.get(id);
      this.#replace({ ...server, givenKeys: [...server.givenKeys.filter((key) => !changed.has(key)), ...given] });
    });
  }

  /** Notes that the present entry of its file is known. */
  noteFile(id: string, file: SourceEntry): Promise<void> {
    return this.#turns.run(async () => {
      const source = await this.sourceOf(this.get(id).id);
      if (source) await this.#keepSource(id, { ...source, file });
    });
  }

  /** Prepares a server to leave the trash. @throws {RequestError} If there are 200 others. */
  restore(id: string): void {
    this.checkRoom(1);
    const server = this.#servers.find((each) => each.id === id);
    if (server === undefined) throw new RequestError(localize('servers.unknown'));
    // Other servers may have got its name and its place in the registry.
    const others = this.list();
    const name = freeName(server.name, (each) => others.some((other) => other.name === each));
    const isTaken = others.some(({ registryId }) => registryId === server.registryId);
    this.#replace({ ...server, name, ...(isTaken && { registryId: this.#registryIdOf(server.name, []) }) });
  }

  /** Deletes it with its secrets, also from the trash. */
  remove(id: string): Promise<void> {
    return this.#turns.run(async () => {
      const server = this.#servers.find((each) => each.id === id);
      if (server === undefined) return;
      this.#save(this.#servers.filter((each) => each !== server));
      await this.#deleteSecrets(secretNames(server));
    });
  }

  /** Keeps an approval: of all starts, or only to compare the next ones with it. */
  approve(id: string, approval: z.infer<typeof keptApproval>, always: boolean): void {
    this.#replace({ ...this.get(id), approvedBefore: approval, ...(always && { approved: approval }) });
  }

  withdraw(id: string): void {
    const { approved, ...server } = this.get(id);
    this.#replace({ approvedBefore: approved, ...server });
  }

  set(
    id: string,
    settings: Partial<Pick<KeptServer, 'added' | 'consumers' | 'logLevel' | 'roots' | 'sampling' | 'silent'>>,
  ): void {
    this.#replace({ ...this.get(id), ...settings });
  }

  /** What the file that it was imported from contains in addition to the configuration. */
  async sourceOf(id: string): Promise<ServerSource | undefined> {
    const text = await this.#deps.secrets.get(secretOf.source(id));
    return text === undefined ? undefined : (JSON.parse(text) as ServerSource);
  }

  /** Returns the endpoint with its secrets, as it is written: variables are not replaced. */
  async writtenOf({ id, config }: KeptServer): Promise<ServerEndpoint> {
    const read = (kind: 'env' | 'header', names: string[]): Promise<Record<string, string>> =>
      this.#read(names, (name) => secretOf[kind](id, name));
    if (config.type === 'stdio') {
      const { envNames, ...program } = config;
      return { ...program, env: await read('env', envNames) };
    }
    const { type, url, headerNames } = config;
    return { type, url, headers: await read('header', headerNames) };
  }

  /** Returns the endpoint with its secrets, and with the values of its variables. */
  async expand(server: KeptServer): Promise<ExpandedEndpoint & { written: ServerEndpoint }> {
    const written = await this.writtenOf(server);
    const { id, variables, givenKeys } = server;
    const inputs = variables === 'none' ? [] : ((await this.sourceOf(id))?.inputs ?? []);
    const given = await this.#read(givenKeys, (key) => secretOf.given(id, key));
    return { ...expandEndpoint(written, { variables, inputs, given: new Map(Object.entries(given)) }), written };
  }

  #registryIdOf(name: string, added: readonly KeptServer[]): string {
    const names = new Set([...added, ...this.list()].map(({ registryId }) => registryId));
    return registryIdOf(name, (id) => this.#deps.isTaken(id) || names.has(id));
  }

  async #read(names: readonly string[], secretName: (name: string) => string): Promise<Record<string, string>> {
    const values = names.map(async (name) => [name, (await this.#deps.secrets.get(secretName(name))) ?? ''] as const);
    return Object.fromEntries(await Promise.all(values));
  }

  async #keepValues(id: string, config: ServerConfig): Promise<void> {
    const { secrets } = this.#deps;
    const [kind, values] =
      config.type === 'stdio' ? (['env', config.env] as const) : (['header', config.headers] as const);
    for (const { name, value } of values) if (value !== undefined) await secrets.set(secretOf[kind](id, name), value);
    if (config.type !== 'stdio' && config.signIn) await keepSignIn(id, config.signIn, secrets);
  }

  async #keepSource(id: string, source: ServerSource): Promise<void> {
    await this.#deps.secrets.set(secretOf.source(id), JSON.stringify(source));
  }

  async #deleteSecrets(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#deps.secrets.delete(name)));
  }

  #replace(server: KeptServer): void {
    this.#save(this.#servers.map((each) => (each.id === server.id ? server : each)));
  }

  #save(now: readonly KeptServer[]): void {
    this.#deps.store.set(settingsKey, this.#kept.stored(now));
    this.#servers = now;
  }
}

interface ServerBookDeps {
  store: Pick<KeyValueStore, 'get' | 'set'>;
  secrets: SecretStore;
  isTaken: (registryId: string) => boolean;
  /** Whether it is in the trash. */
  isRemoved: (id: string) => boolean;
  onError: (error: unknown, where: string) => void;
}

function secretNames({ id, config, givenKeys }: KeptServer): string[] {
  return [
    ...(config.type === 'stdio'
      ? config.envNames.map((name) => secretOf.env(id, name))
      : [...config.headerNames.map((name) => secretOf.header(id, name)), ...signInSecretNames(id, config.signIn)]),
    ...givenKeys.map((key) => secretOf.given(id, key)),
    secretOf.source(id),
  ];
}

function withoutValues(config: ServerConfig): KeptServer['config'] {
  if (config.type !== 'stdio') {
    const { clientSecret: _secret, privateKey: _key, ...signIn } = config.signIn ?? {};
    const headerNames = config.headers.map(({ name }) => name);
    return {
      type: config.type,
      url: config.url,
      headerNames,
      ...(config.signIn && { signIn: keptSignInConfig.parse(signIn) }),
    };
  }
  const { type, command, args, cwd, env } = config;
  return { type, command, args, envNames: env.map(({ name }) => name), ...(cwd !== undefined && { cwd }) };
}

function registryIdOf(name: string, isUsed: (id: string) => boolean): string {
  const stem = `mcp-${
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'server'
  }`;
  return freeName(stem, isUsed);
}

/** A URL with variables is checked when it is used. */
function checkUrl(config: ServerConfig, variables: VariableSyntax): void {
  if (config.type === 'stdio') return;
  checkSignIn(config.signIn);
  if (fitsTransport(config)) return;
  if (readVariables(config.url, variables).some(({ kind }) => kind !== 'literal')) return;
  throw new RequestError(localize('servers.badUrl', { url: config.url }), { field: 'url' });
}
