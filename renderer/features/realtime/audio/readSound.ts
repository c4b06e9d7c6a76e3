import { mixDown } from './mixDown.ts';
import { pcmFromFloats } from './pcm.ts';

/** Bytes of a file: what is larger is no utterance. */
export const maxSoundBytes = 64 * 1024 * 1024;

/** A sound file of any kind the browser plays, as one channel of `sampleRate`. Rejects where it is none. */
export async function readSound(file: Blob, sampleRate: number): Promise<Int16Array> {
  const context = new OfflineAudioContext(1, 1, sampleRate);
  const buffer = await context.decodeAudioData(await file.arrayBuffer());
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, at) => buffer.getChannelData(at));
  return pcmFromFloats(mixDown(channels));
}
