/** How a connection frames its binary data: `version` of the device's hello (docs/protocols/xiaozhi.md#messages). */
export type BinaryVersion = 1 | 2 | 3;

/** A binary frame, read: Opus, of which only size and timestamp (version 2) count, or a JSON message, or neither. */
export type BinaryFrame =
  | { kind: 'audio'; bytes: number; timestampMs?: number }
  | { kind: 'json'; text: string }
  | { kind: 'malformed'; reason: string };

const headerBytes = { 1: 0, 2: 16, 3: 4 } as const;
const opus = 0;
const json = 1;

/** The version that a hello names; 1, which has no header, for anything unknown. */
export function binaryVersionOf(version: unknown): BinaryVersion {
  return version === 2 || version === 3 ? version : 1;
}

/**
 * Reads a binary frame by its connection's version, big-endian: 2 has a header of version, type, reserved (4 bytes),
 * timestamp in ms (4) and size (4), 16 bytes in all; 3 one of type (1), reserved (1) and size (2); 1 none. Never
 * parses.
 */
export function readBinaryFrame(data: Buffer, version: BinaryVersion): BinaryFrame {
  const start = headerBytes[version];
  if (data.length <= start) return malformed(`of ${data.length} bytes, too short for version ${version}`);
  if (version === 1) return { kind: 'audio', bytes: data.length };
  if (version === 2 && data.readUInt16BE(0) !== 2)
    return malformed(`whose header says version ${data.readUInt16BE(0)}, not 2`);
  const type = version === 2 ? data.readUInt16BE(2) : data.readUInt8(0);
  const size = version === 2 ? data.readUInt32BE(12) : data.readUInt16BE(2);
  const bytes = data.length - start;
  if (size !== bytes) return malformed(`whose header says ${size} bytes, with ${bytes} behind it`);
  if (type === opus)
    return { kind: 'audio', bytes, ...(version === 2 ? { timestampMs: data.readUInt32BE(8) } : undefined) };
  if (type === json) return { kind: 'json', text: data.toString('utf8', start) };
  return malformed(`of the unknown type ${type}`);
}

/** Whether it begins with `{"`: no Opus packet does, for which that is 34 frames of 20 ms, where RFC 6716 allows 120 ms. */
export function isJsonText(data: Buffer): boolean {
  return data.length > 1 && data.readUInt16BE(0) === 0x7b22;
}

/** What a binary frame of that version carries behind its header; for one that `readBinaryFrame` calls audio, one Opus packet. */
export function payloadOf(data: Buffer, version: BinaryVersion): Buffer {
  return data.subarray(headerBytes[version]);
}

function malformed(reason: string): BinaryFrame {
  return { kind: 'malformed', reason: `a binary frame ${reason}` };
}
