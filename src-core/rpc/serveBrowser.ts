import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sirv from 'sirv';
import type { WebSocket } from 'ws';

import { createListener } from '../server/createListener.ts';
import type { HttpExchange, Listener, RequestPolicy } from '../server/types.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { createBrowserAccess, type BrowserAccess } from './browserAccess.ts';
import { exactHost, sameOrigin } from './browserPolicies.ts';
import { securityHeaders } from './contentSecurityPolicy.ts';
import { createLinkFiles, linkFolder } from './linkFiles.ts';
import { pageHeaders, serveAppSandbox } from './serveAppSandbox.ts';
import type { ContractServer } from './serveWire.ts';
import { signInPage } from './signInPage.ts';
import { createWindowKeys } from './windowKeys.ts';
import { serveWindowReturn } from './windowReturn.ts';
import type { Wire } from './wire.ts';

/** One message of the page: a pasted reply of 20 M characters fits, twice as bytes. */
const maxPayload = 64 * 1024 * 1024;

/** Code of a WebSocket of an MCP host that the user has ended: the host must not open another one by itself. */
export const revokedCode = 4001;
/** Code of a WebSocket of an MCP host whose workbench leaves the data directory to the desktop app. */
export const yieldedCode = 4002;

/** A connection that carries one message per text. */
interface MessagePipe {
  send(text: string): void;
  open(onText: (text: string) => void, onClose: () => void): void;
  close(): void;
}

type ServePipe = (pipe: MessagePipe, asked: string) => void;

