import { localize } from '../../base/messages/localize.ts';
import type { Message } from '../../base/messages/message.ts';
import { RequestError } from '../../base/requestError.ts';
import { maxMcpMessageMib } from '../../contract/settings.ts';
import { SignInError } from '../../mcp/auth/types.ts';
import { ConnectFailure, McpError } from '../../mcp/errors.ts';
import type { CloseReason, WireNote } from '../../mcp/types.ts';
import { reasonMessage } from './reasonMessage.ts';

/** Failures that another attempt does not cure. */
const finalFailures: ReadonlySet<string> = new Set([
  'program-not-found',
  'program-not-startable',
  'unauthorized',
  'forbidden',
  'wrong-revision',
  'bad-url',
]);

/** Whether it is a failure of a sign-in that another attempt may cure: an authorization server did not answer, or failed. */
function isPassingSignIn({ code, params = {} }: Message): boolean {
  if (code === 'signIn.unreachable' || code === 'signIn.http-status') return true;
  const reason = String(params['error'] ?? params['reason']);
  return code?.startsWith('signIn.') === true && /^(server_error|temporarily_unavailable|5\d\d)$/.test(reason);
}

/** What may cure a failure: another attempt, a sign-in, or a change by the user. `message` is its `failureMessage`. */
export function remedyOf(error: unknown, message: Message): 'retry' | 'sign-in' | 'change' {
  const code = error instanceof ConnectFailure || error instanceof McpError ? error.code : '';
  if (message.code === 'servers.failed.blocked-port') return 'change';
  if (!finalFailures.has(code) || isPassingSignIn(message)) return 'retry';
  return code === 'unauthorized' && message.code !== 'signIn.no-oauth' ? 'sign-in' : 'change';
}

/** Characters of a line on stdout that is no message. */
const maxLine = 500;

/** Why a server cannot be used, and what to do about it. `mask` hides the secrets in what others said. */
export function failureMessage(error: unknown, mask: (text: string) => string): Message {
  if (error instanceof Error && error.cause instanceof SignInError) return error.cause.shown;
  const text = mask(error instanceof Error ? error.message : String(error));
  if (error instanceof McpError) return localize('servers.failed.lists', { reason: tooLargeMessage(error) ?? text });
  if (!(error instanceof ConnectFailure)) return { text };
  const { code, params, searched } = error;
  const fact = (name: string): string => mask(String(params[name] ?? ''));
  switch (code) {
    case 'program-not-found':
      return localize(`servers.failed.${code}`, {
        command: fact('command'),
        searched: mask(searched.join(', ')) || 'PATH',
      });
    case 'program-not-startable':
      return localize(`servers.failed.${code}`, { command: fact('command'), reason: reasonMessage(fact('reason')) });
    case 'process-exited':
      return localize(`servers.failed.${code}`, {
        how: howEnded(params),
        line: fact('line').slice(0, maxLine),
        hasStderr: error.stderr.length > 0,
      });
    case 'junk-on-stdout':
      return localize(`servers.failed.${code}`, { line: fact('line').slice(0, maxLine) });
    case 'bad-url':
      return localize(`servers.failed.${code}`, { schemes: fact('schemes') });
    case 'dns':
      return localize(`servers.failed.${code}`, { host: fact('host') });
    case 'tls':
      return params['instead'] === undefined
        ? localize(`servers.failed.${code}`, { host: fact('host'), reason: reasonMessage(fact('reason')) })
        : localize('servers.failed.not-tls', { host: fact('host'), port: fact('port'), instead: fact('instead') });
    case 'refused':
      return localize(`servers.failed.${code}`, { host: fact('host'), port: fact('port') });
    case 'unreachable':
      if (fact('reason') === 'bad port')
        return localize('servers.failed.blocked-port', { port: URL.parse(fact('url'))?.port ?? '' });
      return localize(`servers.failed.${code}`, { url: fact('url'), reason: reasonMessage(fact('reason')) });
    case 'unauthorized':
      return params['header'] === undefined
        ? localize(`servers.failed.${code}`)
        : localize('servers.failed.header-refused', { header: fact('header'), status: Number(params['status']) });
    case 'forbidden':
      return localize(`servers.failed.${code}`, { body: fact('body') });
    case 'http-status':
      return localize(Number(params['status']) < 500 ? `servers.failed.${code}` : 'servers.failed.server-error', {
        status: Number(params['status']),
        body: fact('body'),
      });
    case 'not-mcp':
      if (params['contentType'] !== undefined)
        return localize('servers.failed.content-type', { type: fact('contentType') });
      return localize(`servers.failed.${code}`, { reason: reasonMessage(fact('reason')) });
    case 'wrong-revision':
      return localize(`servers.failed.${code}`, { supported: fact('supported') });
    case 'probe-silence':
    case 'no-answer':
      return localize('servers.failed.silent', { seconds: Number(params['limitMs']) / 1_000 });
    case 'closed':
      return localize(`servers.failed.${code}`, { code: fact('closeCode') });
    case 'rpc':
      return localize(`servers.failed.${code}`, { reason: fact('reason') });
    case 'message-too-large':
      return overLimit(Number(params['maxBytes']));
    case 'cancelled':
      return { text };
    default:
      return localize(`servers.failed.${code}`);
  }
}

