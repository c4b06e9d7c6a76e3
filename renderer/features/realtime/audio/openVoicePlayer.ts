import { levelOf } from './level.ts';
import { VoiceQueue } from './voiceQueue.ts';

/** The window's loudspeaker for one conversation. */
export interface VoicePlayer {
  queue: VoiceQueue;
  /** How loud it is right now, 0 to 1 of a meter. */
  level(): number;
  /** 0 to 1. */
  setVolume(volume: number): void;
  /** The browser lets no sound out before the user has pressed something. */
  isHeldBack(): boolean;
  /** To be called from a press. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the loudspeaker at the model's own rate, so that pieces meet at whole samples. */
export function openVoicePlayer({ sampleRate }: { sampleRate: number }): VoicePlayer {
  const context = new AudioContext({ sampleRate });
  const gain = context.createGain();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1_024;
  analyser.connect(gain).connect(context.destination);
  const samples = new Float32Array(analyser.fftSize);
  const queue = new VoiceQueue({ context, destination: analyser });
  return {
    queue,
    level() {
      if (queue.current === undefined) return 0;
      analyser.getFloatTimeDomainData(samples);
      return levelOf(samples);
    },
    // Along a short way: a jump would be heard as a click.
    setVolume: (volume) => void gain.gain.setTargetAtTime(volume, context.currentTime, 0.015),
    isHeldBack: () => context.state === 'suspended',
    resume: () => context.resume(),
    close: () => context.close(),
  };
}
