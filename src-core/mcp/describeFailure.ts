import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  ProtocolError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

import { maskSecrets } from '../base/maskSecrets.ts';
import { SignInError } from './auth/types.ts';
import { ConnectFailure, McpError, type ConnectFailureCode } from './errors.ts';
import { bodyExcerpt, messageOf, networkCode } from './explainRequestError.ts';
import type { McpTransport } from './readMessages.ts';
import { StdioTransport } from './stdioTransport.ts';
import { UnexpectedStatusError } from './webSocketTransport.ts';
import type { ConnectOptions, ConnectStep } from './types.ts';

/** A failure, and the step of connecting that it belongs to. */
export interface DescribedFailure {
  error: ConnectFailure;
  step: ConnectStep['step'];
}

/** Revisions of a server that a failure names. */
const maxRevisions = 20;

type Params = Record<string, string | number>;

/** Explains the error of an attempt to connect, with what the transport knows in addition. */
export function describeFailure(cause: unknown, transport: McpTransport, options: ConnectOptions): DescribedFailure {
  const { signal, endpoint } = options;
  const stderr = transport instanceof StdioTransport ? [...transport.stderrTail] : [];
  const fail = (step: ConnectStep['step'], code: ConnectFailureCode, message: string, params: Params = {}) => ({
    step,
    error: new ConnectFailure(code, message, { params, stderr, cause }),
  });
  if (signal.aborted) return fail('initialize', 'cancelled', 'The connection was cancelled.');
  if (cause instanceof ConnectFailure) return { step: 'reach', error: cause };
  if (cause instanceof SignInError) return fail('initialize', 'unauthorized', cause.message, { status: 401 });
  if (cause instanceof McpError && cause.code === 'too-large')
    return fail('initialize', 'message-too-large', cause.message, { maxBytes: cause.details.maxBytes ?? 0 });
  if (transport instanceof StdioTransport) {
    const found = describeProcess(cause, transport, endpoint);
    if (found) return fail(...found);
  } else {
    const found = describeNetwork(cause, endpoint);
    if (found) return fail(...found);
  }
  const [code, message, params] = describeHandshake(cause, options);
  const isRefusedHeader = code === 'unauthorized' && hasAuthorization(endpoint);
  return fail('initialize', code, message, isRefusedHeader ? { ...params, header: 'Authorization' } : params);
}

/** Whether the user has set the header that replaces a sign-in. */
export function hasAuthorization(endpoint: ConnectOptions['endpoint']): boolean {
  if (endpoint.type === 'stdio') return false;
  return Object.keys(endpoint.headers).some((name) => name.toLowerCase() === 'authorization');
}

type Described = [step: ConnectStep['step'], code: ConnectFailureCode, message: string, params?: Params];

function describeProcess(
  cause: unknown,
  { end, junk: line, exitedByItself }: StdioTransport,
  endpoint: ConnectOptions['endpoint'],
): Described | undefined {
  const command = endpoint.type === 'stdio' ? endpoint.command : '';
  if (isSpawnError(cause))
    return [
      'process',
      'program-not-startable',
      `"${command}" cannot be started: ${messageOf(cause)}`,
      { command, reason: messageOf(cause) },
    ];
  if (exitedByItself) {
    const how = end.exitCode === undefined ? `signal ${end.exitSignal}` : `exit code ${end.exitCode}`;
    const shown = line === undefined ? '' : ` It wrote on stdout: ${line}`;
    const params: Params = { ...end, ...(line !== undefined && { line }) };
    return ['process', 'process-exited', `The process ended before it answered (${how}).${shown}`, params];
  }
  if (line !== undefined)
    return [
      'initialize',
      'junk-on-stdout',
      `The process writes lines to stdout that are not JSON-RPC: ${line}`,
      { line },
    ];
  return undefined;
}

function isSpawnError(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause && String(cause.syscall).startsWith('spawn');
}

const tlsCode = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)|^EPROTO$/;

function describeNetwork(cause: unknown, endpoint: ConnectOptions['endpoint']): Described | undefined {
  if (endpoint.type === 'stdio') return undefined;
  const { hostname: host, port, protocol } = new URL(endpoint.url);
  const url = maskSecrets(endpoint.url);
  const code = networkCode(cause);
  const whole = messageOf(cause);
  // For example a port that `fetch` does not open.
  if (code === undefined && !whole.includes('fetch failed')) return undefined;
  const reason = withoutPrefixes(whole).replace(/^(?:fetch failed: )+/, '');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return ['reach', 'dns', `The host "${host}" is not known.`, { host }];
  const at = port || (/^(https|wss):$/.test(protocol) ? '443' : '80');
  if (code !== undefined && tlsCode.test(code)) {
    const [, inner] = /:SSL routines:[^:]*:([^:]+):/.exec(reason) ?? [];
    if (inner === 'wrong version number' || inner === 'packet length too long') {
      const instead = protocol === 'wss:' ? 'ws://' : 'http://';
      return ['reach', 'tls', `${host}:${at} does not use TLS.`, { host, port: at, instead, reason: inner }];
    }
    const shown = inner ?? reason;
    return ['reach', 'tls', `No secure connection to "${host}": ${shown}`, { host, reason: shown }];
  }
  if (code === 'ECONNREFUSED') return ['reach', 'refused', `Nothing answers at ${host}:${at}.`, { host, port: at }];
  return ['reach', 'unreachable', `${url} cannot be reached: ${reason}`, { url, reason }];
}

