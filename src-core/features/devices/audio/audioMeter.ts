import type { DeviceInfo } from '../../../contract/deviceInfo.ts';

const windowMs = 2_000;
const slots = 8;
const slotMs = windowMs / slots;

/** Counts the audio of one connection, and its rate over the last two seconds. */
export class AudioMeter {
  #frames = 0;
  #bytes = 0;
  #malformed = 0;
  /** Frames by quarter of a second, round and round; one more than the window, since the newest is not full. */
  readonly #bySlot = new Uint32Array(slots + 1);
  #slot = 0;

  /** A frame of so many bytes of Opus, at `now` of a clock. */
  add(bytes: number, now: number): void {
    this.#turnTo(now);
    this.#frames += 1;
    this.#bytes += bytes;
    const at = this.#slot % (slots + 1);
    this.#bySlot[at] = (this.#bySlot[at] ?? 0) + 1;
  }

  /** A frame that is none of the connection's version. */
  addMalformed(): void {
    this.#malformed += 1;
  }

  /** `undefined` while nothing came. */
  figures(now: number): DeviceInfo['audio'] {
    if (this.#frames + this.#malformed === 0) return undefined;
    this.#turnTo(now);
    const newest = this.#slot % (slots + 1);
    let recent = 0;
    for (const [at, frames] of this.#bySlot.entries()) if (at !== newest) recent += frames;
    return {
      frames: this.#frames,
      bytes: this.#bytes,
      framesPerSecond: recent / (windowMs / 1_000),
      malformed: this.#malformed,
    };
  }

  /** Empties the slots that passed since. */
  #turnTo(now: number): void {
    const slot = Math.floor(now / slotMs);
    const passed = Math.min(slot - this.#slot, slots + 1);
    for (let step = 1; step <= passed; step += 1) this.#bySlot[(slot - passed + step) % (slots + 1)] = 0;
    this.#slot = slot;
  }
}
