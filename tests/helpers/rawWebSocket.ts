/** WebSockets byte by byte: what `ws` never sends, or sends in other pieces. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawWebSocketOptions {
  port: number;
  path: string;
  /** 127.0.0.1 by default. */
  host?: string;
  headers?: Record<string, string>;
}

/** Upgrades a TCP connection to a WebSocket. Throws the answer's first line if it is not 101. */
export async function openRawWebSocket({ port, path, host, headers = {} }: RawWebSocketOptions): Promise<Socket> {
  const socket = connect({ port, host: host ?? '127.0.0.1' });
  socket.on('error', () => {});
  const all = {
    Host: host ?? '127.0.0.1',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  const status = head.toString('latin1').split('\r\n', 1)[0] ?? '';
  if (status.startsWith('HTTP/1.1 101')) return socket;
  socket.destroy();
  throw new Error(status);
}

/** The answer of a server that upgrades this request (RFC 6455 §4.2.2). */
export function upgradeAnswer(request: string): string {
  const key = /^Sec-WebSocket-Key: *(\S+)/im.exec(request)?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
}

export interface FrameOptions {
  /** 1 is text, the default; 0 continues, 2 is binary, 8 closes, 9 is a ping. */
  opcode?: number;
  /** Whether the message ends with this frame; true by default. */
  fin?: boolean;
  /** What the header says, if it lies. */
  length?: number;
  /** Clients mask, here with zeros; servers do not. True by default. */
  masked?: boolean;
}

/** One frame (RFC 6455 §5.2). */
export function rawFrame(payload: string | Buffer, options: FrameOptions = {}): Buffer {
  const { opcode = 1, fin = true, masked = true } = options;
  const data = Buffer.from(payload);
  const { length = data.length } = options;
  const size = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const header = Buffer.alloc(2 + size + (masked ? 4 : 0));
  header[0] = (fin ? 0x80 : 0) | opcode;
  header[1] = (masked ? 0x80 : 0) | (size === 0 ? length : size === 2 ? 126 : 127);
  if (size === 2) header.writeUInt16BE(length, 2);
  if (size === 8) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, data]);
}
