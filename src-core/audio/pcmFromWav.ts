import { pcmFromFloat } from './pcm.ts';
import { readWav } from './readWav.ts';
import { Resampler } from './resampler.ts';

/**
 * A WAV file as samples of one channel at a rate of ours, whatever its own.
 * @throws RequestError where it is none
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
