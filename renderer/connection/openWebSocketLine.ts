import { createWebSocketClient } from '../../src-core/api/client.ts';
import { NotLetInError, type OpenLine } from './line.ts';

/**
 * Browser mode: a WebSocket to `/api` of the server that gave this page. Rejects with a `NotLetInError` where a server
 * is there and wants a new link: a browser does not tell a page why its socket was refused, so the page is asked for.
 */
export function openWebSocketLine(location: Pick<Location, 'protocol' | 'host'> = window.location): OpenLine {
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api`;
  const whyRefused = async (code: number): Promise<Error> => {
    const page = await fetch(`${location.protocol}//${location.host}/`, { method: 'HEAD' }).catch(() => undefined);
    return page?.status === 401
      ? new NotLetInError('The engine asks for a new link')
      : new Error(`No answer from ${url} (code ${code})`);
  };
  return (signal) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url);
      const client = createWebSocketClient(socket);
      const onAbort = (): void => socket.close();
      const onRefused = (event: CloseEvent): void => {
        signal.removeEventListener('abort', onAbort);
        void whyRefused(event.code).then(reject);
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
