import tls, { type PeerCertificate } from 'node:tls';
import type { ConnectionOptions, TlsOptions } from '@nats-io/transport-node';

import { serversOf } from '../../base/isBrokerAddress.ts';
import { isLoopback } from '../../server/address.ts';

/** ms in which a connection to the broker is made. */
const connectMs = 5_000;
/** ms between pings to the broker; two that are not answered end the connection. */
const pingMs = 2_000;

/** How the broker is reached. */
export interface BusAddress {
  /** `nats://` or `tls://`; several brokers of one cluster are separated by commas. May contain a user and a password. */
  url: string;
  /** The text of an nkey seed (`SU…`). A secret. */
  nkeySeed?: string;
  /** A file with the certificates of the authorities that are trusted; the system's by default. If it is given, TLS is required. */
  caFile?: string;
}

/** How the client of NATS connects the node with this name. */
export function connectionOptions({ url, caFile }: BusAddress, name: string): ConnectionOptions {
  const urls = url.split(',').map((one) => new URL(one.trim()));
  const withUser = urls.find(({ username }) => username !== '');
  // A broker may ask for TLS at nats:// as well.
  const usesTls = caFile !== undefined || urls.some(({ protocol }) => protocol === 'tls:');
  return {
    servers: serversOf(url),
    name,
    // The addresses of other brokers would be of other machines.
    ignoreClusterUpdates: !usesTls && urls.every(({ hostname }) => isThisMachine(hostname)),
    noEcho: true,
    pingInterval: pingMs,
    maxPingOut: 2,
    timeout: connectMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    // A broker that changes its users may refuse this node for a while.
    ignoreAuthErrorAbort: true,
    ...(withUser && { user: decodeURIComponent(withUser.username), pass: decodeURIComponent(withUser.password) }),
    ...(usesTls && { tls: tlsOptions(urls, caFile) }),
  };
}

/**
 * A broker that another broker names has a certificate for its own host name. NATS checks no name of a broker at an IP address, for which Node
 * substitutes `localhost`: the certificate of such a broker must have a host of the settings.
 */
function tlsOptions(urls: URL[], caFile: string | undefined): TlsOptions {
  const named = urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, ''));
  const checkServerIdentity = (host: string, certificate: PeerCertificate): Error | undefined => {
    const accepted = host === 'localhost' ? named : [...named, host];
    const errors = accepted.map((name) => tls.checkServerIdentity(name, certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  };
  const options = { checkServerIdentity, ...(caFile !== undefined && { caFile }) };
  return options;
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || isLoopback(hostname);
}
