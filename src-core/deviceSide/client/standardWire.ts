import { WebSocket } from 'ws';
import type { DeviceWire } from './deviceWire.ts';

/** hello of protocol version 1 (docs/protocols/xiaozhi.md#hello): Opus, 16 kHz, one channel, so many ms a frame. */
export function helloMessage(options: { name: string | undefined; frameDuration: number }) {
  return {
    type: 'hello',
    version: 1,
    features: { mcp: true },
    transport: 'websocket',
    audio_params: { format: 'opus', sample_rate: 16_000, channels: 1, frame_duration: options.frameDuration },
    ...(options.name === undefined ? {} : { device_name: options.name }),
  };
}

/** A well-behaved device. */
export const standardWire: DeviceWire = Object.freeze({
  createSocket: (url, options) => new WebSocket(url, options),
  headers: () => ({}),
  hello: (name) => JSON.stringify(helloMessage({ name, frameDuration: 60 })),
  afterHello: () => [],
  envelope: (payload, sessionId) => `{"session_id":${JSON.stringify(sessionId)},"type":"mcp","payload":${payload}}`,
  deliver: ({ frame }, socket) => socket.send(frame, {}),
  leave: (socket) => socket.close(1000),
} satisfies DeviceWire);
