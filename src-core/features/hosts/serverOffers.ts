import type { GetPromptResult, Prompt, ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { mapTexts } from '../../base/mapTexts.ts';
import { McpError } from '../../mcp/errors.ts';
import type { CallOptions } from '../../mcp/types.ts';
import { userOf, type Servers } from '../servers/service.ts';
import type { HostOffer } from './hostServer.ts';
import { gatherChanges, type OfferedPrompts, type OfferedResources } from './offered.ts';

const requestMs = 60_000;
/** Entries of each list that hosts get. */
const maxEntries = 2_000;
/** Characters of an answer. */
const maxAnswer = 16 * 1024 * 1024;

/**
 * The resources and prompts of one MCP server, for hosts of its own address. They are passed on as the server sends them, and it has
 * none while it is not connected or not offered to hosts.
 */
export function createServerOffers(options: {
  id: string;
  servers: Servers;
  clock: Pick<Clock, 'after'>;
  /** Calls the listener when a server may have changed. Returns the function that unsubscribes. */
  onServers: (listener: () => void) => () => void;
}): {
  resources: OfferedResources;
  prompts: OfferedPrompts;
  complete: NonNullable<HostOffer['complete']>;
  onOtherChange: HostOffer['onChange'];
} {
  const { id, servers, clock, onServers } = options;
  const listOf = (kind: 'resources' | 'templates' | 'prompts', key: string): JsonObject[] =>
    (servers.offeredToHosts(id)?.listed.lists[kind] ?? [])
      .filter((entry) => typeof entry[key] === 'string' && typeof entry['name'] === 'string')
      .slice(0, maxEntries);
  const ask = async <T>(
    signal: AbortSignal,
    run: (connection: NonNullable<Offered['connection']>, times: CallOptions) => Promise<JsonObject>,
  ): Promise<T | undefined> => {
    const server = servers.offeredToHosts(id);
    if (server?.connection === undefined) return undefined;
    try {
      return bounded(await run(server.connection, { signal, timeoutMs: requestMs })) as T;
    } catch (error) {
      throw toProtocolError(error, server.maskOwn);
    }
  };
  return {
    resources: {
      updates: false,
      list: () => listOf('resources', 'uri') as unknown as Resource[],
      templates: () => listOf('templates', 'uriTemplate') as never,
      read: (uri, signal) => ask<ReadResourceResult>(signal, (server, times) => server.readResource(uri, times)),
    },
    prompts: {
      list: () => listOf('prompts', 'name') as unknown as Prompt[],
      get: (name, args, { signal, host }) =>
        ask<GetPromptResult>(signal, (server, times) => server.getPrompt(name, args, { ...times, user: userOf(host) })),
    },
    async complete({ ref, argument, context }) {
      if (servers.offeredToHosts(id)?.can('completions') !== true) return [];
      const known = isJsonObject(context) && isJsonObject(context['arguments']) ? context['arguments'] : {};
      const answer = await ask<{ values: string[] }>(AbortSignal.timeout(requestMs), (server, { signal }) =>
        server.complete(ref as never, argument as never, known as Record<string, string>, signal),
      );
      return answer?.values ?? [];
    },
    onOtherChange(listener) {
      const read = () => ({
        prompts: JSON.stringify(listOf('prompts', 'name')),
        resources: JSON.stringify([listOf('resources', 'uri'), listOf('templates', 'uriTemplate')]),
      });
      let known = read();
      const announce = (): void => {
        const now = read();
        for (const kind of ['prompts', 'resources'] as const) if (now[kind] !== known[kind]) listener(kind);
        known = now;
      };
      return gatherChanges({ clock, subscribe: onServers, announce });
    },
  };
}

type Offered = NonNullable<ReturnType<Servers['offeredToHosts']>>;

/** The answer without the fields that belong to the other connection. Throws if it is too long. */
function bounded(answer: JsonObject): JsonObject {
  const length = JSON.stringify(answer).length;
  if (length > maxAnswer)
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      `The server's answer has ${length} characters, over ${maxAnswer}.`,
    );
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest } = answer;
  return rest;
}

/** The server's own refusal, other failures in our words, both without the secrets of the server. */
function toProtocolError(error: unknown, mask: (text: string) => string): unknown {
  if (!(error instanceof McpError)) return error;
  const { rpcCode, data } = error.details;
  const message = mask(error.message);
  if (error.code !== 'rpc' || rpcCode === undefined)
    return new ProtocolError(ProtocolErrorCode.InternalError, `The request to the MCP server failed: ${message}`);
  return new ProtocolError(rpcCode, message, data === undefined ? data : mapTexts(data, mask));
}
