import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

import { onTestFinished } from 'vitest';

/** Serves a handler of web requests on a free port until the test ends. Returns its URL, and what ends it at once. */
export async function serveFetch(
  handle: (request: Request) => Response | Promise<Response>,
  port = 0,
): Promise<{ url: string; port: number; stop(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const request = await toRequest(incoming);
      outgoing.on('close', () => request.abort.abort());
      const response = await handle(request.request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.flushHeaders();
      if (response.body)
        Readable.fromWeb(response.body as never)
          .on('error', () => outgoing.destroy())
          .pipe(outgoing);
      else outgoing.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(() => stop());
  const { port: listening } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${listening}/mcp`, port: listening, stop };
}

async function toRequest(incoming: IncomingMessage): Promise<{ request: Request; abort: AbortController }> {
  const abort = new AbortController();
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const url = `http://${incoming.headers.host}${incoming.url}`;
  return {
    request: new Request(url, { method: incoming.method ?? 'GET', headers, body, signal: abort.signal }),
    abort,
  };
}
