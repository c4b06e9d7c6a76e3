import { createWebSocketClient } from '../../src-core/api/client.ts';
import type { OpenLine } from './line.ts';

/** Browser mode: a WebSocket to `/api` of the server that gave this page. */
export function openWebSocketLine(location: Pick<Location, 'protocol' | 'host'> = window.location): OpenLine {
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api`;
  return (signal) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url);
      const client = createWebSocketClient(socket);
      const onAbort = (): void => socket.close();
      const onRefused = (event: CloseEvent): void => {
        signal.removeEventListener('abort', onAbort);
        reject(new Error(`No answer from ${url} (code ${event.code})`));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      socket.addEventListener('close', onRefused, { once: true });
      socket.addEventListener(
        'open',
        () => {
          socket.removeEventListener('close', onRefused);
          signal.removeEventListener('abort', onAbort);
          resolve({
            client,
            onClose: (listener) => socket.addEventListener('close', listener, { once: true }),
            close: () => socket.close(),
          });
        },
        { once: true },
      );
    });
}
