/** The one device of the bench against the official client, and what everybody's frames to it are wrapped in. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import { serverHello } from '../../src-core/features/devices/wire/serverHello.ts';

const sessionId = '6f1f6c0a-2c3b-4b0e-9a55-0d5f0a0e6c11';

/** A JSON-RPC message as it goes to a device. */
export function intoEnvelope(message: unknown): string {
  return `{"session_id":"${sessionId}","type":"mcp","payload":${JSON.stringify(message)}}`;
}

/** The JSON-RPC message in a device's frame. */
export function fromEnvelope(data: RawData): unknown {
  return (JSON.parse((data as Buffer).toString()) as { payload: unknown }).payload;
}

/** The device's thread, which connects as often as it is told, and a bare server that it can be told to connect to. */
export interface BenchDevice {
  connect(url: string): void;
  /** Connects to the bare server; resolves as soon as the socket is open. */
  openBare(): Promise<WebSocket>;
  close(): Promise<void>;
}

/** Starts the device's thread and the bare server. */
export async function startDevice(tools: number): Promise<BenchDevice> {
  const peer = new Worker(new URL('./rawDevice.ts', import.meta.url), { workerData: { tools } });
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    connect: (url) => peer.postMessage(url),
    openBare: async () => {
      const opened = once(server, 'connection');
      peer.postMessage(`ws://127.0.0.1:${port}/`);
      const [socket] = (await opened) as [WebSocket];
      return socket;
    },
    close: async () => {
      await peer.terminate();
      server.clients.forEach((socket) => socket.terminate());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits for the device's hello and answers it, as our hub does. */
export async function answerHello(socket: WebSocket): Promise<void> {
  await once(socket, 'message');
  socket.send(serverHello(sessionId));
}
