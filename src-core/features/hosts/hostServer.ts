import { randomUUID } from 'node:crypto';

import {
  McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type CallToolResult,
  type ClientCapabilities,
  type CompleteResult,
  type GetPromptResult,
  type McpRequestContext,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';

import * as z from 'zod';

import type { HostRow } from '../../contract/hosts.ts';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ToolProgress } from '../../base/toolTypes.ts';
import type { CallHost, HostQuestionOptions } from '../../registry/types.ts';
import { startHeartbeat } from './heartbeat.ts';
import { undeclared, type HostRequest, type RoundTripCall } from './hostCall.ts';
import {
  declaredCapabilities,
  declaredClient,
  missingFor,
  requireTasks,
  supportsTasks,
  tasksCapability,
} from './hostTasks.ts';
import type { OfferChange, OfferedPrompts, OfferedResources } from './offered.ts';
import type { RoundTrips } from './roundTrips.ts';

/** What a host is offered. */
export type HostOffered = Pick<HostRow, 'scope' | 'finds'>;

/** Who calls: an MCP client and the host that it belongs to. */
export interface CallingHost {
  /** The id of the token, or of the pipe. */
  id: string;
  /** What the user called it, or what it calls itself. */
  name: string;
  /** What a host without a token is offered. */
  offered?: HostOffered;
  /** Its connection. Undefined if a request does not state one, as over HTTP since 2026-07-28. */
  connection?: string;
}

/** One call of a host. */
export interface HostToolCall {
  name: string;
  args: JsonObject;
  caller: CallingHost;
  /** Aborts when the host cancels the call or disconnects. */
  signal: AbortSignal;
  /** What the host does for the tool. */
  host: CallHost;
  onProgress: (progress: ToolProgress) => void;
}

/** What our MCP server offers. */
export interface HostOffer {
  serverInfo: { name: string; version: string; title?: string };
  instructions?: () => string | undefined;
  tools(): Tool[];
  tool(name: string): Tool | undefined;
  /** Calls a tool. Resolves to undefined if no tool has that name. Rejects only if Toolwire itself fails. */
  call(call: HostToolCall): Promise<CallToolResult | undefined>;
  /** Records a call of a name that no tool has. Resolves to the reason, which may be that the tool is withheld. */
  refuse(call: Pick<HostToolCall, 'name' | 'args' | 'caller'>): Promise<string>;
  resources?: OfferedResources;
  prompts?: OfferedPrompts;
  /** Returns values for arguments of prompts and templates. */
  complete?(params: JsonObject): Promise<string[]> | string[];
  /** Calls the listener with each change. Returns the function that unsubscribes. */
  onChange(listener: (change: OfferChange) => void): () => void;
}

/** Called for each request with the known facts about the client. */
export interface SeenClient {
  era: 'legacy' | 'modern';
  name?: string;
  version?: string;
  revision?: string;
}

export interface HostServerOptions {
  offer: HostOffer;
  caller: CallingHost;
  era: McpRequestContext['era'];
  roundTrips: RoundTrips;
  clock: Pick<Clock, 'after' | 'now'>;
  onSeen?: (client: SeenClient) => void;
  /** The method of the only request. Undefined for the server of a connection. */
  method?: string | undefined;
}

/** ms that the host's user has for an answer. */
const askMs = 600_000;
/** Resources that one session follows. */
const maxSubscribed = 1_000;
/** Characters of the URI of such a resource. */
const maxUri = 2_000;

const taskParams = z.looseObject({ taskId: z.string() });

/** The server of one connection, or of one request of a host that speaks 2026-07-28. */
export class HostServer extends McpServer {
  readonly #offer: HostOffer;
  readonly #caller: CallingHost;
  readonly #era: SeenClient['era'];
  readonly #clock: HostServerOptions['clock'];
  readonly #subscribed = new Set<string>();
  #serving = 0;

