import type { Wire } from './wire.ts';

type Message = Parameters<Wire['send']>[0];

/** A Node `MessagePort` or Electron's `MessagePortMain`: the two spell the event differently. */
export interface PortLike {
  on(event: 'message', listener: (event: unknown) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
}

/**
 * A carrier over a message port: Electron's window (MessagePortMain) and the in-memory pair (worker_threads).
 * `closed` from another process is not reliable in Electron: the shell also calls the returned wire's `close`.
 */
export function portWire(port: PortLike): Wire {
  const closeListeners = new Set<() => void>();
  let open = true;
  const closed = (): void => {
    if (!open) return;
    open = false;
    for (const listener of closeListeners) listener();
  };
  port.on('close', closed);
  return {
    send: (message) => {
      if (open) port.postMessage(message);
    },
    onMessage: (listener) => {
      port.on('message', (event) => listener(payloadOf(event)));
      port.start();
    },
    onClose: (listener) => {
      closeListeners.add(listener);
    },
    close: () => {
      port.close();
      closed();
    },
  };
}

/** Node hands over the value itself, Electron an event with `data`. Encoded messages are text or bytes, never such an object. */
function payloadOf(event: unknown): Message {
  const wrapped = typeof event === 'object' && event !== null && Object.hasOwn(event, 'data');
  return (wrapped ? (event as { data: Message }).data : event) as Message;
}
