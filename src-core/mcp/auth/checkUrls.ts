import { BlockList, isIP } from 'node:net';
import { lookup } from 'node:dns/promises';

import { localize } from '../../base/messages/localize.ts';
import { SignInError } from './types.ts';

const privateRanges = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateRanges.addSubnet(address, bits, 'ipv4');
privateRanges.addAddress('::', 'ipv6');
privateRanges.addAddress('::1', 'ipv6');
privateRanges.addSubnet('fc00::', 7, 'ipv6');
privateRanges.addSubnet('fe80::', 10, 'ipv6');

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

export function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isPrivateAddress(address: string): boolean {
  return privateRanges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a host is in a private network, according to its name or its addresses. A name that cannot be resolved is not. */
async function isPrivate(hostname: string): Promise<boolean> {
  const host = bare(hostname);
  if (isLoopback(host)) return true;
  if (isIP(host) !== 0) return isPrivateAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivateAddress(address));
}

/** The page that the browser opens. @throws {SignInError} For another scheme than https, or http to this computer. */
export function checkAuthorizationUrl(url: URL): void {
  if (!isSecure(url)) throw new SignInError(localize('signIn.bad-authorization-url'), { step: 'browser' });
}

/** @throws {SignInError} If a request of a sign-in would go over a plain connection, or from a public server to a private host. */
export async function checkRequestUrl(url: URL, serverUrl: URL): Promise<void> {
  if (!isSecure(url)) throw new SignInError(localize('signIn.insecure-url', { origin: url.origin }));
  if (url.origin === serverUrl.origin || isLoopback(serverUrl.hostname)) return;
  if ((await isPrivate(url.hostname)) && !(await isPrivate(serverUrl.hostname)))
    throw new SignInError(localize('signIn.private-address', { host: url.host }));
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
