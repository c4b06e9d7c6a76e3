import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from './address.ts';
import { createMachineCount } from './machineCount.ts';
import { connectedAddress, type IsProxy } from './proxied.ts';

/** Sockets of other machines that are not WebSockets, at most. */
export interface HttpSocketLimits {
  perMachine: number;
  inAll: number;
}

/**
 * Limits the sockets of other machines until they become WebSockets, whatever they send: nothing, slow headers, a slow body
 * or one request after another. A socket over a limit is destroyed at once. Connections of this machine and of trusted proxies
 * are not limited.
 */
export function limitHttpSockets(
  server: Server,
  options: HttpSocketLimits & { isLocal?: (address: string) => boolean; isProxy?: IsProxy | undefined },
): void {
  const { perMachine, inAll, isLocal = isLoopback, isProxy } = options;
  const count = createMachineCount();
  const leave = new WeakMap<Socket, () => void>();

  server.on('connection', (socket) => {
    const address = connectedAddress(socket);
    if (isLocal(address) || isProxy?.(address) === true) return;
    if (count.of(address) >= perMachine || count.inAll() >= inAll) {
      socket.destroy();
      return;
    }
    const left = count.add(address);
    leave.set(socket, left);
    socket.once('close', left);
  });
  server.on('upgrade', ({ socket }) => leave.get(socket)?.());
}
