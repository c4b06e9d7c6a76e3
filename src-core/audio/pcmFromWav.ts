import { pcmFromFloat } from './pcm.ts';
import { readWav } from './readWav.ts';
import { Resampler } from './resampler.ts';

/**
 * Converts a WAV file of any rate to samples of one channel at `sampleRate`.
 * @throws {RequestError} If it is not a WAV file.
 */
export function pcmFromWav(bytes: Uint8Array, sampleRate: number, options: { maxSeconds?: number } = {}): Int16Array {
  const sound = readWav(bytes, options);
  const resampler = new Resampler(sound.sampleRate, sampleRate);
  const most = resampler.push(sound.samples);
  const rest = resampler.flush();
  const all = new Float32Array(most.length + rest.length);
  all.set(most);
  all.set(rest, most.length);
  return pcmFromFloat(all);
}
