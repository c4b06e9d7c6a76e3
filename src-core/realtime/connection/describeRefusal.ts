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

/** A socket that could not be opened, worded; no part of the error but its code is passed on. */
export function describeFailure(error: Error, where: string): RealtimeConnectionError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason =
    code === 'ECONNREFUSED'
      ? 'nobody listens there'
      : code === 'ENOTFOUND' || code === 'EAI_AGAIN'
        ? 'the host has no address'
        : error.message.slice(0, 200);
  const message = `No connection to ${where}: ${reason}. Check the address and the network.`;
  return new RealtimeConnectionError(message, { final: false, field: 'url', cause: code === '' ? undefined : code });
}

function final(message: string, field: string): RealtimeConnectionError {
  return new RealtimeConnectionError(message, { final: true, field });
}
