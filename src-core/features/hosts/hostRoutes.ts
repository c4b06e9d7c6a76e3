import type { IncomingMessage } from 'node:http';

import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { hostPolicy } from '../../server/policies.ts';
import { isOfThisMachine } from '../../server/proxied.ts';
import { respondJson, respondText } from '../../server/respond.ts';
import type { HttpExchange, RequestPolicy } from '../../server/types.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import type { HostScope } from '../../contract/hosts.ts';
import type { ToolScope } from './offered.ts';
import type { HostLog } from './hostFrames.ts';
import type { CallingHost, HostOffer, SeenClient } from './hostServer.ts';
import type { HostTokens } from './hostTokens.ts';
import { createMcpHttpEndpoint, maxMcpBodyBytes, mcpMethods, type McpHttpEndpoint } from './httpEndpoint.ts';

/** Addresses that one host uses at the same time. */
const maxEndpoints = 16;

/** Serves one host at the address of one scope. */
interface HostEndpoint {
  hostId: string;
  scope: ToolScope;
  endpoint: McpHttpEndpoint;
}

/** Adds `/mcp` and what is below it to the listener for devices. Each request needs the token of a host. */
export function routeHosts(options: {
  context: Pick<FeatureContext, 'toolRegistryManager' | 'clock' | 'onError'>;
  listener: Devices['listener'];
  ownNames: Devices['ownNames'];
  tokens: HostTokens;
  /** What a host is offered at the address of a scope. */
  offerOf: (scope: ToolScope, hostId: string) => HostOffer;
  onSeen: (caller: CallingHost, client: SeenClient) => void;
  /** Called when a stream or a request of a host ends. */
  onEnded: () => void;
  log: HostLog;
}) {
  const { tokens, offerOf, onSeen, onEnded, log } = options;
  const { toolRegistryManager, clock, onError } = options.context;
  /** The least recently used first. */
  const endpoints = new Map<string, HostEndpoint>();
  const endpointsOf = (hostId: string): [string, HostEndpoint][] =>
    [...endpoints].filter(([, one]) => one.hostId === hostId);

  /** Undefined if the host uses too many other addresses. */
  function endpointOf(scope: ToolScope, hostId: string): McpHttpEndpoint | undefined {
    const key = `${hostId}\n${scopeKey(scope)}`;
    const known = endpoints.get(key);
    if (known === undefined && !makeRoom(hostId)) return undefined;
    const endpoint =
      known?.endpoint ?? createMcpHttpEndpoint({ offer: offerOf(scope, hostId), clock, onError, onSeen, onEnded, log });
    endpoints.delete(key);
    endpoints.set(key, { hostId, scope, endpoint });
    return endpoint;
  }

  function makeRoom(hostId: string): boolean {
    const own = endpointsOf(hostId);
    if (own.length < maxEndpoints) return true;
    const unused = own.find(([, { endpoint }]) => !endpoint.isUsed());
    if (unused !== undefined) end(...unused);
    return unused !== undefined;
  }

  function end(key: string, { endpoint }: HostEndpoint): void {
    endpoints.delete(key);
    endpoint.close().catch((error: unknown) => onError(error, 'ending the connections of an MCP host'));
  }

  async function handle(exchange: HttpExchange): Promise<void> {
    const { request, response, url } = exchange;
    const host = tokens.of(request);
    if (host === undefined) {
      const error = {
        code: -32_000,
        message: 'A token is needed: Authorization: Bearer …. Make one in Toolwire, Hosts.',
      };
      return respondJson(response, 401, { jsonrpc: '2.0', error, id: null }, { 'WWW-Authenticate': 'Bearer' });
    }
    const scope = scopeOf(url.pathname, toolRegistryManager);
    if (scope === undefined) return respondText(response, 404, 'There is no MCP server under this path.');
    if (!allows(host.scope, scope))
      return respondText(response, 403, `The token of "${host.name}" is for another device or server.`);
    const endpoint = endpointOf(scope, host.id);
    if (endpoint === undefined)
      return respondText(response, 503, `"${host.name}" uses ${maxEndpoints} addresses already. Close one of them.`);
    await endpoint.handle(exchange, { id: host.id, name: host.name });
  }

  const policies = [
    hostPolicy({ names: options.ownNames }),
    ownOrigin,
    (request: IncomingMessage) =>
      tokens.openToNetwork() || isOfThisMachine(request)
        ? undefined
        : { status: 403, message: 'MCP is open to this machine only. Hosts, "Open to the network" changes that.' },
  ] satisfies RequestPolicy[];
  const removals = ['/mcp', '/mcp/*'].map((path) =>
    options.listener.route({ path, methods: mcpMethods, policies, maxBodyBytes: maxMcpBodyBytes, handle }),
  );

  return {
    /** Open streams and requests of a host. */
    connections: (id: string) => endpointsOf(id).reduce((sum, [, { endpoint }]) => sum + endpoint.connections(), 0),
    /** Ends what a host has open at the addresses that `scope` does not allow: at all of them without a scope. */
    endHost(id: string, scope?: HostScope): void {
      for (const [key, one] of endpointsOf(id)) if (scope === undefined || !allows(scope, one.scope)) end(key, one);
    },
    async close(): Promise<void> {
      for (const remove of removals) remove();
      await Promise.all([...endpoints.values()].map(({ endpoint }) => endpoint.close()));
    },
  };
}

/** Keeps web pages out, except those of this very address: a page of another port or name has another origin. */
export const ownOrigin: RequestPolicy = ({ headers: { host = '', origin } }) =>
  origin === undefined || origin === `http://${host}`
    ? undefined
    : { status: 403, message: 'Pages of this origin may not use this address.' };

/** A host of all tools may use each address; one with a selection only that of all. */
function allows(of: HostScope, scope: ToolScope): boolean {
  if (of === 'all') return true;
  return of.kind === 'chosen' ? scope === 'all' : scopeKey({ kind: of.kind, id: of.id }) === scopeKey(scope);
}

/** A path may name a device or a server by the id of its registry, too. */
function scopeOf(path: string, toolRegistryManager: ToolRegistryManager): ToolScope | undefined {
  if (path === '/mcp' || path === '/mcp/') return 'all';
  const [, kind, encoded = ''] = /^\/mcp\/(device|server)\/([^/]{1,600})$/.exec(path) ?? [];
  if (kind === undefined) return undefined;
  const id = decode(encoded);
  if (id === undefined) return undefined;
  const { source } = toolRegistryManager.getTool(id) ?? {};
  const wanted = kind === 'device' ? 'device' : 'mcp';
  return { kind: wanted, id: source?.kind === wanted ? source.id : id };
}

function scopeKey(scope: ToolScope): string {
  return scope === 'all' ? '' : `${scope.kind}:${scope.id}`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