function socketPipe(socket: WebSocket): MessagePipe {
  return {
    send(text) {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    open(onText, onClose) {
      socket.on('message', (data: Buffer) => onText(data.toString('utf8')));
      socket.once('close', onClose);
    },
    close: () => socket.close(revokedCode, 'ended by the user'),
  };
}

/** Shown until `Refresh` leads to the window. Without an icon of its own, the browser would ask for /favicon.ico. */
const enteringPage = `<!doctype html>
<html lang="en">
<link rel="icon" href="data:,">
<title>Toolwire</title>
<a href="/">Toolwire</a>
</html>
`;

/** The window, served over HTTP and WebSocket to browsers and programs of this machine. */
export interface BrowserServer {
  /** `http://127.0.0.1:<port>`, without a secret. */
  readonly origin: string;
  /** Origin of the sandbox of MCP Apps; undefined if no window is served. */
  readonly sandboxOrigin: string | undefined;
  /** For programs of the same user; never logged. */
  readonly bearerToken: string;
  /** A link that opens the window in one browser, once. */
  createLink(): string;
  /**
   * Writes a file that only this user can read and that forwards a browser to a new link. Other users can see the
   * arguments of a process, so a browser is started with this file. The file is removed once its link was opened, after
   * a minute, and by `close`.
   * @returns The `file:` URL.
   * @throws Error of the file system
   */
  createLinkFile(): string;
  /** Ends every page's connection: no browser is let in without a new link. Programs stay. */
  signOut(): void;
  /** Ends every page's connection, then the listener. */
  close(): Promise<void>;
}

/** What is served, and where. */
interface BrowserServerOptions {
  contract: ContractServer;
  port: number;
  /** Folder of the built window. Without it, only programs are served. */
  rendererDir: string | undefined;
  /** Serves MCP to a program at the other end of a connection. `asked`: its first message, what it asks to be offered, as JSON. */
  servePipe?: ServePipe;
  /** Called if the desktop app asks for the data directory. Without it, the app is refused. */
  onYield?: (() => void) | undefined;
  /** Folder of the files that `createLinkFile` writes. */
  linkFolder?: string;
  /** File of the keys by which windows return after a restart. Without it no window returns. */
  windowKeysFile?: string | undefined;
  clock?: Clock;
  onError: (error: unknown) => void;
}

/**
 * The browser mode: serves the built window and the contract at `/api` on 127.0.0.1 only. Every request must name this
 * very host and port, an `Origin` must be ours, and the caller must hold the cookie or the bearer token.
 * Rejects with a `ListenError` if the port is taken.
 */
export async function serveBrowser(options: BrowserServerOptions): Promise<BrowserServer> {
  const { rendererDir } = options;
  if (rendererDir !== undefined && !existsSync(join(rendererDir, 'index.html')))
    throw new Error(`The window is not built: ${rendererDir} has no index.html. Run: npm run build`);
  const host = '127.0.0.1';
  const listener = createListener({ host, port: options.port, onError: options.onError });
  const { port } = await listener.listen();
  const origin = `http://${host}:${port}`;
  const access = createBrowserAccess({ port });
  const { clock = systemClock, onError, onYield } = options;
  const linkFiles = createLinkFiles({ folder: options.linkFolder ?? linkFolder(), clock, onError });
  // What ends each connection, of pages and of programs.
  const pages = new Set<() => void>();
  const programs = new Set<() => void>();
  const pipes = new Set<WebSocket>();
  const policies: RequestPolicy[] = [exactHost(port), sameOrigin(port)];
  const keys = createWindowKeys({ path: options.windowKeysFile, port, clock, onError });
  const returning = serveWindowReturn({ listener, port, policies, access, keys });
  const windows = [origin, `http://localhost:${port}`];
  const sandbox = rendererDir === undefined ? undefined : await serveAppSandbox({ windowPort: port, windows, onError });
  if (rendererDir !== undefined && sandbox !== undefined) {
    listener.route({
      methods: ['GET', 'HEAD'],
      path: '/*',
      policies,
      handle: pageHandler(access, () => returning.createToken(), { rendererDir, headers: pageHeaders(sandbox.origin) }),
    });
  }
  const served: Served = { listener, policies, access };
  answerPrograms(served, {
    '/link': () => createLink(),
    '/link-file': createLinkFile,
    '/sign-out': () => {
      signOut();
      return '';
    },
    ...(onYield && {
      '/yield': () => {
        for (const pipe of pipes) pipe.close(yieldedCode, 'left to the desktop app');
        onYield();
        return '';
      },
    }),
  });
  serveWindows(served, returning, options.contract, { pages, programs });
  if (options.servePipe !== undefined) servePipes(served, options.servePipe, pipes);

  function createLink(onSpent?: () => void): string {
    return `${origin}/?token=${access.createLinkToken(onSpent)}`;
  }

  function createLinkFile(): string {
    return linkFiles.create(createLink);
  }

  function signOut(): void {
    access.clear();
    keys.clear();
    returning.clear();
    for (const end of pages) end();
  }

  function close(): Promise<void> {
    linkFiles.close();
    // The listener would wait for them, and then break them off.
    for (const end of [...pages, ...programs]) end();
    for (const pipe of pipes) if (pipe.readyState === pipe.OPEN) pipe.terminate();
    return Promise.all([listener.close(), sandbox?.close()]).then(() => undefined);
  }

  const { bearerToken } = access;
  const sandboxOrigin = sandbox?.origin;
  return { origin, sandboxOrigin, bearerToken, createLink: () => createLink(), createLinkFile, signOut, close };
}

type Served = { listener: Listener; policies: RequestPolicy[]; access: BrowserAccess };

function forPrograms(access: BrowserAccess): RequestPolicy {
  return (request) =>
    access.isProgram(request) ? undefined : { status: 401, message: 'For programs of this user only.' };
}

function answerPrograms({ listener, policies, access }: Served, answers: Record<string, () => string>): void {
  for (const [path, answer] of Object.entries(answers))
    listener.route({
      methods: ['POST'],
      path,
      policies: [...policies, forPrograms(access)],
      handle: ({ response }) => {
        const text = answer();
        response.writeHead(200, { ...securityHeaders, 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' });
        response.end(text);
      },
    });
}

/** Serves the contract to windows, and to programs. */
function serveWindows(
  { listener, policies, access }: Served,
  returning: ReturnType<typeof serveWindowReturn>,
  contract: ContractServer,
  { pages, programs }: { pages: Set<() => void>; programs: Set<() => void> },
): void {
  const mayUse: RequestPolicy = (request) =>
    access.isAllowed(request) || returning.admit(request)
      ? undefined
      : { status: 401, message: 'Open the link that "toolwire serve" printed.' };
  listener.upgrade({
    path: '/api',
    policies: [
      ...policies,
      mayUse,
      (request) =>
        request.headers.origin !== undefined || access.isProgram(request)
          ? undefined
          : { status: 403, message: 'A browser must say its Origin.' },
    ],
    maxPayload,
    headers: returning.headers,
    handle: (socket, request) => {
      const end = contract.serve(webSocketWire(socket));
      const group = access.isProgram(request) ? programs : pages;
      group.add(end);
      socket.once('close', () => group.delete(end));
    },
  });
}

function servePipes({ listener, policies, access }: Served, servePipe: ServePipe, pipes: Set<WebSocket>): void {
  listener.upgrade({
    path: '/mcp',
    policies: [...policies, forPrograms(access)],
    maxPayload,
    handle(socket) {
      pipes.add(socket);
      socket.once('close', () => pipes.delete(socket));
      socket.on('error', () => socket.terminate());
      // A selection may be longer than a URL.
      socket.once('message', (asked: Buffer) => servePipe(socketPipe(socket), asked.toString('utf8')));
    },
  });
}

/** Answers a link with a cookie, and serves the files of the window to a browser that has one. */
function pageHandler(
  access: BrowserAccess,
  createWindowToken: () => string,
  { rendererDir, headers }: { rendererDir: string; headers: Readonly<Record<string, string>> },
): (exchange: HttpExchange) => void {
  const serveFile = sirv(rendererDir, {
    // Looks for each file when it is asked for: an upgrade may replace them while this runs.
    dev: true,
    etag: true,
    setHeaders: (response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.setHeader('Cache-Control', 'no-cache');
    },
  });
  return ({ request, response, url }) => {
    const token = url.searchParams.get('token');
    const cookie = token === null ? undefined : access.redeem(token);
    if (cookie !== undefined) {
      // A browser that comes from another site or a file does not send a strict cookie to the target of a redirect.
      // It does send the cookie if a page of this origin leads there.
      response.writeHead(200, {
        ...securityHeaders,
        // A fragment is sent to no server; the window takes it out of its address at once.
        Refresh: `0; url=/#enter=${createWindowToken()}`,
        'Content-Type': 'text/html; charset=utf-8',
        'Set-Cookie': cookie,
        'Cache-Control': 'no-store',
      });
      response.end(enteringPage);
    } else if (!access.isAllowed(request)) {
      response.writeHead(401, { ...securityHeaders, 'Content-Type': 'text/html; charset=utf-8' });
      response.end(signInPage(request.headers['accept-language']));
    } else if (token !== null) {
      response.writeHead(303, { ...securityHeaders, Location: '/' }).end();
    } else {
      serveFile(request, response, () => {
        response.writeHead(404, { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' });
        response.end('There is no such file.\n');
      });
    }
  };
}

/** A reader that has stopped reading is let go at this many unsent bytes. */
const maxBufferedBytes = 256 * 1024 * 1024;

/** A carrier over a WebSocket: browser mode and the terminal. */
function webSocketWire(socket: WebSocket): Wire {
  return {
    send: (message) => {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > maxBufferedBytes) socket.terminate();
      else socket.send(message);
    },
    onMessage: (listener) => {
      socket.on('message', (data: Buffer, isBinary: boolean) => listener(isBinary ? data : data.toString('utf8')));
    },
    onClose: (listener) => {
      socket.once('close', listener);
      // 'close' always follows 'error'; without a listener the error would end the process.
      socket.on('error', () => socket.terminate());
    },
    close: () => socket.close(),
  };
}
