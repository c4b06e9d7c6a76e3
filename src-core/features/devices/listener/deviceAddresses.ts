import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

import type { ProxySettings } from '../../../contract/cluster.ts';
import type { ConnectionFacts, ListenerInfo, WorkbenchInfo } from '../../../contract/types.ts';
import { anyAddress, isLoopback, urlHost } from '../../../server/address.ts';
import { networkAddresses, type NetworkAddress } from './networkAddresses.ts';

/**
 * The addresses for devices: the public one if there is one, then this machine's, one for each network that can reach it, likeliest
 * first; then loopback.
 */
export function deviceAddresses(
  { host, port }: Pick<ListenerInfo, 'host' | 'port'>,
  publicUrl = '',
): ConnectionFacts['addresses'] {
  const own = [...openAddresses(host), networkAddresses(networkInterfaces()).loopback].map((address) => ({
    ...address,
    ...deviceUrls(address.host, port),
  }));
  if (publicUrl === '') return own;
  return [{ host: new URL(publicUrl).host, interface: '', isPublic: true, ...urlsAt(publicUrl) }, ...own];
}

/** The OTA and WebSocket addresses for devices. */
export function deviceUrls(host: string, port: number): { otaUrl: string; webSocketUrl: string } {
  return urlsAt(`http://${host}:${port}`);
}

function urlsAt(origin: string): { otaUrl: string; webSocketUrl: string } {
  return { otaUrl: `${origin}/xiaozhi/ota/`, webSocketUrl: `${origin.replace(/^http/, 'ws')}/xiaozhi/v1/` };
}

/** The origin of the URLs that a device is sent: of another machine the public one, or else the address that it reached. */
export function originFor({ socket }: IncomingMessage, { remote }: { remote: boolean }, publicUrl = () => ''): string {
  const { localAddress = '127.0.0.1', localPort = 0 } = socket;
  return (remote && publicUrl()) || `http://${urlHost(localAddress)}:${localPort}`;
}

/** Names by which devices of the network may call this machine in `Host`, beside the address they reach. */
export function ownHostNames({ host }: Pick<ListenerInfo, 'host'>): string[] {
  if (isLoopback(host)) return [];
  return [...openAddresses(host).map((address) => address.host), hostname(), `${hostname()}.local`];
}

/** The addresses of networks at which a listener on `host` is reached, likeliest first. */
function openAddresses(host: string): NetworkAddress[] {
  if (isLoopback(host)) return [];
  const interfaces = networkInterfaces();
  if (host === anyAddress) return networkAddresses(interfaces).network;
  const name = Object.keys(interfaces).find((each) => interfaces[each]?.some(({ address }) => address === host));
  return [{ host, interface: name ?? '' }];
}

/** The device listener with the URLs for devices, and what was set at the start. */
export function listenerFacts(
  info: ListenerInfo,
  { deviceHost, proxy }: { deviceHost?: string | undefined; proxy?: ProxySettings | undefined },
  publicUrl: string,
): WorkbenchInfo['device'] {
  const addresses = deviceAddresses(info, publicUrl);
  const { otaUrl, webSocketUrl } = addresses[0] ?? deviceUrls('127.0.0.1', info.port);
  const otaUrls = addresses.filter(({ isPublic }) => !isPublic).map((address) => address.otaUrl);
  return {
    ...info,
    ...(deviceHost !== undefined && { isHostFixed: true }),
    ...(proxy !== undefined && { fixedProxy: proxy }),
    otaUrl,
    otaUrls,
    webSocketUrl,
  };
}
