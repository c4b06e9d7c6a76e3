import { RequestError } from '../base/requestError.ts';

const extensible = 0xfffe;

const encodings = new Map([
  [1, 'integer'],
  [3, 'float'],
] as const);

const bitsOf: Record<WavFormat['encoding'], readonly number[]> = { integer: [8, 16, 24, 32], float: [32, 64] };

/** The sound of a WAV file, its channels mixed into one. */
export interface WavSound {
  /** -1 to 1. */
  samples: Float32Array;
  sampleRate: number;
}

/**
 * Reads a WAV file: PCM of 8, 16, 24 or 32 bits, or floating point, of any usual rate and number of channels. A length
 * that the header does not know, as in a file that was being written, is the rest of the file.
 * @throws RequestError that says what is wrong with it, or that it is longer than `maxSeconds` (600 by default)
 */
export function readWav(bytes: Uint8Array, { maxSeconds = 600 }: { maxSeconds?: number } = {}): WavSound {
  const { format, data } = findChunks(bytes);
  const frameBytes = (format.bits / 8) * format.channels;
  const frames = Math.floor(data.byteLength / frameBytes);
  if (frames === 0) throw unreadable('it contains no sound');
  if (frames > maxSeconds * format.sampleRate) {
    throw new RequestError(
      `The WAV file is ${Math.round(frames / format.sampleRate)} s long; ${maxSeconds} s can be read. Cut it.`,
      { field: 'wav' },
    );
  }
  const read = sampleReader(format, data);
  const samples = new Float32Array(frames);
  const sampleBytes = format.bits / 8;
  for (let frame = 0; frame < frames; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < format.channels; channel += 1)
      sum += read(frame * frameBytes + channel * sampleBytes);
    const mixed = sum / format.channels;
    samples[frame] = Number.isFinite(mixed) ? mixed : 0;
  }
  return { samples, sampleRate: format.sampleRate };
}

function findChunks(bytes: Uint8Array): { format: WavFormat; data: DataView } {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.byteLength < 12 || nameAt(file, 0) !== 'RIFF' || nameAt(file, 8) !== 'WAVE')
    throw unreadable('it does not begin as a WAV file does');
  let format: WavFormat | undefined;
  for (let at = 12; at + 8 <= file.byteLength;) {
    const name = nameAt(file, at);
    const start = at + 8;
    const length = Math.min(file.getUint32(at + 4, true), file.byteLength - start);
    if (name === 'fmt ') format = readWavFormat(part(file, start, length));
    if (name === 'data') {
      if (format === undefined) throw unreadable('its "fmt " chunk does not come before its sound');
      const whole = file.getUint32(at + 4, true) === 0 ? file.byteLength - start : length;
      return { format, data: part(file, start, whole) };
    }
    // Chunks begin at even places.
    at = start + length + (length % 2);
  }
  throw unreadable('it contains no sound');
}

function part(file: DataView, start: number, length: number): DataView {
  return new DataView(file.buffer, file.byteOffset + start, length);
}

function nameAt(file: DataView, at: number): string {
  return String.fromCharCode(file.getUint8(at), file.getUint8(at + 1), file.getUint8(at + 2), file.getUint8(at + 3));
}

/** Reads the sample at a byte as -1 to 1. */
function sampleReader({ encoding, bits }: WavFormat, data: DataView): (at: number) => number {
  if (encoding === 'float') return bits === 32 ? (at) => data.getFloat32(at, true) : (at) => data.getFloat64(at, true);
  // Eight bits have no sign.
  if (bits === 8) return (at) => (data.getUint8(at) - 128) / 128;
  if (bits === 16) return (at) => data.getInt16(at, true) / 2 ** 15;
  if (bits === 24) return (at) => (data.getUint8(at) | (data.getInt16(at + 1, true) << 8)) / 2 ** 23;
  return (at) => data.getInt32(at, true) / 2 ** 31;
}

/** How the samples of a WAV file are written. */
interface WavFormat {
  encoding: 'integer' | 'float';
  bits: 8 | 16 | 24 | 32 | 64;
  channels: number;
  sampleRate: number;
}

/** Reads the `fmt ` chunk of a WAV file. @throws RequestError that says what is unusual about it */
function readWavFormat(chunk: DataView): WavFormat {
  if (chunk.byteLength < 16) throw unreadable('its "fmt " chunk is cut off');
  let code = chunk.getUint16(0, true);
  if (code === extensible && chunk.byteLength >= 26) code = chunk.getUint16(24, true);
  const encoding = encodings.get(code as 1 | 3);
  const channels = chunk.getUint16(2, true);
  const sampleRate = chunk.getUint32(4, true);
  const bits = chunk.getUint16(14, true);
  if (encoding === undefined) throw unreadable(`its samples are compressed (format ${code}); save it as PCM`);
  if (!bitsOf[encoding].includes(bits))
    throw unreadable(`it has ${bits} bits a sample; ${bitsOf[encoding].join(', ')} can be read`);
  if (channels < 1 || channels > 32) throw unreadable(`it has ${channels} channels; 1 to 32 can be read`);
  if (sampleRate < 4_000 || sampleRate > 384_000)
    throw unreadable(`it has ${sampleRate} samples a second; 4,000 to 384,000 can be read`);
  return { encoding, bits: bits as WavFormat['bits'], channels, sampleRate };
}

/** @internal What `readWav` says of a file that is none. */
function unreadable(reason: string): RequestError {
  return new RequestError(`The WAV file cannot be read: ${reason}.`, { field: 'wav' });
}
