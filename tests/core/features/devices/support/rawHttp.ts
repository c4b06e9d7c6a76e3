import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** Opens a TCP connection and writes to it; whatever becomes of it is no error of the test. */
export async function openRaw(port: number, start = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(start);
  return socket;
}

/** What comes back for a request just as it is written, until the other side ends; the client ends when it has written. */
export async function askRaw(port: number, request: string): Promise<string> {
  const socket = await openRaw(port);
  socket.end(request);
  return text(socket).catch(() => '');
}

/** A request in plain words; without a Host or Length of its own it gets the right one. */
export function httpRequest(
  line: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): string {
  const all = { Host: '127.0.0.1', Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** The status of an answer; 0 where there is none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
