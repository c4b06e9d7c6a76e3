import type { IncomingMessage, Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';

import { isAddressRange } from '../base/isAddressRange.ts';
import { isLoopback, plainAddress } from './address.ts';

/** Whether a plain address is of a trusted proxy. */
export type IsProxy = (address: string) => boolean;

interface Client {
  /** A plain address: the client's, or that of the proxy if it names none. */
  address: string;
  /** It is not at the other end of this connection: whatever its address is, it is not this machine. */
  isForwarded: boolean;
}

/** The client that a proxy named: of a connection (PROXY protocol), or of one request (X-Forwarded-For). */
const named = new WeakMap<Socket | IncomingMessage, string>();

/** Who sent a request. */
export function clientOf(request: IncomingMessage): Client {
  const address = named.get(request) ?? named.get(request.socket);
  return { address: address ?? connectedAddress(request.socket), isForwarded: address !== undefined };
}

/** Whether a request came over the loopback of this machine, and not through a proxy. */
export function isOfThisMachine(request: IncomingMessage): boolean {
  const { address, isForwarded } = clientOf(request);
  return !isForwarded && isLoopback(address);
}

/** The address at the other end, or what the PROXY protocol named. */
export const connectedAddress = (socket: Socket): string =>
  named.get(socket) ?? plainAddress(socket.remoteAddress ?? '');

/** Whether an address is one of these, or in a range of them such as `10.0.0.0/24`. What is neither is left out. */
export function proxiesOf(trusted: readonly string[]): IsProxy {
  const list = new BlockList();
  for (const text of trusted.filter(isAddressRange)) {
    const [address = '', bits] = text.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Reads which clients trusted proxies name: in a header of the PROXY protocol (1 or 2) before the first request, or else in
 * X-Forwarded-For. Both are ignored on other connections. The `connection` listeners of `server` are called for a connection
 * of a proxy once its first bytes are read.
 */
export function readClients(server: Server, isProxy: IsProxy): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const accept = (): void => listeners.forEach((listener) => void listener.call(server, socket));
    if (isProxy(connectedAddress(socket))) readHeader(socket, accept);
    else accept();
  });
  const read = (request: IncomingMessage): void => {
    const near = connectedAddress(request.socket);
    if (!named.has(request.socket) && isProxy(near)) named.set(request, forwardedFor(request, near, isProxy));
  };
  server.prependListener('request', read);
  server.prependListener('upgrade', read);
}

/** From the right, the first address that is not of a trusted proxy: what is further left may be of the client's making. */
function forwardedFor({ headersDistinct }: IncomingMessage, near: string, isProxy: IsProxy): string {
  const addresses = (headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
  let address = near;
  while (isProxy(address)) {
    const next = plainAddress(addresses.pop()?.trim() ?? '');
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** ms for a proxy to send the first bytes. */
const headerTimeoutMs = 10_000;

function readHeader(socket: Socket, done: () => void): void {
  let head = Buffer.alloc(0);
  const end = (): void => void socket.destroy();
  const timer = setTimeout(end, headerTimeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('readable', look).off('error', end).off('close', stop);
  };
  const look = (): void => {
    for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null)
      head = Buffer.concat([head, chunk]);
    const read = headerOf(head);
    if (read === 'incomplete') return;
    stop();
    if (read === 'invalid') return end();
    if (read.bytes > 0) named.set(socket, read.client ?? connectedAddress(socket));
    if (head.length > read.bytes) socket.unshift(head.subarray(read.bytes));
    done();
  };
  socket.on('readable', look).on('error', end).on('close', stop);
}

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** How an IPv6 address begins that stands for an IPv4 address. */
const mapped = Buffer.from('00000000000000000000ffff', 'hex');
const maxFirstBytes = 107;
/** Of the addresses and additions of the second version; HAProxy sends at most a few hundred. */
const maxSecondBytes = 2_048;

/**
 * The header at the beginning of a connection: its length, and the client if it names one (a health check does not). Without a
 * header the length is 0. https://www.haproxy.org/download/2.6/doc/proxy-protocol.txt
 */
function headerOf(head: Buffer): { bytes: number; client?: string } | 'incomplete' | 'invalid' {
  const first = Buffer.from('PROXY ');
  const begins = (known: Buffer): boolean => head.subarray(0, known.length).equals(known.subarray(0, head.length));
  if (head.length === 0) return 'incomplete';
  if (begins(first)) {
    const bytes = head.indexOf('\r\n') + 2;
    if (bytes < 2) return head.length < maxFirstBytes ? 'incomplete' : 'invalid';
    if (bytes > maxFirstBytes) return 'invalid';
    const [, kind, client = ''] = head.toString('latin1', 0, bytes - 2).split(' ');
    if (kind === 'UNKNOWN') return { bytes };
    return isIP(client) !== 0 ? { bytes, client: plainAddress(client) } : 'invalid';
  }
  if (!begins(signature)) return { bytes: 0 };
  if (head.length < 16) return 'incomplete';
  const [command = 0, family = 0] = head.subarray(12);
  const length = head.readUInt16BE(14);
  if (command >> 4 !== 2 || (command & 15) > 1 || length > maxSecondBytes) return 'invalid';
  if (head.length < 16 + length) return 'incomplete';
  const bytes = 16 + length;
  if ((command & 15) === 0) return { bytes };
  if (family >> 4 === 1 && length >= 12) return { bytes, client: head.subarray(16, 20).join('.') };
  if (family >> 4 !== 2 || length < 36) return { bytes };
  if (head.subarray(16, 28).equals(mapped)) return { bytes, client: head.subarray(28, 32).join('.') };
  const groups = Array.from({ length: 8 }, (_, at) => head.readUInt16BE(16 + at * 2).toString(16));
  return { bytes, client: new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1) };
}
