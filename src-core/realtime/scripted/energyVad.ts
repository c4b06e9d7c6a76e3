import { LevelMeter } from '../../audio/levelMeter.ts';
import { pcmFromBytes } from '../../audio/pcm.ts';
import type { TurnDetection } from './dialect.ts';

/** What the detector heard. Times are ms of sound since the session began. */
export type VadEvent = { type: 'started'; atMs: number } | { type: 'stopped'; atMs: number };

const frameMs = 20;
/** Loud frames in a row that begin speech: a click is none. */
const framesToStart = 3;

/** Hears from the level of the sound alone whether somebody speaks. */
export class EnergyVad {
  readonly #meter: LevelMeter;
  #frames = 0;
  #loudRun = 0;
  #quietRun = 0;
  #speaks = false;

  constructor(sampleRate: number) {
    this.#meter = new LevelMeter(sampleRate, frameMs);
  }

  /** Forgets the speech that goes on; the time goes on. */
  reset(): void {
    this.#speaks = false;
    this.#loudRun = 0;
    this.#quietRun = 0;
  }

  /** Takes 16-bit little-endian samples, an even number of bytes; calls back at once, in order. */
  feed(pcm: Uint8Array, detection: TurnDetection, onEvent: (event: VadEvent) => void): void {
    // A threshold of 0.5 is -45 dBFS: well above a quiet room, well below a voice.
    const loud = -60 + 30 * detection.threshold;
    for (const { rms } of this.#meter.push(pcmFromBytes(pcm))) {
      this.#frames += 1;
      this.#hear(rms > loud, detection, onEvent);
    }
  }

  #hear(isLoud: boolean, detection: TurnDetection, onEvent: (event: VadEvent) => void): void {
    this.#loudRun = isLoud ? this.#loudRun + 1 : 0;
    this.#quietRun = isLoud ? 0 : this.#quietRun + 1;
    const nowMs = this.#frames * frameMs;
    if (!this.#speaks && this.#loudRun >= framesToStart) {
      this.#speaks = true;
      onEvent({ type: 'started', atMs: Math.max(0, nowMs - framesToStart * frameMs - detection.prefixPaddingMs) });
    } else if (this.#speaks && this.#quietRun * frameMs >= detection.silenceDurationMs && this.#quietRun > 0) {
      this.#speaks = false;
      onEvent({ type: 'stopped', atMs: nowMs });
    }
  }
}
