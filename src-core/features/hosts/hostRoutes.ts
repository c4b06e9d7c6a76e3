import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { isOfThisMachine } from '../../server/proxied.ts';
import { respondJson, respondText } from '../../server/respond.ts';
import type { HttpExchange, RequestPolicy } from '../../server/types.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import type { HostScope } from '../../contract/hosts.ts';
import { KeptEvents } from './eventStore.ts';
import type { ToolScope } from './offered.ts';
import type { HostLog } from './hostFrames.ts';
import type { CallingHost, HostOffer, SeenClient } from './hostServer.ts';
import type { HostTokens, TokenHost } from './hostTokens.ts';
import { createMcpHttpEndpoint, type McpHttpEndpoint } from './httpEndpoint.ts';
import { routeMcp } from './mcpRoute.ts';

/** Addresses that one host uses at the same time. */
const maxEndpoints = 16;

interface HostRoutesOptions {
  context: Pick<FeatureContext, 'toolRegistryManager' | 'clock' | 'onError'>;
  listener: Devices['listener'];
  ownNames: Devices['ownNames'];
  tokens: HostTokens;
  /** The id of an MCP server that has this id, or has it in the registry. */
  serverIdOf: (id: string) => string | undefined;
  /** What a host is offered at the address of a scope. */
  offerOf: (scope: ToolScope, hostId: string) => HostOffer;
  onSeen: (caller: CallingHost, client: SeenClient) => void;
  /** Called when a stream or a request of a host ends. */
  onEnded: () => void;
  log: HostLog;
}

