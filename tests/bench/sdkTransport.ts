import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import type { WebSocket } from 'ws';
import { fromEnvelope, intoEnvelope } from './mcpSdkPeer.ts';

/**
 * Lets the official MCP client speak to a device over its open WebSocket, one message a text frame. Each message is checked
 * as every transport that the SDK ships checks it (stdio, SSE, Streamable HTTP): the client itself relies on that.
 */
export function sdkTransport(socket: WebSocket): Transport {
  const transport: Transport = {
    start: () => {
      socket.on('message', (data) => transport.onmessage?.(parseJSONRPCMessage(fromEnvelope(data))));
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
