import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';

import { hostScope, type HostScope } from '../../contract/hosts.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import { bearerOf, secretDigest } from '../../server/bearer.ts';
import { readStoredList } from '../../store/readStoredList.ts';
import type { KeyValueStore } from '../../store/types.ts';

const settingsKey = 'hosts';
const maxTokens = 64;

const storedToken = z.object({
  id: z.string(),
  name: z.string(),
  scope: hostScope,
  finds: z.boolean().default(false),
  /** SHA-256 of the token, as hexadecimal digits. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.number(),
  client: z.object({ name: z.string(), version: z.string() }).optional(),
  era: z.enum(['legacy', 'modern']).optional(),
  revision: z.string().optional(),
  lastSeenAt: z.number().optional(),
  lastCallAt: z.number().optional(),
});

/** A host that has a token, without the token. */
export type TokenHost = z.infer<typeof storedToken>;
/** What is learned of a host while it is connected. */
export type HostFacts = Partial<Pick<TokenHost, 'client' | 'era' | 'revision' | 'lastSeenAt' | 'lastCallAt'>>;

/** The tokens of hosts. Only their hashes are kept. */
export interface HostTokens {
  list(): readonly TokenHost[];
  /** The stored hosts that this version cannot read. Their tokens are refused, but another version may accept them. */
  unreadable(): Pick<TokenHost, 'id' | 'name'>[];
  /** Creates a token. @throws {RequestError} If there are 64 already. */
  create(host: { name: string; scope: HostScope; finds: boolean }, now: number): { id: string; token: string };
  /** Changes what a host is offered. Returns false if there is none of that id. */
  change(id: string, offered: { scope: HostScope; finds: boolean }): boolean;
  /** Deletes a token, also one that cannot be read. Returns false if there is none of that id. */
  revoke(id: string): boolean;
  /** The host whose token is in the `Authorization` header of a request. Takes the same time for every token. */
  of(request: IncomingMessage): TokenHost | undefined;
  learn(id: string, facts: HostFacts): void;
  openToNetwork(): boolean;
  setOpenToNetwork(open: boolean): void;
  /** Writes what was learned. */
  save(): void;
}

export function createHostTokens(options: {
  store: Pick<KeyValueStore, 'get' | 'set'>;
  onError: (error: unknown, where: string) => void;
}): HostTokens {
  const { store, onError } = options;
  const kept = store.get(settingsKey) ?? {};
  const read = readStoredList(isJsonObject(kept) ? kept['tokens'] : kept, {
    item: storedToken,
    where: 'the tokens of MCP hosts',
    onError,
  });
  let tokens = read.items;
  let openToNetwork = isJsonObject(kept) && kept['openToNetwork'] === true;

  function save(): void {
    store.set(settingsKey, { openToNetwork, tokens: read.stored(tokens) });
  }

  return {
    list: () => tokens,
    unreadable: () => read.unreadable.map(describeUnreadable),
    create(host, now) {
      if (tokens.length >= maxTokens) throw new RequestError(localize('hosts.tooMany', { most: maxTokens }));
      const token = `tw_${randomBytes(32).toString('base64url')}`;
      const id = randomUUID();
      tokens = [...tokens, { id, ...host, hash: secretDigest(token).toString('hex'), createdAt: now }];
      save();
      return { id, token };
    },
    change(id, offered) {
      if (!tokens.some((token) => token.id === id)) return false;
      tokens = tokens.map((token) => (token.id === id ? { ...token, ...offered } : token));
      save();
      return true;
    },
    revoke(id) {
      const left = tokens.filter((token) => token.id !== id);
      const at = read.unreadable.findIndex((raw) => describeUnreadable(raw).id === id);
      if (left.length === tokens.length && at === -1) return false;
      if (at !== -1) read.unreadable.splice(at, 1);
      tokens = left;
      save();
      return true;
    },
    of(request) {
      const token = bearerOf(request);
      if (token === undefined) return undefined;
      const given = secretDigest(token);
      let found: TokenHost | undefined;
      for (const host of tokens) if (timingSafeEqual(Buffer.from(host.hash, 'hex'), given)) found = host;
      return found;
    },
    learn(id, facts) {
      tokens = tokens.map((host) => (host.id === id ? { ...host, ...facts } : host));
    },
    openToNetwork: () => openToNetwork,
    setOpenToNetwork(open) {
      openToNetwork = open;
      save();
    },
    save,
  };
}

/** Its own id and name, if it has them: its log has the same id. */
function describeUnreadable(raw: JsonValue): Pick<TokenHost, 'id' | 'name'> {
  const { id, name } = isJsonObject(raw) ? raw : {};
  const ownId = typeof id === 'string' ? id : `unreadable-${secretDigest(JSON.stringify(raw)).toString('hex')}`;
  return { id: ownId, name: typeof name === 'string' ? name : ownId };
}
