import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback, plainAddress } from './address.ts';
import { createAddressCount } from './addressCount.ts';

/**
 * Bounds the sockets of each other machine on which no whole request has come: past `max` a new one is cut at once. So
 * one machine's half-open sockets do not use up what `maxConnections` leaves for all. This machine's are not bound.
 */
export function limitSilentSockets(
  server: Server,
  { max, isLocal = isLoopback }: { max: number; isLocal?: (address: string) => boolean },
): void {
  const silent = createAddressCount();
  const leave = new WeakMap<Socket, () => void>();
  const speaks = ({ socket }: { socket: Socket }): void => leave.get(socket)?.();

  server.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isLocal(address)) return;
    if (silent.of(address) >= max) {
      socket.destroy();
      return;
    }
    const left = silent.add(address);
    leave.set(socket, left);
    socket.once('close', left);
  });
  server.on('request', speaks);
  server.on('upgrade', speaks);
}