  constructor({ offer, caller, era, roundTrips, clock, onSeen, method }: HostServerOptions) {
    const { resources, prompts, instructions } = offer;
    const own = { ttlMs: 5_000, cacheScope: 'private' as const };
    const text = instructions?.();
    super(offer.serverInfo, {
      capabilities: {
        tools: { listChanged: true },
        logging: {},
        ...(resources && { resources: { listChanged: true, subscribe: resources.updates !== false } }),
        ...(prompts && { prompts: { listChanged: true } }),
        ...(offer.complete && { completions: {} }),
        ...(era === 'modern' && tasksCapability),
      },
      ...(text !== undefined && { instructions: text }),
      cacheHints: {
        'tools/list': own,
        'prompts/list': own,
        'resources/list': own,
        'resources/templates/list': own,
        'resources/read': own,
        'server/discover': own,
      },
      requestState: { verify: roundTrips.verify },
    });
    this.#offer = offer;
    this.#caller = caller;
    this.#era = era;
    this.#clock = clock;
    const seen = (context?: ServerContext): void => onSeen?.(this.#client(context));
    this.server.oninitialized = () => seen();
    // Each handler takes time to add, and a server of one request needs one.
    const serves = (prefix: string): boolean => method === undefined || method.startsWith(prefix);
    if (serves('tools/')) this.#serveTools({ era, roundTrips, seen });
    if (resources && serves('resources/')) this.#serveResources(resources);
    if (prompts && serves('prompts/')) this.#servePrompts(prompts, { era, roundTrips });
    if (offer.complete && serves('completion/')) this.#serveCompletions(offer.complete);
    if (era === 'modern' && serves('tasks/')) this.#serveTasks(roundTrips);
  }

  /** The entry for 2026-07-28 checks the headers of a call against it before the call. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#offer.tool(name)?.inputSchema;
  }

  /** Whether a call or a prompt of a client before 2026-07-28 has no answer yet. */
  isServing(): boolean {
    return this.#serving > 0;
  }

  async #serve<T>(work: () => Promise<T>): Promise<T> {
    this.#serving += 1;
    try {
      return await work();
    } finally {
      this.#serving -= 1;
    }
  }

  /** Passes a change on to the client, unless it did not subscribe to it. */
  async notify(change: OfferChange): Promise<void> {
    if (change === 'tools') return this.server.sendToolListChanged();
    if (change === 'prompts') return this.server.sendPromptListChanged();
    if (change === 'resources') return this.server.sendResourceListChanged();
    // The SDK knows what a client since 2026-07-28 subscribed to.
    if (this.#era === 'modern' || this.#subscribed.has(change.updated))
      await this.server.sendResourceUpdated({ uri: change.updated });
  }

  #client(context: ServerContext | undefined): SeenClient {
    const { name, version } = this.server.getClientVersion() ?? declaredClient(context) ?? {};
    const revision = this.server.getNegotiatedProtocolVersion();
    return {
      era: this.#era,
      ...(name !== undefined && { name }),
      ...(version !== undefined && { version }),
      ...(revision !== undefined && { revision }),
    };
  }