/** Adds `/mcp` and what is below it to the listener for devices. Each request needs the token of a host. */
export function routeHosts(options: HostRoutesOptions) {
  const { context, tokens, serverIdOf } = options;
  const endpoints = new HostEndpoints(options);

  async function handle(exchange: HttpExchange, host: TokenHost): Promise<void> {
    const { response, url } = exchange;
    const scope = scopeOf(url.pathname, context.toolRegistryManager, serverIdOf);
    if (scope === undefined) return respondText(response, 404, 'There is no MCP server under this path.');
    if (!allows(host.scope, scope))
      return respondText(response, 403, `The token of "${host.name}" is for another device or server.`);
    if (scope !== 'all' && scope.kind === 'mcp' && serverIdOf(scope.id) === undefined) {
      const message = `There is no MCP server with the id "${scope.id}".`;
      return respondJson(response, 404, { jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
    }
    const endpoint = endpoints.of(scope, host.id, !isOfThisMachine(exchange.request));
    if (endpoint === undefined)
      return respondText(response, 503, `"${host.name}" uses ${maxEndpoints} addresses already. Close one of them.`);
    await endpoint.handle(exchange, { id: host.id, name: host.name });
  }

  const thisMachine: RequestPolicy = (request) =>
    tokens.openToNetwork() || isOfThisMachine(request)
      ? undefined
      : { status: 403, message: 'MCP is open to this machine only. Hosts, "Open to the network" changes that.' };
  const remove = routeMcp({
    listener: options.listener,
    paths: ['/mcp', '/mcp/*'],
    names: options.ownNames,
    policies: [thisMachine],
    hostOf: tokens.of,
    tokenHint: 'Create one in Toolwire, in the pane Hosts.',
    handle,
  });

  return {
    /** Open streams and requests of a host. */
    connections: (id: string) => endpoints.connections(id),
    /** Ends what a host has open, whose token was revoked. */
    endHost: (id: string) =>
      endpoints.endWhere(({ hostId }) => hostId === id, 'The token of this host was revoked in Toolwire.'),
    /** Ends what a host has open at the addresses that `scope` does not allow. */
    endOutside: (id: string, allowed: HostScope) =>
      endpoints.endWhere(
        ({ hostId, scope }) => hostId === id && !allows(allowed, scope),
        'This host is offered other tools now, at another address.',
      ),
    /** Ends what is open at the addresses that other machines have used. */
    endRemote: () =>
      endpoints.endWhere(
        ({ isRemote }) => isRemote,
        'Toolwire is no longer open to other computers, which has ended all connections at this address.',
      ),
    async close(): Promise<void> {
      remove();
      await endpoints.close();
    },
  };
}

/** Serves one host at the address of one scope. */
interface HostEndpoint {
  hostId: string;
  scope: ToolScope;
  endpoint: McpHttpEndpoint;
  /** Whether another machine has used it. */
  isRemote: boolean;
}

/** The addresses that hosts use. */
class HostEndpoints {
  readonly #options: HostRoutesOptions;
  /** The addresses, the least recently used first. */
  readonly #all = new Map<string, HostEndpoint>();
  readonly #kept = new KeptEvents();

  constructor(options: HostRoutesOptions) {
    this.#options = options;
  }

  /** The endpoint of an address. Undefined if the host uses too many other addresses. */
  of(scope: ToolScope, hostId: string, isRemote: boolean): McpHttpEndpoint | undefined {
    const key = `${hostId}\n${scopeKey(scope)}`;
    const known = this.#all.get(key);
    if (known === undefined && !this.#makeRoom(hostId)) return undefined;
    const { context, offerOf, onSeen, onEnded, log } = this.#options;
    const { clock, onError } = context;
    const endpoint =
      known?.endpoint ??
      createMcpHttpEndpoint({ offer: offerOf(scope, hostId), clock, onError, onSeen, onEnded, log, kept: this.#kept });
    this.#all.delete(key);
    this.#all.set(key, { hostId, scope, endpoint, isRemote: isRemote || known?.isRemote === true });
    return endpoint;
  }

  connections(hostId: string): number {
    return this.#ofHost(hostId).reduce((sum, [, { endpoint }]) => sum + endpoint.connections(), 0);
  }

  endWhere(isEnded: (endpoint: HostEndpoint) => boolean, reason: string): void {
    for (const [key, one] of this.#all) if (isEnded(one)) this.#end(key, one, reason);
  }

  async close(): Promise<void> {
    const reason = 'Toolwire was closed, or another Toolwire has taken over. Connect again.';
    await Promise.all([...this.#all.values()].map(({ endpoint }) => endpoint.close(reason)));
  }

  #ofHost(hostId: string): [string, HostEndpoint][] {
    return [...this.#all].filter(([, one]) => one.hostId === hostId);
  }

  #makeRoom(hostId: string): boolean {
    const own = this.#ofHost(hostId);
    if (own.length < maxEndpoints) return true;
    const unused = own.find(([, { endpoint }]) => !endpoint.isUsed());
    if (unused !== undefined) this.#end(...unused);
    return unused !== undefined;
  }

  #end(key: string, { endpoint }: HostEndpoint, reason?: string): void {
    this.#all.delete(key);
    const { onError } = this.#options.context;
    endpoint.close(reason).catch((error: unknown) => onError(error, 'ending the connections of an MCP host'));
  }
}

/** A host of all tools may use each address; one with a selection only that of all. */
function allows(of: HostScope, scope: ToolScope): boolean {
  if (of === 'all') return true;
  return of.kind === 'chosen' ? scope === 'all' : scopeKey({ kind: of.kind, id: of.id }) === scopeKey(scope);
}

/** A path may name a device or a server by the id of its registry, too. */
function scopeOf(
  path: string,
  toolRegistryManager: ToolRegistryManager,
  serverIdOf: HostRoutesOptions['serverIdOf'],
): ToolScope | undefined {
  if (path === '/mcp' || path === '/mcp/') return 'all';
  const [, kind, encoded = ''] = /^\/mcp\/(device|server)\/([^/]{1,600})$/.exec(path) ?? [];
  if (kind === undefined) return undefined;
  const id = decode(encoded);
  if (id === undefined) return undefined;
  if (kind === 'server') return { kind: 'mcp', id: serverIdOf(id) ?? id };
  const { source } = toolRegistryManager.getTool(id) ?? {};
  return { kind: 'device', id: source?.kind === 'device' ? source.id : id };
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
