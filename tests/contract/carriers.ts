/** The three carriers of the contract, each opened the way its shell opens it. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { WebSocket } from 'ws';

import { createPortClient, createWebSocketClient } from '../../src-core/rpc/client.ts';
import type { Client } from '../../src-core/rpc/client.ts';
import { portWire } from '../../src-core/rpc/portWire.ts';
import type { PortLike } from '../../src-core/rpc/portWire.ts';
import { serveBrowser } from '../../src-core/rpc/serveBrowser.ts';
import type { Workbench } from '../../src-core/workbench.ts';

export interface Connection {
  client: Client;
  /** Sends a frame as it is, below the contract. */
  sendRaw(frame: unknown): void;
  /** Resolves when the workbench has closed this connection. */
  closed: Promise<unknown>;
  /** Cuts the connection from the window's side. */
  cut(): void;
}

export interface Carrier {
  name: string;
  /** Prepares the carrier for a workbench; `connect` gives one window. */
  start(workbench: Workbench, dataDir: string): Promise<{ connect(): Promise<Connection>; stop(): Promise<void> }>;
}

/** A worker_threads channel whose host end is wrapped as a shell sees it. */
function channelCarrier(name: string, wrap: (port: MessagePort) => PortLike): Carrier {
  return {
    name,
    start: (workbench) =>
      Promise.resolve({
        connect: () => {
          const { port1, port2 } = new MessageChannel();
          workbench.contract.serve(portWire(wrap(port1)));
          // Node's port has the browser's methods; its types list them under other names.
          const client = createPortClient(port2);
          return Promise.resolve({
            client,
            sendRaw: (frame) => port2.postMessage(frame),
            closed: once(port2, 'close'),
            cut: () => port2.close(),
          });
        },
        stop: () => Promise.resolve(),
      }),
  };
}

/** What tests and the terminal's own workbench use. */
const memory = channelCarrier('in-memory pair', (port) => port);

/** Events as Electron's MessagePortMain gives them: `{ data }`, and no message before `start`. */
const electronPort = channelCarrier('Electron port', (port) => ({
  on: (event: 'message' | 'close', listener: (event?: unknown) => void) =>
    event === 'message'
      ? port.on('message', (data: unknown) => listener({ data }))
      : port.on('close', () => listener()),
  postMessage: (message) => port.postMessage(message),
  start: () => port.start(),
  close: () => port.close(),
}));

/** A real WebSocket to the browser mode's listener, let in as a program of the same user. */
const webSocket: Carrier = {
  name: 'WebSocket',
  async start(workbench, dataDir) {
    const rendererDir = join(dataDir, 'renderer');
    mkdirSync(rendererDir, { recursive: true });
    writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>window</title>');
    const server = await serveBrowser({
      contract: workbench.contract,
      port: 0,
      rendererDir,
      onError: (error) => {
        throw error;
      },
    });
    return {
      async connect() {
        const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/api`, {
          headers: { authorization: `Bearer ${server.bearerToken}` },
        });
        await once(socket, 'open');
        const closed = once(socket, 'close');
        const client = createWebSocketClient(socket);
        return { client, sendRaw: (frame) => socket.send(frame as string), closed, cut: () => socket.terminate() };
      },
      stop: () => server.close(),
    };
  },
};

export const carriers: Carrier[] = [memory, electronPort, webSocket];
