import type { IncomingMessage } from 'node:http';
import { HttpError } from './httpError.ts';

/** Reads a request's body, at most `maxBytes`. @throws {HttpError} 413 beyond, 400 if the client aborts. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new HttpError(413, `The body is larger than ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    throw new HttpError(400, 'The request ended before its body did.');
  }
  return Buffer.concat(chunks, size);
}