/** The message if an answer is longer than the setting allows. Undefined for any other error. */
function tooLargeMessage({ code, details: { maxBytes } }: McpError): Message | undefined {
  return code === 'too-large' && maxBytes !== undefined ? overLimit(maxBytes) : undefined;
}

function overLimit(maxBytes: number): Message {
  const canIncrease = maxBytes < maxMcpMessageMib * 1_048_576;
  return localize('servers.failed.message-too-large', { mib: inMib(maxBytes), canIncrease });
}

/** A limit of a message as the setting has it. */
export function inMib(maxBytes: number): string {
  return String(Number((maxBytes / 1_048_576).toPrecision(3)));
}

/** A note of a transport, in the words of the log. */
export function noteMessage(note: WireNote, mask: (text: string) => string): Message {
  switch (note.code) {
    case 'process-started':
      return localize('servers.note.process-started', { pid: String(note.pid) });
    case 'process-ended':
      return localize('servers.note.process-ended', { how: howEnded(note) });
    case 'request-failed':
      return localize('servers.note.request-failed', { reason: mask(note.reason) });
    case 'junk-on-stdout':
      return localize('servers.note.junk-on-stdout', { line: mask(note.line) });
    case 'late':
      return localize(note.isProgress ? 'servers.note.late-progress' : 'servers.note.late', { id: String(note.id) });
    case 'unknown-id':
      return localize('servers.note.unknown-id', { id: mask(note.id) });
  }
}

function howEnded({
  exitCode,
  exitSignal = '',
}: {
  exitCode?: string | number;
  exitSignal?: string | number;
}): Message {
  return exitCode === undefined
    ? localize('servers.exitSignal', { signal: String(exitSignal) })
    : localize('servers.exitCode', { code: String(exitCode) });
}

/** Passes on the answer of a server. @throws {RequestError} If the server refuses the request, or does not answer it. */
export async function answerOf<T>(request: Promise<T>, mask: (text: string) => string): Promise<T> {
  try {
    return await request;
  } catch (cause) {
    if (!(cause instanceof McpError) || cause.code === 'cancelled') throw cause;
    const { code, message, details } = cause;
    const text =
      code === 'rpc'
        ? localize('servers.requestRefused', {
            reason: mask(message.replace(/^MCP error -?\d+: /, '').replace(/\.$/, '')),
            code: String(details.rpcCode),
          })
        : localize('servers.requestFailed', { reason: tooLargeMessage(cause) ?? mask(message) });
    throw new RequestError(text, { cause });
  }
}

/** The code of a WebSocket that ended without being closed. */
const abnormalClose = 1006;

/** The end of a connection that Toolwire did not close. */
export function closeFailure({ code, detail, stderr, exitCode, exitSignal, closeCode }: CloseReason): ConnectFailure {
  const isClosed = closeCode !== undefined && closeCode !== abnormalClose;
  const facts = { exitCode, exitSignal, closeCode };
  const params = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  return new ConnectFailure(isClosed ? 'closed' : code, detail ?? `The connection ended: ${code}.`, {
    params: params as Record<string, string | number>,
    stderr,
  });
}
