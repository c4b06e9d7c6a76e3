import type { Clock } from '../../../base/clock.ts';
import { frameAudio } from '../audio/frameAudio.ts';
import type { BinaryVersion } from '../audio/readBinaryFrame.ts';

/** 60 ms of silence in Opus: three frames of 20 ms, as many as boards put into one packet. */
const silence = Buffer.from('fb03fffefffefffe', 'hex');
const frameMs = 60;

/** Sends so many frames of silence, one each 60 ms, until it is stopped or `send` says that nobody hears it any more. */
export function sendSilence(options: {
  frames: number;
  version: BinaryVersion;
  clock: Clock;
  send: (frame: Buffer) => boolean;
}): () => void {
  const { frames, version, clock, send } = options;
  let sent = 0;
  let stop = (): void => {};
  const next = (): void => {
    if (sent >= frames || !send(frameAudio(silence, version, sent * frameMs))) return;
    sent += 1;
    stop = clock.after(frameMs, next);
  };
  next();
  return () => stop();
}
