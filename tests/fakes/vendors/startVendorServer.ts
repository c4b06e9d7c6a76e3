import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { VendorStream } from './vendorStreams.ts';

/** A local server in a vendor's shape. */
export interface VendorServer {
  /** Its address, with the path that stands in the vendor's own. */
  baseUrl: string;
  /** `POST /v1/chat/completions` and so on, with the key that came. */
  asked: { what: string; authorization: string | undefined; body: string }[];
  close: () => Promise<void>;
}

/** Starts it at the path of the vendor's own address; anything elsewhere is 404, and without its key 401. */
export async function startVendorServer(options: {
  /** The vendor's own address, of which the path counts. */
  address: string;
  stream: VendorStream;
  apiKey?: string;
}): Promise<VendorServer> {
  const { address, stream, apiKey } = options;
  const path = new URL(address).pathname.replace(/\/$/, '');
  const asked: VendorServer['asked'] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { authorization } = request.headers;
      const what = `${request.method} ${request.url}`;
      asked.push({ what, authorization, body: Buffer.concat(parts).toString('utf8') });
      const json = { 'content-type': 'application/json' };
      if (apiKey !== undefined && authorization !== `Bearer ${apiKey}`) {
        response.writeHead(401, json).end('{"error":{"message":"Incorrect API key provided."}}');
      } else if (what === `GET ${path}/models`) {
        response.writeHead(200, json).end(JSON.stringify(stream.models));
      } else if (what === `POST ${path}/chat/completions`) {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        // One write a line: an event comes in more than one piece.
        for (const line of stream.lines) await new Promise((resolve) => response.write(`${line}\n`, resolve));
        response.end();
      } else {
        response.writeHead(404, json).end('{"detail":"Not Found"}');
      }
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    asked,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
