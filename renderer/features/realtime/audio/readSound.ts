import { mixDown } from './mixDown.ts';
import { pcmFromFloats } from './pcm.ts';

/** Maximum bytes of a file. A larger file is not an utterance. */
export const maxSoundBytes = 64 * 1024 * 1024;

/** Decodes a sound file of any format the browser supports into one channel of `sampleRate`. Rejects if it cannot. */
export async function readSound(file: Blob, sampleRate: number): Promise<Int16Array> {
  const context = new OfflineAudioContext(1, 1, sampleRate);
  const buffer = await context.decodeAudioData(await file.arrayBuffer());
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, at) => buffer.getChannelData(at));
  return pcmFromFloats(mixDown(channels));
}
