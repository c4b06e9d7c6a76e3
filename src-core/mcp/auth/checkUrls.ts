import { BlockList, isIP } from 'node:net';
import { lookup } from 'node:dns/promises';

import { localize } from '../../base/messages/localize.ts';
import { SignInError } from './types.ts';

/** IPv4 addresses that are not on the public internet, by IANA's registry of special-purpose addresses. */
const specialRanges = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  specialRanges.addSubnet(address, bits, 'ipv4');
/** All public IPv6 addresses are in this range, and so are the special ones below: Teredo and others, documentation, 6to4. */
const publicRange = new BlockList();
publicRange.addSubnet('2000::', 3, 'ipv6');
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  specialRanges.addSubnet(address, bits, 'ipv6');

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

export function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) return specialRanges.check(address);
  const plain = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (plain === undefined) return true;
  // An IPv4 address that is written as an IPv6 address, or reached over NAT64.
  const [, high, low] = /^(?:::ffff:|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/.exec(plain) ?? [];
  if (high === undefined || low === undefined)
    return !publicRange.check(plain, 'ipv6') || specialRanges.check(plain, 'ipv6');
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return isPrivateAddress([24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.'));
}

/** The addresses of a host. None if its name cannot be resolved. */
async function addressesOf(hostname: string): Promise<string[]> {
  const host = bare(hostname);
  if (isLoopback(host)) return ['127.0.0.1'];
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** The page that the browser opens. @throws {SignInError} For another scheme than https, or http to this computer. */
export function checkAuthorizationUrl(url: URL): void {
  if (!isSecure(url)) throw new SignInError(localize('signIn.bad-authorization-url'), { step: 'browser' });
}

/** @throws {SignInError} If a request of a sign-in would go over a plain connection, or from a public server to a private host. */
export async function checkRequestUrl(url: URL, serverUrl: URL): Promise<void> {
  if (!isSecure(url)) throw new SignInError(localize('signIn.insecure-url', { origin: url.origin }));
  if (url.origin === serverUrl.origin || isLoopback(serverUrl.hostname)) return;
  if (!(await addressesOf(url.hostname)).some(isPrivateAddress)) return;
  // A name server can add a private address to those of a public server.
  const ofServer = await addressesOf(serverUrl.hostname);
  if (ofServer.length === 0 || !ofServer.every(isPrivateAddress))
    throw new SignInError(localize('signIn.private-address', { host: url.host }));
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
