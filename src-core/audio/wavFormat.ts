import { RequestError } from '../base/requestError.ts';

/** How the samples of a WAV file are written. */
export interface WavFormat {
  encoding: 'integer' | 'float';
  bits: 8 | 16 | 24 | 32 | 64;
  channels: number;
  sampleRate: number;
}

const extensible = 0xfffe;
const encodings = new Map([
  [1, 'integer'],
  [3, 'float'],
] as const);
const bitsOf: Record<WavFormat['encoding'], readonly number[]> = { integer: [8, 16, 24, 32], float: [32, 64] };

/**
 * Reads the `fmt ` chunk of a WAV file.
 * @throws RequestError that says what is unusual about it
 */
export function readWavFormat(chunk: DataView): WavFormat {
  if (chunk.byteLength < 16) throw unreadable('its "fmt " chunk is cut off');
  let code = chunk.getUint16(0, true);
  if (code === extensible && chunk.byteLength >= 26) code = chunk.getUint16(24, true);
  const encoding = encodings.get(code as 1 | 3);
  const channels = chunk.getUint16(2, true);
  const sampleRate = chunk.getUint32(4, true);
  const bits = chunk.getUint16(14, true);
  if (encoding === undefined) throw unreadable(`its samples are compressed (format ${code}); save it as PCM`);
  if (!bitsOf[encoding].includes(bits)) {
    throw unreadable(`it has ${bits} bits a sample; ${bitsOf[encoding].join(', ')} can be read`);
  }
  if (channels < 1 || channels > 32) throw unreadable(`it has ${channels} channels; 1 to 32 can be read`);
  if (sampleRate < 4_000 || sampleRate > 384_000) {
    throw unreadable(`it has ${sampleRate} samples a second; 4,000 to 384,000 can be read`);
  }
  return { encoding, bits: bits as WavFormat['bits'], channels, sampleRate };
}

/** @internal What `readWav` says of a file that is none. */
export function unreadable(reason: string): RequestError {
  return new RequestError(`The WAV file cannot be read: ${reason}.`, { field: 'wav' });
}
