import { isUtf8 } from 'node:buffer';

/** A text frame as text. `problem` is set if its bytes are not UTF-8; each byte that is none is shown as `\xE9` then. */
export interface FrameText {
  text: string;
  problem?: string;
}

/** Reads the bytes of a text frame. RFC 6455 requires UTF-8; boards send what their buffers hold. Never throws. */
export function readFrameText(data: Buffer): FrameText {
  if (isUtf8(data)) return { text: data.toString('utf8') };
  const pieces: string[] = [];
  let first: number | undefined;
  let done = 0;
  let at = 0;
  while (at < data.length) {
    const length = sequenceLength(data[at] ?? 0);
    if (length === 1 || (length > 1 && isUtf8(data.subarray(at, at + length)))) {
      at += length;
      continue;
    }
    first ??= at;
    pieces.push(data.toString('utf8', done, at), `\\x${hexOf(data[at])}`);
    at += 1;
    done = at;
  }
  pieces.push(data.toString('utf8', done));
  return { text: pieces.join(''), problem: `not UTF-8 (byte ${hexOf(data[first ?? 0])} at position ${first})` };
}

/** Bytes of the character that begins with this byte; 0 if none does. */
function sequenceLength(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

function hexOf(byte: number | undefined): string {
  return (byte ?? 0).toString(16).toUpperCase().padStart(2, '0');
}
