import { STATUS_CODES } from 'node:http';

import { describeThrown } from '../../../base/describeThrown.ts';
import type { JsonObject } from '../../../base/json.ts';
import { localNetworkAdvice } from '../../../base/localNetworkAdvice.ts';
import { ChatModelError } from '../chatModel.ts';
import type { ChatModelErrorCode } from '../../../contract/types.ts';
import type { Mask } from './createMask.ts';
import { cutLongTexts } from './cutLongText.ts';
import type { ExchangeRecorder } from './exchangeRecorder.ts';
import { serverMessage } from './serverMessage.ts';

/** What is wrong, in words for the user. */
interface Explained {
  code: ChatModelErrorCode;
  message: string;
  details?: JsonObject;
}

export interface FailureOptions {
  recorder: ExchangeRecorder;
  mask: Mask;
  /** What was asked for. */
  wanted: 'chat completion' | 'list of models';
  /** `process.platform` by default. */
  platform?: NodeJS.Platform;
  /** What to do about a refused key; the place in Settings unless set. */
  keyAdvice?: string | undefined;
}

/** Explains a request's failure from its recorded exchange rather than from the error that a layer threw. */
export function explainFailure(error: unknown, options: FailureOptions): ChatModelError {
  const { recorder, mask } = options;
  const exchange = recorder.exchange();
  const { code, message, details } = ownError(error) ?? explain(error, options);
  return new ChatModelError(code, mask.text(message), {
    details: cutLongTexts(details ?? {}, mask.text) as JsonObject,
    exchange,
  });
}

/** Our own error, also if the SDK has wrapped it: an error of the stream that it reads first becomes a `cause`. */
function ownError(error: unknown): ChatModelError | undefined {
  let found = error;
  for (let depth = 0; depth < 8 && found instanceof Error; depth += 1) {
    if (found instanceof ChatModelError) return found;
    found = found.cause;
  }
  return undefined;
}

function explain(error: unknown, { recorder, wanted, platform, keyAdvice }: FailureOptions): Explained {
  const exchange = recorder.exchange();
  const answer = recorder.answer;
  if (exchange === undefined) return { code: 'answer', message: describeThrown(error) };
  if (timeoutCodes.has(codeOf(error) ?? '')) return ownTimeout(error);
  if (answer === undefined) return unreachable(error, exchange.request.url, platform);
  const { status, headers } = answer;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null) {
    return {
      code: 'http',
      message: `The server answered ${statusText(status)} and points to ${location}. Set that as the address if you trust it.`,
      details: { status, location },
    };
  }
  if (recorder.state === 'too-large') return { code: 'too-large', message: 'The server’s answer is over 16 MB.' };
  if (status < 200 || status > 299) return refused({ status, headers, body: recorder.body, keyAdvice });
  if (recorder.state === 'cut')
    return { code: 'stream', message: `The connection was cut during the answer (${rootMessage(error)}). Try again.` };
  return { code: 'answer', message: notWanted(wanted, recorder.body, error) };
}

/** Node's own limits for an answer's headers and for the next bytes of its body, which apply if ours are longer. */
const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

function ownTimeout(error: unknown): Explained {
  return {
    code: 'timeout',
    message: `The model’s server sent nothing for too long (${rootMessage(error)}). Try again.`,
  };
}

function refused({
  status,
  headers,
  body,
  keyAdvice,
}: {
  status: number;
  headers: Headers;
  body: string;
  keyAdvice: string | undefined;
}): Explained {
  const said = serverMessage(body);
  const retryAfter = headers.get('retry-after');
  return {
    code: 'http',
    message: [
      `The server answered ${statusText(status)}${said === '' ? '.' : `: ${said}${/[.!?。！？…]$/.test(said) ? '' : '.'}`}`,
      adviceFor(status, keyAdvice),
      retryAfter === null ? '' : `It says to try again after ${retryAfter}${/^\d+$/.test(retryAfter) ? ' s' : ''}.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
    details: { status, message: said, ...(retryAfter !== null && { retryAfter }) },
  };
}

function adviceFor(status: number, keyAdvice = 'Check the key in Settings → Models.'): string {
  if (status === 401 || status === 403) return keyAdvice;
  if (status === 404) return 'Check the address and the name of the model.';
  return '';
}

function unreachable(error: unknown, url: string, platform: NodeJS.Platform | undefined): Explained {
  const why = rootMessage(error);
  const { hostname = '', port = '' } = URL.parse(url) ?? {};
  const blocked = why === 'bad port' ? `Node.js and browsers block port ${port}. Choose another port.` : undefined;
  const localNetwork = localNetworkAdvice(error, { hostname, platform });
  const advice = blocked ?? localNetwork ?? 'Check that it is running and that the address is correct.';
  return {
    code: 'unreachable',
    message: `The model’s server cannot be reached at ${url}: ${why}. ${advice}`,
    details: { url, cause: codeOf(error) ?? why },
  };
}

function notWanted(wanted: string, body: string, error: unknown): string {
  const said = serverMessage(body).slice(0, 200);
  const why = describeThrown(error).slice(0, 200);
  const whole = /^\s*\{[\s\S]*"choices"\s*:\s*\[\s*\{/.test(body);
  const advice = whole ? ' It answers in one piece: switch streaming off for this model.' : '';
  return `The answer of the server is not a ${wanted} (${why}).${advice} It sent: ${said === '' ? 'nothing' : said}`;
}

function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/**
 * The message of the innermost cause, since `fetch failed` does not explain anything. Of an error of the system, its code: the
 * message repeats the address.
 */
function rootMessage(error: unknown): string {
  let found = error;
  for (let depth = 0; depth < 8 && found instanceof Error && found.cause instanceof Error; depth += 1)
    found = found.cause;
  // Node tries several addresses of one name and collects their errors.
  if (found instanceof AggregateError && found.errors.length > 0) found = found.errors[0];
  const code = found instanceof Error && 'syscall' in found ? codeOf(found) : undefined;
  return code ?? describeThrown(found);
}

function codeOf(error: unknown): string | undefined {
  let found = error;
  for (let depth = 0; depth < 8 && found instanceof Error; depth += 1) {
    if ('code' in found && typeof found.code === 'string') return found.code;
    found = found.cause;
  }
  return undefined;
}
