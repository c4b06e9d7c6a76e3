import type { WebSocket } from 'ws';

import type { Clock } from '../base/clock.ts';

const pingMs = 20_000;

/**
 * Pings a WebSocket that is being opened every 20 s, and ends it if nothing at all arrives until the next ping: a peer that lost its
 * network does not close. A long message on a slow network is a sign of life, too.
 */
export function keepAlive(socket: WebSocket, clock: Pick<Clock, 'after'>, onSilence: () => void): void {
  let cancel = (): void => undefined;
  socket.once('upgrade', ({ socket: stream }) => {
    let bytesAtPing: number | undefined;
    const next = (): void => {
      cancel = clock.after(pingMs, () => {
        if (bytesAtPing === stream.bytesRead) {
          onSilence();
          return socket.terminate();
        }
        bytesAtPing = stream.bytesRead;
        socket.ping();
        next();
      });
    };
    next();
  });
  socket.once('close', () => cancel());
}
