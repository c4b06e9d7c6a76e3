import { bytesFromPcm } from '../../src-core/audio/pcm.ts';

/** A WAV file of one channel, 16 bit. */
export function writeWav(pcm: Int16Array, sampleRate: number): Uint8Array {
  const bytes = new Uint8Array(44 + pcm.length * 2);
  const view = new DataView(bytes.buffer);
  const name = (at: number, text: string): void => bytes.set(new TextEncoder().encode(text), at);
  name(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  name(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  name(36, 'data');
  view.setUint32(40, pcm.length * 2, true);
  bytes.set(bytesFromPcm(pcm), 44);
  return bytes;
}
