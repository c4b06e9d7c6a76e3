import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { SignInError } from './types.ts';

const path = '/callback';
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Toolwire</title>
<p>You can close this page and return to Toolwire.</p></html>`;

/** Listens on a random port of this computer for the browser to return. `signal` ends the wait. */
export async function waitForCallback(options: {
  signal: AbortSignal;
  /** The port to prefer; another one if it is taken. Any free one by default. */
  port?: number;
  /** Returns a function that cancels the timer. */
  after(run: () => void): () => void;
}): Promise<{ redirectUrl: string; callback: Promise<URLSearchParams> }> {
  const { signal } = options;
  const { promise: callback, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isOurs = url.pathname === path && request.method === 'GET';
    // The URL of the page contains the code, so the browser neither caches it nor sends it as a referrer.
    const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', connection: 'close' };
    response.writeHead(isOurs ? 200 : 404, { ...headers, 'content-type': 'text/html; charset=utf-8' });
    response.end(isOurs ? page : '');
    if (isOurs) response.on('close', () => resolve(url.searchParams));
  });
  const listen = (port: number): Promise<void> =>
    new Promise((listening, failed) => {
      server.once('error', failed);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', failed);
        listening();
      });
    });
  await listen(options.port ?? 0).catch(() => listen(0));
  const { port } = server.address() as AddressInfo;
  const cancelled = (): void => reject(new SignInError('cancelled', 'The sign-in was cancelled.'));
  const cancelTimer = options.after(() => reject(new SignInError('timeout', 'The browser did not return in time.')));
  if (signal.aborted) cancelled();
  signal.addEventListener('abort', cancelled, { once: true });
  const end = (): void => {
    cancelTimer();
    signal.removeEventListener('abort', cancelled);
    server.close();
    server.closeAllConnections();
  };
  callback.then(end, end);
  return { redirectUrl: `http://127.0.0.1:${port}${path}`, callback };
}
