import type { WebSocket } from 'ws';

import type { Wire } from './wire.ts';

/** A reader that has stopped reading is let go at this many unsent bytes. */
const maxBufferedBytes = 256 * 1024 * 1024;

/** A carrier over a WebSocket: browser mode and the terminal. */
export function webSocketWire(socket: WebSocket): Wire {
  return {
    send: (message) => {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > maxBufferedBytes) socket.terminate();
      else socket.send(message);
    },
    onMessage: (listener) => {
      socket.on('message', (data: Buffer, isBinary: boolean) => listener(isBinary ? data : data.toString('utf8')));
    },
    onClose: (listener) => {
      socket.once('close', listener);
      // 'close' always follows 'error'; without a listener the error would end the process.
      socket.on('error', () => socket.terminate());
    },
    close: () => socket.close(),
  };
}
