import { hostname, networkInterfaces } from 'node:os';

import type { ConnectionFacts, ListenerInfo } from '../api/types.ts';
import { networkAddresses } from './networkAddresses.ts';

/** Where devices find this machine: of each network where the listener is open to it, likeliest first; then loopback. */
export function deviceAddresses({ host, port }: Pick<ListenerInfo, 'host' | 'port'>): ConnectionFacts['addresses'] {
  const { network, loopback } = networkAddresses(networkInterfaces());
  return [...(isOpen(host) ? network : []), loopback].map((address) => ({
    ...address,
    ...deviceUrls(address.host, port),
  }));
}

/** The two addresses that devices know. */
export function deviceUrls(host: string, port: number): { otaUrl: string; webSocketUrl: string } {
  return { otaUrl: `http://${host}:${port}/xiaozhi/ota/`, webSocketUrl: `ws://${host}:${port}/xiaozhi/v1/` };
}

/** Names by which devices of the network may call this machine in `Host`, beside the address they reach. */
export function ownHostNames({ host }: Pick<ListenerInfo, 'host'>): string[] {
  if (!isOpen(host)) return [];
  const { network } = networkAddresses(networkInterfaces());
  return [...network.map((address) => address.host), hostname(), `${hostname()}.local`];
}

function isOpen(host: string): boolean {
  return host === '0.0.0.0';
}
