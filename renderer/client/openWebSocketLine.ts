import { createWebSocketClient } from '../../src-core/rpc/client.ts';
import { NotLetInError, type Line, type OpenLine } from './line.ts';
import { createWindowKey } from './windowKey.ts';

/**
 * ms of an attempt: two WebSockets, each of which a browser may delay by 5 s after many failures, and what is asked between them.
 * A program that takes the engine's port and never answers must not end the attempts.
 */
const limitMs = 15_000;

type Place = Pick<Location, 'protocol' | 'host' | 'hostname' | 'port'>;

/**
 * Browser mode: a WebSocket to `/api` of the server that gave this page. If the engine was restarted, the window returns by its
 * key. Rejects with a `NotLetInError` if a server is there and wants a new link.
 */
export function openWebSocketLine(location: Place = window.location): OpenLine {
  const key = createWindowKey(location);
  const open = async (signal: AbortSignal): Promise<WebSocket> => {
    try {
      return await openSocket(location, signal);
    } catch (refusal) {
      const protocols = refusal instanceof NotLetInError ? await key.prove(signal) : undefined;
      if (protocols === undefined) throw refusal;
      return openSocket(location, signal, protocols);
    }
  };
  return async (signal) => {
    const line = lineOf(await open(AbortSignal.any([signal, AbortSignal.timeout(limitMs)])));
    // Without a key this window asks for the new link after a restart.
    key.renew(AbortSignal.timeout(limitMs)).catch(reportError);
    return line;
  };
}

function lineOf(socket: WebSocket): Line {
  return {
    client: createWebSocketClient(socket),
    onClose: (listener) => socket.addEventListener('close', listener, { once: true }),
    close: () => socket.close(),
  };
}

function openSocket({ protocol, host }: Place, signal: AbortSignal, protocols: string[] = []): Promise<WebSocket> {
  const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api`;
  // A browser does not tell a page why its socket was refused, so the page is asked for.
  const whyRefused = async (code: number): Promise<Error> => {
    const page = await fetch(`${protocol}//${host}/`, { method: 'HEAD', signal }).catch(() => undefined);
    return page?.status === 401
      ? new NotLetInError('The engine asks for a new link')
      : new Error(`No answer from ${url} (code ${code})`);
  };
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(url, protocols);
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
        resolve(socket);
      },
      { once: true },
    );
  });
}