  #serveTools(options: {
    era: SeenClient['era'];
    roundTrips: RoundTrips;
    seen: (context: ServerContext) => void;
  }): void {
    const { era, roundTrips, seen } = options;
    const caller = this.#caller;
    this.server.setRequestHandler('tools/list', (_request, context) => {
      seen(context);
      return { tools: this.#offer.tools() };
    });
    this.server.setRequestHandler('tools/call', async ({ params }, context) => {
      seen(context);
      const { name } = params;
      const args = (params.arguments ?? {}) as JsonObject;
      const tool = this.#offer.tool(name);
      const refusal = async (): Promise<ProtocolError> =>
        new ProtocolError(ProtocolErrorCode.InvalidParams, await this.#offer.refuse({ name, args, caller }));
      if (tool === undefined) throw await refusal();
      const missing: ClientCapabilities = {};
      const run = async (of: RequestOfHost, signal: AbortSignal): Promise<CallToolResult> => {
        using beats = startHeartbeat(of, tool.title ?? name, this.#clock);
        const host = this.#host(of, missing);
        const result = await this.#offer.call({ name, args, caller, signal, host, onProgress: beats.report });
        if (result === undefined) throw await refusal();
        if (era === 'modern' && Object.keys(missing).length > 0)
          throw new MissingRequiredClientCapabilityError({ requiredCapabilities: missing });
        return this.server.projectCallToolResult(result, tool.outputSchema);
      };
      if (era === 'legacy') return this.#serve(() => run(this.#pushing(context), context.mcpReq.signal));
      return roundTrips.serve({
        what: ['tools/call', name, args],
        context,
        isTool: true,
        run: (call) => run(roundTripping(context, call), call.signal),
      });
    });
  }

  #serveResources(resources: OfferedResources): void {
    const { server } = this;
    server.setRequestHandler('resources/list', async () => ({ resources: await resources.list() }));
    server.setRequestHandler('resources/templates/list', async () => ({
      resourceTemplates: (await resources.templates?.()) ?? [],
    }));
    server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
      const found = await resources.read(uri, mcpReq.signal);
      if (found !== undefined) return found;
      throw new ResourceNotFoundError(uri, `There is no resource ${uri}.`);
    });
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      if (uri.length > maxUri)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The URI has more than ${maxUri} characters.`);
      if (this.#subscribed.size >= maxSubscribed && !this.#subscribed.has(uri))
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `This session has ${maxSubscribed} subscriptions already. End one with resources/unsubscribe.`,
        );
      this.#subscribed.add(uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      this.#subscribed.delete(uri);
      return {};
    });
  }

  #servePrompts(prompts: OfferedPrompts, { era, roundTrips }: Pick<HostServerOptions, 'era' | 'roundTrips'>): void {
    this.server.setRequestHandler('prompts/list', async () => ({ prompts: await prompts.list() }));
    this.server.setRequestHandler('prompts/get', async ({ params }, context) => {
      const { name, arguments: args = {} } = params;
      const run = async (of: RequestOfHost, signal: AbortSignal): Promise<GetPromptResult> => {
        const found = await prompts.get(name, args, { signal, host: this.#host(of, {}) });
        if (found !== undefined) return found;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${name}".`);
      };
      if (era === 'legacy') return this.#serve(() => run(this.#pushing(context), context.mcpReq.signal));
      return roundTrips.serve({
        what: ['prompts/get', name, args],
        context,
        isTool: false,
        run: (call) => run(roundTripping(context, call), call.signal),
      });
    });
  }

  /** The Tasks extension: a slow call is answered with a task, and the host asks for its state. */
  #serveTasks({ tasks }: RoundTrips): void {
    const { server } = this;
    server.setRequestHandler('tasks/get', { params: taskParams }, ({ taskId }, context) => {
      requireTasks(context);
      return tasks.get(taskId);
    });
    server.setRequestHandler('tasks/update', { params: taskParams }, ({ taskId }, context) => {
      requireTasks(context);
      tasks.update(taskId, context.mcpReq.inputResponses ?? {});
      return {};
    });
    server.setRequestHandler('tasks/cancel', { params: taskParams }, ({ taskId }, context) => {
      requireTasks(context);
      tasks.cancel(taskId);
      return {};
    });
  }

  #serveCompletions(complete: NonNullable<HostOffer['complete']>): void {
    this.server.setRequestHandler('completion/complete', async ({ params }): Promise<CompleteResult> => {
      const values = await complete(params as unknown as JsonObject);
      return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } };
    });
  }

  /** A host before 2026-07-28 accepts requests of the server while its own request waits. */
  #pushing(context: ServerContext): RequestOfHost {
    const { signal: ended } = context.mcpReq;
    const declared = this.server.getClientCapabilities();
    return {
      declared,
      context: () => context,
      becomeTask: () => undefined,
      setProgress: () => undefined,
      async ask(request, { signal } = {}) {
        const missing = missingFor(request, declared);
        if (missing !== undefined) throw undeclared(missing);
        const either = signal === undefined ? ended : AbortSignal.any([signal, ended]);
        const options = { signal: either, timeout: askMs, resetTimeoutOnProgress: true };
        return (await context.mcpReq.send(withElicitationId(request), options)) as unknown as JsonObject;
      },
    };
  }

  #host({ declared, context, ask, becomeTask }: RequestOfHost, missing: ClientCapabilities): CallHost {
    const asks = (method: HostRequest['method'], kind: JsonObject = {}): CallHost['elicit'] =>
      missingFor({ method, params: kind }, declared) === undefined
        ? (params, options) => ask({ method, params }, options)
        : undefined;
    return {
      id: this.#caller.connection ?? this.#caller.id,
      // The host may have ended the stream; its call goes on.
      log: (level, data: JsonValue, logger) =>
        void context()
          ?.mcpReq.log(level, data, logger)
          .catch(() => undefined),
      closeStream: () => context()?.http?.closeSSE?.(),
      becomeTask,
      elicit: asks('elicitation/create'),
      elicitUrl: asks('elicitation/create', { mode: 'url' }),
      sample: asks('sampling/createMessage'),
      listRoots: declared?.roots && ((options) => ask({ method: 'roots/list', params: {} }, options)),
      require(capability) {
        const isDeclared = capability === 'tasks' ? supportsTasks(declared) : declared?.[capability] !== undefined;
        if (isDeclared) return;
        Object.assign(missing, capability === 'tasks' ? tasksCapability : { [capability]: {} });
        throw undeclared(capability);
      },
    };
  }
}

/** A request of a host, as the tools that it runs see it. */
interface RequestOfHost {
  declared: ClientCapabilities | undefined;
  /** The context of the open request, if there is one. */
  context: () => ServerContext | undefined;
  becomeTask: () => void;
  setProgress: (text: string) => void;
  ask: (request: HostRequest, options?: HostQuestionOptions) => Promise<JsonObject>;
}

/** Adds the id that a question with a URL needs before 2026-07-28. */
function withElicitationId({ method, params }: HostRequest): HostRequest {
  return params['mode'] === 'url' ? { method, params: { elicitationId: randomUUID(), ...params } } : { method, params };
}

function roundTripping(first: ServerContext, call: RoundTripCall): RequestOfHost {
  return {
    declared: declaredCapabilities(first),
    context: () => call.context,
    becomeTask: () => call.becomeTask(),
    setProgress: (text) => (call.progress = text),
    ask: (request, options) => call.ask(request, options),
  };
}
