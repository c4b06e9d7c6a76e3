import type { IncomingMessage } from 'node:http';
import { plainText } from './plainText.ts';

/** What a connecting device says of itself before its hello: headers, or the query of a browser (spec/xiaozhi.md §1.1). */
export interface DeviceCredentials {
  /** Lower case; absent where the device names none. */
  deviceId?: string;
  clientId?: string;
  userAgent?: string;
  /** Never logged. */
  token?: string;
}

/** Reads Device-Id, Client-Id, User-Agent and the Bearer token. A header wins over the query. */
export function readDeviceCredentials(request: IncomingMessage, url: URL): DeviceCredentials {
  const said = (name: string) => plainText(request.headers[name] ?? url.searchParams.get(name));
  const deviceId = said('device-id')?.toLowerCase();
  const clientId = said('client-id');
  const userAgent = plainText(request.headers['user-agent'], 128);
  const authorization = request.headers.authorization ?? url.searchParams.get('authorization') ?? '';
  const token = /^(?:Bearer )?(\S{1,512})$/.exec(authorization)?.[1];
  return {
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(token === undefined ? {} : { token }),
  };
}
