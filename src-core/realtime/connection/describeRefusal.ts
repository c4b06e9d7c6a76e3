import { localNetworkAdvice } from '../../base/localNetworkAdvice.ts';
import { RealtimeConnectionError } from './connectionError.ts';

/** An upgrade that the server answered with an HTTP status, worded for whoever set the model up. */
export function describeRefusal(status: number, where: string): RealtimeConnectionError {
  if (status === 401)
    return final('The server refused the key (HTTP 401). Check the key of this realtime model.', 'key');
  if (status === 403)
    return final(
      `The key may not be used here (HTTP 403). Check the key, its region and its rights at ${where}.`,
      'key',
    );
  if (status === 404)
    return final(`There is no realtime model at ${where} (HTTP 404). Check the address and the model's name.`, 'url');
  // Those say themselves that a later attempt may do.
  const passing = status >= 500 || status === 408 || status === 425 || status === 429;
  const hint = passing ? 'Try again later.' : 'Check the address and the model of this realtime model.';
  const what = `${where} answered HTTP ${status} in place of a WebSocket. ${hint}`;
  return new RealtimeConnectionError(what, { final: !passing, field: 'url' });
}

/** A socket to `where` (host and port) that could not be opened. Of the error only its code is passed on. */
export function describeFailure(error: Error, where: string, platform?: NodeJS.Platform): RealtimeConnectionError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason =
    code === 'ECONNREFUSED'
      ? 'no program listens there'
      : code === 'ENOTFOUND' || code === 'EAI_AGAIN'
        ? 'the host has no address'
        : error.message.slice(0, 200);
  const hostname = where.replace(/:\d+$/, '');
  const advice = localNetworkAdvice(error, { hostname, platform }) ?? 'Check the address and the network.';
  const message = `No connection to ${where}: ${reason}. ${advice}`;
  return new RealtimeConnectionError(message, { final: false, field: 'url', cause: code === '' ? undefined : code });
}

/** The end of a connection that was open. Codes: 1008 is a policy, 3000 and 3003 are 401 and 403, as 4401 and 4403 usually are. */
export function describeClose(code: number, reason: string, where: string): RealtimeConnectionError {
  const said = reason === '' ? '' : `: ${reason}`;
  const hint = closeHint(code, reason);
  return new RealtimeConnectionError(`${where} closed the connection (${code}${said}).${hint}`, { final: hint !== '' });
}

/** What to do about an end that is final; empty for one that may pass. Codes from 4000 on are the server's own. */
function closeHint(code: number, reason: string): string {
  if (reason.includes('beta_api_shape_disabled'))
    return ' Choose the dialect OpenAI: this server has no beta events any more.';
  const isOwn = code >= 4000 && code < 5000;
  const isRefusal = [1008, 3000, 3003, 4401, 4403].includes(code);
  if (isRefusal || (isOwn && /key|auth|token|permission/i.test(reason))) return ' Check the key and the rights it has.';
  return isOwn ? ' The documentation of this server explains its code.' : '';
}

function final(message: string, field: string): RealtimeConnectionError {
  return new RealtimeConnectionError(message, { final: true, field });
}
