import type { DeviceSocket } from '../../../deviceSide/client/deviceSocket.ts';
import type { DeviceWire } from '../../../deviceSide/client/deviceWire.ts';
import type { VirtualFault } from './faults.ts';

/** Sends something in place of a frame. */
type Spoiler = (frame: string, socket: DeviceSocket) => void;

/**
 * Kinds of garbage, one after the other: half a frame, no JSON at all, an answer to nobody, text in a binary frame, a byte that
 * is not UTF-8.
 */
const garbage: readonly Spoiler[] = [
  (frame, socket) => socket.send(frame.slice(0, Math.ceil(frame.length / 2)), {}),
  (_frame, socket) => socket.send('\u0000E (4711) wifi: \u{fffd}\u{fffd} {"type":', {}),
  (_frame, socket) => socket.send('{"session_id":"","type":"mcp","payload":{"jsonrpc":"2.0","id":-1,"result":{}}}', {}),
  (frame, socket) => socket.send(Buffer.from(frame), { binary: true }),
  (frame, socket) => socket.send(Buffer.concat([Buffer.from(frame), Buffer.from([0xe9])]), { binary: false }),
];

/** A wire that spoils the answers to tools/call as the faults say; other answers go out whole. */
export function faultyWire(wire: DeviceWire, faults: ReadonlySet<VirtualFault>): DeviceWire {
  const spoil = spoilerOf(faults);
  if (spoil === undefined) return wire;
  return {
    ...wire,
    deliver: (answer, socket) => {
      if (answer.method === 'tools/call') spoil(answer.frame, socket);
      else wire.deliver(answer, socket);
    },
  };
}

/** The worst of the faults wins. */
function spoilerOf(faults: ReadonlySet<VirtualFault>): Spoiler | undefined {
  if (faults.has('silent')) return () => {};
  if (faults.has('disconnect-half-way')) {
    return (frame, socket) => {
      socket.send(frame.slice(0, Math.ceil(frame.length / 2)), { fin: false });
      socket.terminate();
    };
  }
  if (!faults.has('garbage')) return undefined;
  let spoiled = 0;
  return (frame, socket) => {
    garbage[spoiled % garbage.length]?.(frame, socket);
    spoiled += 1;
  };
}
