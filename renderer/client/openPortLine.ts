import { createPortClient } from '../../src-core/rpc/client.ts';
import type { OpenLine } from './line.ts';

/** How long Electron's main process may take to hand the port over. */
const handOverMs = 10_000;

/**
 * Electron: asks the preload for a port, with a nonce that the answer must carry, and speaks the contract over it.
 * The request and the answer are `toolwire:connect` and `toolwire:port` messages of this same window.
 */
export function openPortLine(host: Window = window): OpenLine {
  return (signal) =>
    new Promise((resolve, reject) => {
      const nonce = crypto.randomUUID();
      const done = (): void => {
        clearTimeout(timer);
        host.removeEventListener('message', onMessage);
        signal.removeEventListener('abort', onAbort);
      };
      const fail = (message: string): void => {
        done();
        reject(new Error(message));
      };
      const onAbort = (): void => fail('The window stopped asking for a connection');
      const onMessage = (event: MessageEvent<unknown>): void => {
        const port = event.ports[0];
        if (event.source !== host || !port || !isPortMessage(event.data, nonce)) return;
        done();
        const client = createPortClient(port);
        port.start();
        resolve({
          client,
          onClose: (listener) => port.addEventListener('close', listener, { once: true }),
          close: () => port.close(),
        });
      };
      const timer = setTimeout(() => fail('The shell did not hand over a port'), handOverMs);
      host.addEventListener('message', onMessage);
      signal.addEventListener('abort', onAbort);
      // A page of a custom scheme has an opaque origin, which only '*' reaches; the message stays in this window.
      host.postMessage({ type: 'toolwire:connect', nonce }, host.origin === 'null' ? '*' : host.origin);
    });
}

function isPortMessage(data: unknown, nonce: string): boolean {
  const message = (data ?? {}) as Record<string, unknown>;
  return message['type'] === 'toolwire:port' && message['nonce'] === nonce;
}
