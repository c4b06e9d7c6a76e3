import type { Frame } from '../../contract/frames.ts';

/** Frames and characters that are held for one device, and characters for all. */
export interface HeldLimits {
  frames: number;
  chars: number;
  allChars: number;
}

export const defaultHeldLimits: HeldLimits = Object.freeze({
  frames: 2_000,
  chars: 2 * 1024 * 1024,
  allChars: 256 * 1024 * 1024,
});

/** The cost of a frame beside its text, in characters: an estimate that bounds many empty frames. */
const frameCost = 100;

/** Frames of unapproved devices. A device whose frame exceeds a limit loses its oldest ones. */
export class HeldFrames {
  readonly #limits: HeldLimits;
  readonly #byDevice = new Map<string, { frames: Frame[]; chars: number }>();
  #chars = 0;

  constructor(limits: HeldLimits) {
    this.#limits = limits;
  }

  add(frame: Frame): void {
    const device = this.#byDevice.get(frame.connection) ?? { frames: [], chars: 0 };
    this.#byDevice.set(frame.connection, device);
    device.frames.push(frame);
    const count = (by: number): void => {
      device.chars += by;
      this.#chars += by;
    };
    count(costOf(frame));
    const { frames, chars, allChars } = this.#limits;
    while (
      device.frames.length > frames ||
      (device.frames.length > 1 && (device.chars > chars || this.#chars > allChars))
    ) {
      const oldest = device.frames.shift();
      if (oldest !== undefined) count(-costOf(oldest));
    }
  }

  of(deviceId: string): readonly Frame[] {
    return this.#byDevice.get(deviceId)?.frames ?? [];
  }

  /** Returns the frames of a device, and holds them no longer. */
  take(deviceId: string): readonly Frame[] {
    const { frames = [], chars = 0 } = this.#byDevice.get(deviceId) ?? {};
    this.#byDevice.delete(deviceId);
    this.#chars -= chars;
    return frames;
  }
}

function costOf({ text = '' }: Frame): number {
  return frameCost + text.length;
}