/** A reason that the SDK repeats behind its own words. */
function withoutPrefixes(text: string): string {
  const reason = text.replace(
    /^Version negotiation probe failed: (?:the server answered with an unusable reply \(.*\): )?/s,
    '',
  );
  // The message of a schema is JSON of many lines.
  const [, method, issues] = /^(?:Invalid result for (\S+): )?(\[\n.+)$/s.exec(reason) ?? [];
  if (issues === undefined) return reason;
  const fields = method === undefined ? [] : fieldsOf(issues);
  if (method === undefined || fields.length === 0) return 'its fields are not those of MCP';
  return `its answer to ${method} has no valid ${fields.join(', ')}`;
}

/** The fields that a schema refuses, by the JSON of its message. */
function fieldsOf(issues: string): string[] {
  try {
    return (JSON.parse(issues) as { path: string[] }[]).map(({ path }) => path.join('.'));
  } catch {
    return [];
  }
}

function describeHandshake(cause: unknown, options: ConnectOptions): [ConnectFailureCode, string, Params?] {
  const reason = withoutPrefixes(messageOf(cause));
  if (cause instanceof UnexpectedStatusError) return describeStatus(cause.status, '');
  if (SseError.isInstance(cause) && cause.code !== undefined && cause.code !== 200)
    return describeStatus(cause.code, '');
  if (UnauthorizedError.isInstance(cause)) return ['unauthorized', 'The server asks for a sign-in.', { status: 401 }];
  if (InsufficientScopeError.isInstance(cause))
    return ['unauthorized', 'The server asks for more rights.', { status: 403 }];
  if (SdkHttpError.isInstance(cause))
    return describeStatus(cause.status, bodyExcerpt(String(cause.data.text ?? ''), options.mask));
  if (ProtocolError.isInstance(cause)) {
    const { supported } = (cause.data ?? {}) as { supported?: unknown };
    if (Array.isArray(supported)) return ['wrong-revision', reason, { supported: namedRevisions(supported) }];
    return ['rpc', `The server refused: ${reason}`, { rpcCode: cause.code, reason }];
  }
  if (SdkError.isInstance(cause) && cause.code === SdkErrorCode.RequestTimeout) {
    const limitMs = (cause.data as { timeout?: number } | undefined)?.timeout ?? options.initializeTimeoutMs ?? 60_000;
    const isProbe = /probe/.test(cause.message);
    return [isProbe ? 'probe-silence' : 'no-answer', `The server did not answer within ${limitMs} ms.`, { limitMs }];
  }
  if (SdkError.isInstance(cause) && cause.code === SdkErrorCode.ConnectionClosed)
    return ['closed', 'The other side closed the connection.'];
  if (options.era === 'modern' && SdkError.isInstance(cause) && cause.code === SdkErrorCode.EraNegotiationFailed)
    return ['wrong-revision', `The server does not speak 2026-07-28: ${reason}`, { supported: '' }];
  const answered = /^Server's protocol version is not supported: (.*)/.exec(reason)?.[1];
  if (answered !== undefined) return ['wrong-revision', reason, { supported: namedRevisions([answered]) }];
  const contentType = /^Unexpected content type: ([^\s;]+)/.exec(reason)?.[1];
  const params: Params = contentType === undefined ? { reason } : { reason, contentType };
  return ['not-mcp', `The server's answer is not valid MCP: ${reason}`, params];
}

/** The revisions that a server names. Anything else that it writes in their place is omitted. */
function namedRevisions(supported: unknown[]): string {
  const isRevision = (each: unknown): boolean => typeof each === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(each);
  return supported.filter(isRevision).slice(0, maxRevisions).join(', ');
}

function describeStatus(status: number, body: string): [ConnectFailureCode, string, Params] {
  if (status === 401) return ['unauthorized', 'The server asks for a sign-in.', { status }];
  if (status === 403) return ['forbidden', 'The server denies access (403).', { status, body }];
  return ['http-status', `The server answered with the status ${status}.`, { status, body }];
}
