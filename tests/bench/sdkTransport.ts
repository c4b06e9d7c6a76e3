import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { WebSocket } from 'ws';

/** The least that lets the official MCP client speak over an open WebSocket: one JSON-RPC message a text frame. */
export function sdkTransport(socket: WebSocket): Transport {
  const transport: Transport = {
    start: () => {
      socket.on('message', (data) => transport.onmessage?.(JSON.parse((data as Buffer).toString()) as JSONRPCMessage));
      socket.on('close', () => transport.onclose?.());
      socket.on('error', (error) => transport.onerror?.(error));
      return Promise.resolve();
    },
    send: (message) => {
      socket.send(JSON.stringify(message));
      return Promise.resolve();
    },
    close: () => {
      socket.close();
      return Promise.resolve();
    },
  };
  return transport;
}
