import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { WebSocket } from 'ws';
import { fromEnvelope, intoEnvelope } from './mcpSdkPeer.ts';

/** The least that lets the official MCP client speak to a device over its open WebSocket: one message a text frame. */
export function sdkTransport(socket: WebSocket): Transport {
  const transport: Transport = {
    start: () => {
      socket.on('message', (data) => transport.onmessage?.(fromEnvelope(data) as JSONRPCMessage));
      socket.on('close', () => transport.onclose?.());
      socket.on('error', (error) => transport.onerror?.(error));
      return Promise.resolve();
    },
    send: (message) => {
      socket.send(intoEnvelope(message));
      return Promise.resolve();
    },
    close: () => {
      socket.close();
      return Promise.resolve();
    },
  };
  return transport;
}
