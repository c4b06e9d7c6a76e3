import type { Readable } from 'node:stream';

/** Bytes of a text that a command reads whole. The Parser of the window accepts as many characters. */
const maxBytes = 20_000_000;

/** Reads a stream of UTF-8 to its end. @throws Error that names `name` and the limit if the stream has more. */
export async function readWhole(stream: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes)
      throw new Error(`${name} has more than ${maxBytes.toLocaleString('en')} bytes. Pass a shorter text.`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks, size));
}
