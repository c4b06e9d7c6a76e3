import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../../server/address.ts';
import { clientOf } from '../../../server/proxied.ts';
import type { DeviceCredentials } from '../entry/deviceCredentials.ts';

/** Who speaks, before a word of it is believed. */
export interface DevicePeer extends Pick<DeviceCredentials, 'clientId' | 'userAgent'> {
  address: string;
  /** From another machine: it shows a token and waits for approval. */
  remote: boolean;
}

/** Tells whether an address is this machine's own. */
export type IsLocal = (address: string) => boolean;

/** Who sent a request. */
export function devicePeer(
  request: IncomingMessage,
  { clientId, userAgent }: DeviceCredentials,
  isLocal: IsLocal = isLoopback,
): DevicePeer {
  const { address, isForwarded } = clientOf(request);
  return {
    address,
    remote: isForwarded || !isLocal(address),
    ...(clientId === undefined ? {} : { clientId }),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
}
