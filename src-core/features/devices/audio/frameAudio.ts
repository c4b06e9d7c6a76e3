import type { BinaryVersion } from './readBinaryFrame.ts';

const opus = 0;

/** One Opus frame as a connection of that version sends it; `readBinaryFrame` reads it. `timestampMs` is for version 2. */
export function frameAudio(payload: Buffer, version: BinaryVersion, timestampMs: number): Buffer {
  if (version === 1) return payload;
  const header = Buffer.alloc(version === 2 ? 16 : 4);
  if (version === 2) {
    header.writeUInt16BE(2, 0);
    header.writeUInt16BE(opus, 2);
    header.writeUInt32BE(timestampMs % 2 ** 32, 8);
    header.writeUInt32BE(payload.length, 12);
  } else {
    header.writeUInt8(opus, 0);
    header.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([header, payload]);
}
