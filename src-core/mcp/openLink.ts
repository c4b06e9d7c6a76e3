import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type ClientCapabilities,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';

import { isJsonObject, type JsonObject } from '../base/json.ts';
import { createDeadline } from './createDeadline.ts';
import { createRequests, faultError, type Requests } from './createRequests.ts';
import { McpError } from './errors.ts';
import { explainRequestError, networkCode } from './explainRequestError.ts';
import { isInputRequest, refusalOf } from './fulfilInputs.ts';
import { longestNote, type McpTransport } from './readMessages.ts';
import { tasksExtension } from './tasks.ts';
import type { ConnectOptions, InContext, ProtocolEra, RequestUser } from './types.ts';

/** One negotiated connection over one transport. A lost HTTP session ends it; the connection opens another then. */
export interface Link {
  client: Client;
  transport: McpTransport;
  requests: Requests;
  era: ProtocolEra;
  revision: string;
  ignoredProbe: boolean;
}

export interface LinkOptions extends ConnectOptions {
  era: 'auto' | ProtocolEra;
  maxBytes: number;
  onNotification(method: string, params: JsonObject): void;
  onClose(): void;
}

const defaultProbeMs = 3000;
const defaultInitializeMs = 60_000;
/** Longer than `fetch` waits for a host that does not answer, 10 s. */
const checkMs = 30_000;
/** The SDK's error for an answer to none of its requests. */
const unknownAnswer = /^Received a response for an unknown message ID: (\{.*\})$/s;
/** Characters of an unknown id that are shown. */
const maxId = 100;
/** The code of the error with which a user refuses a reply of a model. */
const refusal = -1;
export const modernRevision = '2026-07-28';

/** Negotiates over a transport that was not started yet. Throws what the SDK or the transport throws. */
export async function openLink(transport: McpTransport, options: LinkOptions): Promise<Link> {
  const { observer, mask } = options;
  const client = createClient(options);
  const opened: { requests?: Requests } = {};
  client.onerror = ({ message }) => {
    const unknown = unknownAnswer.exec(message)?.[1];
    if (unknown === undefined) return observer.onNote('note', `Error: ${message.slice(0, longestNote)}`);
    const id = JSON.stringify((JSON.parse(unknown) as { id: unknown }).id).slice(0, maxId);
    observer.onNote('note', `An answer with the unknown id ${id} arrived`, { code: 'unknown-id', id });
    opened.requests?.unmatched(`its id is ${id}`);
  };
  client.onclose = () => {
    opened.requests?.end(new McpError('connection-lost', 'The connection was lost.'));
    options.onClose();
  };
  serveRequests(client, options, opened);
  client.fallbackNotificationHandler = ({ method, params }) => {
    options.onNotification(method, (params ?? {}) as JsonObject);
    return Promise.resolve();
  };
  const tooLarge = Promise.withResolvers<never>();
  transport.onfault = (fault) => {
    if (fault.code === 'too-large') tooLarge.reject(faultError(fault, options.maxBytes));
  };
  const connecting = client.connect(transport, { timeout: options.initializeTimeoutMs ?? defaultInitializeMs });
  await Promise.race([connecting, tooLarge.promise]);
  const isModern = client.getProtocolEra() === 'modern';
  const revision = client.getNegotiatedProtocolVersion() ?? '';
  const requests = createRequests({
    transport,
    isModern,
    envelope: () => ({
      [PROTOCOL_VERSION_META_KEY]: revision,
      [CLIENT_INFO_META_KEY]: { ...options.clientInfo },
      [CLIENT_CAPABILITIES_META_KEY]: capabilitiesOf(options) as JsonObject,
    }),
    onLate(late) {
      const { params, id: answered } = late;
      const isProgress = isJsonObject(params);
      const id = Number(isProgress ? params['progressToken'] : answered);
      const what = isProgress ? 'Progress for' : 'The answer to';
      observer.onNote('note', `${what} request ${id} arrived after the call had ended`, {
        code: 'late',
        isProgress,
        id,
      });
    },
    explain(error, id) {
      if (networkCode(error) !== undefined) void closeIfGone();
      return explainRequestError(error, { transport, id, mask });
    },
  });
  const closeIfGone = createCheck(requests, transport, isModern);
  opened.requests = requests;
  interceptAnswers(transport, requests, options.maxBytes);
  return {
    client,
    transport,
    requests,
    era: isModern ? 'modern' : 'legacy',
    revision,
    ignoredProbe: transport.ignoredProbe ?? false,
  };
}

/**
 * Returns what closes the transport if a further request fails as well: nothing else shows that an HTTP server has ended, and one request
 * may be cut by a proxy.
 */
