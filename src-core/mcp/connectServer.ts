import { statSync } from 'node:fs';

import { InsufficientScopeError, ProtocolError, UnauthorizedError } from '@modelcontextprotocol/client';

import { Connection, defaultMaxBytes } from './connection.ts';
import { fitsTransport, urlSchemes } from './urlSchemes.ts';
import { describeFailure } from './describeFailure.ts';
import { ConnectFailure, McpError, type ConnectFailureCode } from './errors.ts';
import { locateProgram } from './findProgram.ts';
import { modernRevision, openLink, type Link, type LinkOptions } from './openLink.ts';
import { maxSignIns, type WhileSigningIn } from './session.ts';
import { StdioTransport } from './stdioTransport.ts';
import { HttpTransport } from './httpTransport.ts';
import type { McpTransport } from './readMessages.ts';
import { isJsonObject } from '../base/json.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { WebSocketTransport } from './webSocketTransport.ts';
import type { CloseReason, ConnectOptions, McpConnection } from './types.ts';

/**
 * Connects to a server and negotiates the revision. A stdio server is asked in place; one that ends at the question is
 * started once more and spoken to as a legacy server; one that answers too late is started once more as a modern one.
 * @throws {ConnectFailure} If it cannot connect; nothing is left running then.
 */
export async function connectServer(asked: ConnectOptions): Promise<McpConnection> {
  const { onStep } = asked;
  if (asked.signal.aborted) throw cancelled();
  const endpoint =
    asked.endpoint.type === 'stdio' ? await checkProgram(asked.endpoint, asked) : checkUrl(asked.endpoint, asked);
  const options = { ...asked, endpoint };
  const ending = new AbortController();
  const untilEnd = (): AbortSignal => AbortSignal.any([options.signal, ending.signal]);
  const closing = Promise.withResolvers<CloseReason>();
  let connection: Connection | undefined = undefined;
  const attempts = new Attempts(options, {
    onNotification: (method, params) => connection?.notify(method, params),
    onClose: (transport) => closing.resolve(closeReason(transport, ending.signal.aborted)),
  });
  const link = await attempts
    .open(options.era === 'auto' && options.assumesLegacy === true ? 'legacy' : options.era)
    .catch(async (failed: AttemptError) => {
      if (options.era !== 'auto' || options.signal.aborted) throw failed;
      if (diedAtProbe(failed)) return { ...(await attempts.open('legacy')), ignoredProbe: true };
      if (isModernOnly(failed)) return attempts.open('modern');
      throw failed;
    })
    .then((opened) => (isLateModern(opened) ? attempts.restart('modern') : opened))
    .catch((failed: AttemptError) => {
      const failure = describeFailure(failed.cause, failed.transport, options);
      if (failure.step === 'initialize' && endpoint.type !== 'stdio' && !unanswered.has(failure.error.code))
        onStep?.({ step: 'reach', outcome: 'passed', facts: { url: endpoint.url } });
      onStep?.({ step: failure.step, outcome: 'failed', facts: failure.error.params });
      throw failure.error;
    });
  onStep?.({ step: 'initialize', outcome: 'passed', facts: { era: link.era, revision: link.revision } });
  connection = new Connection({
    options,
    link,
    reopen: (whileSigningIn) =>
      attempts.replace(link.era, untilEnd(), whileSigningIn).catch((failed: AttemptError) => {
        if (ending.signal.aborted) throw new McpError('connection-lost', 'The connection was closed.');
        const { error } = describeFailure(failed.cause, failed.transport, options);
        closing.resolve({ code: 'session-lost', detail: error.message, stderr: [] });
        throw new McpError('session-lost', `The session was lost: ${error.message}`, { cause: error });
      }),
    closed: closing.promise,
    async close() {
      ending.abort();
      await attempts.close();
      closing.resolve(closeReason(link.transport, true));
    },
  });
  return connection;
}

