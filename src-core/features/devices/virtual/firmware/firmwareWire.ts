import { WebSocket } from 'ws';
import type { DeviceWire } from '../../../../deviceSide/client/deviceWire.ts';
import { standardWire } from '../../../../deviceSide/client/standardWire.ts';
import { virtualUserAgent } from '../virtualUserAgent.ts';

/** What the firmware's WebSocket can send; beyond it nothing goes out at all (docs/protocols/xiaozhi.md#messages). */
const maxFrameBytes = 65_535;

/**
 * Never answers a close frame: the device is idle from then on, and the TCP connection stays until the server cuts it
 * or the device connects anew (docs/protocols/xiaozhi.md#messages). `ws` answers by this method, which therefore only
 * tells.
 */
class BoardSocket extends WebSocket {
  override close(code = 1005, data: string | Buffer = ''): void {
    this.emit('close', code, Buffer.from(data));
  }
}

/** The socket of a board: no port in Host, no close frame, nothing beyond 65,535 bytes. */
export const firmwareWire: DeviceWire = {
  ...standardWire,
  createSocket: (url, options) => new BoardSocket(url, options),
  headers: ({ url }) => ({ Host: new URL(url).hostname, 'User-Agent': virtualUserAgent }),
  afterHello: (sessionId) => [JSON.stringify({ session_id: sessionId, type: 'listen', state: 'start', mode: 'auto' })],
  deliver({ frame }, socket) {
    if (Buffer.byteLength(frame) <= maxFrameBytes) socket.send(frame, {});
  },
  leave: (socket) => socket.terminate(),
  onMessage(message, socket) {
    // A hello without a transport is a null pointer to the firmware; a reboot is meant.
    const crashes = message.type === 'hello' && typeof message['transport'] !== 'string';
    const reboots = message.type === 'system' && message['command'] === 'reboot';
    if (crashes || reboots) socket.terminate();
  },
};
