import type { IncomingMessage } from 'node:http';
import { plainText, readDeviceId } from '../wire/plainText.ts';

/** How a device identifies itself before its hello (docs/protocols/xiaozhi.md). */
export interface DeviceCredentials {
  /** Lower case; absent if the device sends none. */
  deviceId?: string;
  clientId?: string;
  userAgent?: string;
  /** Never logged. */
  token?: string;
}

/**
 * Reads Device-Id, Client-Id, User-Agent and the Bearer token from the headers, and from `query` if it is given: a
 * browser cannot set headers on a WebSocket. A header wins. Other routes do not read a query: addresses end up in logs.
 */
export function readDeviceCredentials(request: IncomingMessage, query?: URLSearchParams): DeviceCredentials {
  const said = (name: string) => request.headers[name] ?? query?.get(name);
  const deviceId = readDeviceId(said('device-id'));
  const clientId = plainText(said('client-id'));
  const userAgent = plainText(request.headers['user-agent'], 128);
  const token = bearerToken(said('authorization'));
  return {
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(token === undefined ? {} : { token }),
  };
}

/** py-xiaozhi without a token sends Python's `None` as text (docs/protocols/xiaozhi.md#connecting). */
function bearerToken(authorization: unknown): string | undefined {
  if (typeof authorization !== 'string') return undefined;
  const token = authorization.replace(/^Bearer(?: +|$)/i, '');
  return token === 'None' || !/^\S{1,512}$/.test(token) ? undefined : token;
}
