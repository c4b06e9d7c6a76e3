import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ConformanceFrame } from '../../../contract/conformance.ts';

/** Bytes of a body. */
export const maxBodyBytes = 4 * 1024 * 1024;
/** UTF-16 units of a frame that are kept. */
const maxFrameText = 8_000;
/** Frames of a run that are kept. */
const maxFrames = 5_000;

/** A way to a server through an address of this computer, which keeps what goes through it. */
export interface Bridge {
  /** A random part keeps it from being guessed. */
  url: string;
  /** The messages within a period (epoch ms). */
  framesBetween(from: number, to: number): ConformanceFrame[];
  /** Ends everything that was opened for it. */
  close(): Promise<void>;
}

/** Keeps a frame. */
export type RecordFrame = (frame: Omit<ConformanceFrame, 'at' | 'length'>) => void;

/** Forwards the requests. */
export interface BridgeCarrier {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 for the conformance suite. */
export async function openBridge(options: {
  createCarrier(record: RecordFrame): BridgeCarrier;
  /** Removes secrets. */
  mask(text: string): string;
  onError(error: unknown): void;
}): Promise<Bridge> {
  const { createCarrier, mask, onError } = options;
  const frames: ConformanceFrame[] = [];
  const path = `/${randomUUID()}/mcp`;
  const carrier = createCarrier(({ text, ...frame }) => {
    if (frames.length >= maxFrames) return;
    const masked = mask(text);
    const isLong = masked.length > maxFrameText;
    frames.push({
      ...frame,
      at: Date.now(),
      text: masked.slice(0, maxFrameText),
      ...(isLong && { length: masked.length }),
    });
  });
  let isClosing = false;
  const server = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    carrier.handle(request, response).catch((error: unknown) => {
      // The end of a run ends its requests.
      if (!isClosing) onError(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'text/plain' }).end(error instanceof Error ? error.message : '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    framesBetween: (from, to) => frames.filter(({ at }) => at >= from && at < to),
    async close() {
      isClosing = true;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([carrier.close(), closed]);
    },
  };
}

/** A whole body. Undefined if it is too long. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes <= maxBodyBytes) pieces.push(piece);
  }
  return bytes <= maxBodyBytes ? Buffer.concat(pieces) : undefined;
}