interface AttemptEvents extends Pick<LinkOptions, 'onNotification'> {
  /** The last link has ended. */
  onClose(transport: McpTransport): void;
}

/** The links of a connection, one after the other. */
class Attempts {
  readonly #options: ConnectOptions;
  readonly #events: AttemptEvents;
  /** The transport of the last link: its end is the end of the connection. */
  #current: McpTransport | undefined;
  readonly #opened = new Set<McpTransport>();

  constructor(options: ConnectOptions, events: AttemptEvents) {
    this.#options = options;
    this.#events = events;
  }

  /** @throws {AttemptError} */
  async open(
    era: ConnectOptions['era'],
    signal = this.#options.signal,
    whileSigningIn: WhileSigningIn = (signIn) => signIn(),
    signIns = 0,
  ): Promise<Link> {
    const { endpoint, onStep, maxMessageBytes: maxBytes = defaultMaxBytes, authProvider } = this.#options;
    const transport = createTransport(this.#options);
    this.#opened.add(transport);
    if (transport instanceof StdioTransport)
      transport.onstart = () => onStep?.({ step: 'process', outcome: 'passed', facts: { pid: transport.pid ?? 0 } });
    try {
      const { onNotification } = this.#events;
      const onClose = (): void => {
        if (transport === this.#current) this.#events.onClose(transport);
      };
      const linkOptions = { ...this.#options, era, maxBytes, onNotification, onClose };
      const link = await untilAborted(() => openLink(transport, linkOptions), signal);
      this.#current = transport;
      if (endpoint.type !== 'stdio') onStep?.({ step: 'reach', outcome: 'passed', facts: { url: endpoint.url } });
      return link;
    } catch (error) {
      await this.#end(transport);
      if (!asksForSignIn(error) || !authProvider || signIns === maxSignIns) throw new AttemptError(error, transport);
      // Here, the time limits of the negotiation do not run.
      const status = InsufficientScopeError.isInstance(error) ? 403 : 401;
      await whileSigningIn(() => authProvider.signIn(signal, status)).catch((failed: unknown) => {
        throw new AttemptError(failed, transport);
      });
      return this.open(era, signal, whileSigningIn, signIns + 1);
    }
  }

  /** Closes the last link, and opens another. @throws {AttemptError} */
  replace(era: ConnectOptions['era'], signal: AbortSignal, whileSigningIn: WhileSigningIn): Promise<Link> {
    this.#current = undefined;
    void this.close();
    return this.open(era, signal, whileSigningIn);
  }

  /** Opens another link once the last one is closed, whose process may hold what the next one needs. @throws {AttemptError} */
  async restart(era: ConnectOptions['era']): Promise<Link> {
    this.#current = undefined;
    await this.close();
    return this.open(era);
  }

  /** Closes all links. */
  async close(): Promise<void> {
    await Promise.all([...this.#opened].map((transport) => this.#end(transport)));
  }

  #end(transport: McpTransport): Promise<void> {
    return transport.close().finally(() => this.#opened.delete(transport));
  }
}

/** Failures after which it is not known whether the server was reached. */
const unanswered: ReadonlySet<ConnectFailureCode> = new Set(['cancelled', 'no-answer', 'probe-silence']);

function cancelled(): ConnectFailure {
  return new ConnectFailure('cancelled', 'The connection was cancelled.');
}

/** The error of an attempt, and the transport, which knows how the process ended. */
class AttemptError extends Error {
  readonly transport: McpTransport;

  constructor(cause: unknown, transport: McpTransport) {
    super('The attempt failed', { cause });
    this.transport = transport;
  }
}

/** A transport that was not started yet. */
export function createTransport({
  endpoint,
  observer,
  authProvider,
  maxMessageBytes = defaultMaxBytes,
  initializeTimeoutMs,
  junkTimeoutMs,
}: Pick<
  ConnectOptions,
  'endpoint' | 'observer' | 'authProvider' | 'maxMessageBytes' | 'initializeTimeoutMs' | 'junkTimeoutMs'
>): McpTransport {
  if (endpoint.type === 'stdio') return new StdioTransport(endpoint, observer, maxMessageBytes, junkTimeoutMs);
  if (endpoint.type === 'websocket') return new WebSocketTransport(endpoint, observer, maxMessageBytes);
  return new HttpTransport({ endpoint, observer, maxMessageBytes, openTimeoutMs: initializeTimeoutMs, authProvider });
}

function asksForSignIn(error: unknown): boolean {
  return UnauthorizedError.isInstance(error) || InsufficientScopeError.isInstance(error);
}

/** Some servers end at any request before `initialize`. */
function diedAtProbe({ transport }: AttemptError): boolean {
  const staysOpen = transport instanceof StdioTransport || transport instanceof WebSocketTransport;
  return staysOpen && transport.exitedByItself && transport.ignoredProbe === undefined;
}

/** It started too slowly for the probe, and has answered it and `initialize`: a modern server may support legacy clients, too. */
function isLateModern({ transport: { lateProbe } }: Link): boolean {
  const versions = isJsonObject(lateProbe) ? lateProbe['supportedVersions'] : undefined;
  return Array.isArray(versions) && versions.includes(modernRevision);
}

/** It was too slow for the probe, or has become modern since, and refuses `initialize`. */
function isModernOnly({ cause }: AttemptError): boolean {
  const data = ProtocolError.isInstance(cause) ? (cause.data as { supported?: unknown } | undefined) : undefined;
  return Array.isArray(data?.supported) && data.supported.includes(modernRevision);
}

/** Returns the endpoint to start: its PATH may have the directories of the login shell. */
async function checkProgram(
  configured: ConnectOptions['endpoint'] & { type: 'stdio' },
  { onStep, signal }: ConnectOptions,
): Promise<ConnectOptions['endpoint']> {
  const { command, cwd } = configured;
  const { endpoint, program: found } = await untilAborted(() => locateProgram(configured), signal, cancelled);
  if ('searched' in found) {
    onStep?.({ step: 'program', outcome: 'failed', facts: { command } });
    const text = `The program "${command}" was not found in ${found.searched.join(', ') || 'an empty PATH'}.`;
    throw new ConnectFailure('program-not-found', text, { params: { command }, searched: found.searched });
  }
  if (cwd !== undefined && !isFolder(cwd)) {
    onStep?.({ step: 'program', outcome: 'failed', facts: { command, cwd } });
    const reason = `The folder "${cwd}" does not exist.`;
    throw new ConnectFailure('program-not-startable', reason, { params: { command, reason } });
  }
  onStep?.({ step: 'program', outcome: 'passed', facts: { command, path: found.path } });
  return endpoint;
}

/** Without the URL in the failure: a part of it may be a secret. */
function checkUrl<T extends Exclude<ConnectOptions['endpoint'], { type: 'stdio' }>>(
  endpoint: T,
  { onStep }: ConnectOptions,
): T {
  if (fitsTransport(endpoint)) return endpoint;
  onStep?.({ step: 'reach', outcome: 'failed', facts: {} });
  const schemes = urlSchemes(endpoint.type).join(', ');
  throw new ConnectFailure('bad-url', `not one of ${schemes}`, { params: { schemes } });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function closeReason(transport: McpTransport, isClosing: boolean): CloseReason {
  const isProcess = transport instanceof StdioTransport;
  const code = isClosing ? 'closed' : isProcess ? 'process-exited' : 'connection-lost';
  const closeCode = transport instanceof WebSocketTransport ? transport.closeCode : undefined;
  return {
    code,
    stderr: [],
    ...(isProcess && { ...transport.end, stderr: [...transport.stderrTail] }),
    ...(closeCode !== undefined && { closeCode }),
  };
}
