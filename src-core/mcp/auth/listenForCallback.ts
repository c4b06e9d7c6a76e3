import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { localize } from '../../base/messages/localize.ts';
import { plainPage } from '../../server/plainPage.ts';
import { SignInError } from './types.ts';

const host = '127.0.0.1';
const path = '/callback';
const donePage = {
  en: { title: 'You can close this page', body: '<p>The sign-in continues in Toolwire.</p>' },
  zh: { title: '可以关闭此页面', body: '<p>登录将在 Toolwire 中继续。</p>' },
};
const failedPage = {
  en: { title: 'The sign-in failed', body: '<p>Toolwire shows the reason. You can close this page.</p>' },
  zh: { title: '登录失败', body: '<p>Toolwire 会显示原因。可以关闭此页面。</p>' },
};
const otherPage = {
  en: { title: 'Another sign-in', body: '<p>This is not the sign-in that Toolwire waits for.</p>' },
  zh: { title: '不是这次登录', body: '<p>Toolwire 等待的不是这次登录。</p>' },
};

/** The URL to which the browser returns. */
export function callbackUrl(port: number): string {
  return `http://${host}:${port}${path}`;
}

/** A port of this computer that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/**
 * Listens on a port of this computer until the browser returns. Other requests are answered, and the wait continues: any local program can
 * send them. `signal` ends the wait. @throws {SignInError} If it cannot use the port.
 */
export async function listenForCallback(options: {
  port: number;
  signal: AbortSignal;
  timeoutMs: number;
  /** Whether an answer belongs to this sign-in. */
  isOurs(callback: URLSearchParams): boolean;
  /** Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void;
}): Promise<{ callback: Promise<URLSearchParams> }> {
  const { port, signal, timeoutMs } = options;
  const { promise: callback, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', callbackUrl(port));
    if (url?.pathname !== path || request.method !== 'GET') return answer(response, 404, '');
    const { 'accept-language': language } = request.headers;
    if (!options.isOurs(url.searchParams)) return answer(response, 400, plainPage(language, otherPage));
    response.on('close', () => resolve(url.searchParams));
    answer(response, 200, plainPage(language, url.searchParams.has('error') ? failedPage : donePage));
  });
  try {
    await listen(server, port);
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    const shown =
      code === 'EADDRINUSE'
        ? localize('signIn.port-in-use', { port })
        : localize('signIn.cannot-listen', { port, cause: code });
    throw new SignInError(shown, { step: 'browser', cause });
  }
  const cancelled = (): void => reject(new SignInError(localize('signIn.cancelled'), { step: 'callback' }));
  const minutes = Math.round(timeoutMs / 60_000);
  const cancelTimer = options.after(timeoutMs, () =>
    reject(new SignInError(localize('signIn.timeout', { minutes }), { step: 'callback' })),
  );
  if (signal.aborted) cancelled();
  signal.addEventListener('abort', cancelled, { once: true });
  const end = (): void => {
    cancelTimer();
    signal.removeEventListener('abort', cancelled);
    server.close();
    server.closeAllConnections();
  };
  callback.then(end, end);
  return { callback };
}

function answer(response: ServerResponse, status: number, page: string): void {
  // The URL of the page contains the code, so the browser neither caches it nor sends it as a referrer.
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', connection: 'close' };
  response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' });
  response.end(page);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      listening();
    });
  });
}