function createCheck(requests: Requests, transport: McpTransport, isModern: boolean): () => Promise<void> {
  let isChecking = false;
  return async () => {
    if (isChecking) return;
    isChecking = true;
    const deadline = createDeadline({ timeoutMs: checkMs });
    try {
      await requests.send(isModern ? 'server/discover' : 'ping', {}, { signal: deadline.expired, deadline });
    } catch (error) {
      if (networkCode(error) !== undefined) await transport.close();
    } finally {
      deadline.clear();
      isChecking = false;
    }
  };
}

function createClient(options: LinkOptions): Client {
  const { era, endpoint, clientInfo } = options;
  const { probeTimeoutMs = defaultProbeMs, initializeTimeoutMs = defaultInitializeMs } = options;
  // Without a fallback, the probe is what `initialize` is to a legacy server. Over HTTP, a legacy server refuses it and is not silent.
  const probeIsStart = era === 'modern' || endpoint.type === 'http' || endpoint.type === 'sse';
  return new Client(clientInfo, {
    capabilities: capabilitiesOf(options),
    versionNegotiation:
      era === 'legacy'
        ? { mode: 'legacy' }
        : {
            mode: era === 'modern' ? { pin: modernRevision } : 'auto',
            probe: { timeoutMs: probeIsStart ? initializeTimeoutMs : probeTimeoutMs, maxRetries: 0 },
          },
  });
}

function capabilitiesOf({ era, handlers, extensions }: LinkOptions): ClientCapabilities {
  return {
    ...(handlers.elicit && { elicitation: { form: {}, url: {} } }),
    ...(handlers.sample && { sampling: { tools: {} } }),
    ...(handlers.listRoots && { roots: { listChanged: true } }),
    // A legacy server has tasks of its own kind.
    ...(era === 'legacy' ? extensions && { extensions } : { extensions: { [tasksExtension]: {}, ...extensions } }),
  };
}

/** A request for the user's answer, which may name the task of its call. */
interface Asked {
  method: string;
  params: { _meta?: { [RELATED_TASK_META_KEY]?: { taskId: string } | undefined } | undefined };
}

/** Requests that a legacy server sends. While the user answers one, our requests that were running when it arrived do not time out. */
function serveRequests(client: Client, { handlers }: LinkOptions, opened: { requests?: Requests }): void {
  const { elicit, sample, listRoots } = handlers;
  const ask = <T extends object>(
    { method, params }: Asked,
    signal: AbortSignal,
    run: (signal: AbortSignal, contexts?: readonly InContext[], user?: RequestUser) => Promise<T>,
  ): Promise<T> => {
    const taskId = params._meta?.[RELATED_TASK_META_KEY]?.taskId;
    const asked = opened.requests?.whileAsked({ taskId }, async (ended, calls, user) => {
      const [only, ...others] = calls;
      const report = (answer: object): void => {
        const round = { key: '', method, params: params as JsonObject, answer: answer as JsonObject };
        if (others.length === 0) only?.options.onRound?.([round]);
      };
      try {
        const answer = await run(
          AbortSignal.any([signal, ended]),
          [...calls].map(({ inContext }) => inContext),
          user,
        );
        report(answer);
        return answer;
      } catch (error) {
        // What the user was not asked, such as one question too many, is no answer of the user.
        if (signal.aborted || ended.aborted) report({ action: 'cancel' });
        else if ((error as { code?: unknown }).code === refusal) report({ action: 'decline' });
        throw error;
      }
    });
    return asked ?? run(signal);
  };
  if (elicit)
    client.setRequestHandler('elicitation/create', (request, { mcpReq }) =>
      ask(
        request,
        mcpReq.signal,
        (signal, contexts, user) => user?.elicit(request.params, signal) ?? elicit(request.params, signal, contexts),
      ),
    );
  if (sample)
    client.setRequestHandler('sampling/createMessage', (request, { mcpReq }) =>
      ask(request, mcpReq.signal, (signal, contexts) => sample(request.params, signal, contexts)),
    );
  if (listRoots) client.setRequestHandler('roots/list', async () => ({ roots: await listRoots() }));
  client.fallbackRequestHandler = ({ method }) => {
    const isRefused = isInputRequest(method);
    if (isRefused) opened.requests?.refused(method);
    const text = isRefused ? refusalOf(method, handlers) : 'Method not found';
    return Promise.reject(new ProtocolError(ProtocolErrorCode.MethodNotFound, text));
  };
}

/** Answers to our own requests and their progress go past the client, which has connected the transport to itself. */
function interceptAnswers(transport: McpTransport, requests: Requests, maxBytes: number): void {
  const toClient = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if (!requests.handleMessage(message as unknown as JsonObject)) toClient?.(message, extra);
  };
  transport.onfault = (fault) => requests.fail(fault, maxBytes);
}
