import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from './address.ts';
import { createMachineCount } from './machineCount.ts';
import { connectedAddress } from './proxied.ts';

/** Sockets of other machines that are not WebSockets, at most. */
export interface HttpSocketLimits {
  perMachine: number;
  inAll: number;
}

/**
 * Limits the sockets of other machines until they become WebSockets, whatever they send: nothing, slow headers, a slow body
 * or one request after another. A socket over a limit is destroyed at once. Local connections are not limited.
 */
export function limitHttpSockets(
  server: Server,
  { perMachine, inAll, isLocal = isLoopback }: HttpSocketLimits & { isLocal?: (address: string) => boolean },
): void {
  const count = createMachineCount();
  const leave = new WeakMap<Socket, () => void>();

  server.on('connection', (socket) => {
    const address = connectedAddress(socket);
    if (isLocal(address)) return;
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
