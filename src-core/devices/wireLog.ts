import type { Clock } from './clock.ts';
import type { DeviceLimits } from './limits.ts';
import type { WireFrame } from './types.ts';

/** A frame before the log gave it its place and time. */
export type WireEntry = Omit<WireFrame, 'seq' | 'deviceId' | 'at' | 'cut'>;

/** Which frames of a log are wanted. */
export interface FrameQuery {
  callId?: string;
  /** Only later ones, oldest first; without it the newest. */
  afterSeq?: number;
  limit: number;
}

export interface WireLogOptions {
  /** The hub's id of the device, set into every frame. */
  deviceId: string;
  clock: Clock;
  /** Numbers frames over all logs of a hub. */
  nextSeq: () => number;
  onFrame: (frame: WireFrame) => void;
  limits: Pick<DeviceLimits, 'logFrames' | 'logChars' | 'logTextChars'>;
}

/** What a frame costs beside its text, in characters: a guess that bounds logs of empty frames. */
const frameCost = 100;

/** The frames of one device, bounded in number and in characters; the oldest go first. */
export class WireLog {
  readonly #options: WireLogOptions;
  #frames: WireFrame[] = [];
  /** Frames before this index are gone; they are cut off now and then, not one by one. */
  #first = 0;
  #chars = 0;

  constructor(options: WireLogOptions) {
    this.#options = options;
  }

  add(entry: WireEntry): void {
    const { deviceId, clock, nextSeq, onFrame, limits } = this.#options;
    const frame: WireFrame = { seq: nextSeq(), deviceId, at: clock.wall(), ...entry };
    if (frame.text !== undefined && frame.text.length > limits.logTextChars) {
      // A copy: a slice would keep the whole text alive.
      frame.text = Buffer.from(frame.text.slice(0, limits.logTextChars)).toString();
      frame.cut = true;
    }
    this.#frames.push(frame);
    this.#chars += cost(frame);
    while (this.#frames.length - this.#first > limits.logFrames || this.#chars > limits.logChars) this.#dropOldest();
    onFrame(frame);
  }

  /** The frames asked for, oldest first. */
  frames({ callId, afterSeq, limit }: FrameQuery): WireFrame[] {
    const found = this.#frames
      .slice(this.#first)
      .filter(
        (frame) =>
          (afterSeq === undefined || frame.seq > afterSeq) && (callId === undefined || frame.callId === callId),
      );
    return afterSeq === undefined ? found.slice(-limit) : found.slice(0, limit);
  }

  #dropOldest(): void {
    const oldest = this.#frames[this.#first];
    if (oldest !== undefined) this.#chars -= cost(oldest);
    this.#first += 1;
    if (this.#first < 512) return;
    this.#frames = this.#frames.slice(this.#first);
    this.#first = 0;
  }
}

function cost(frame: WireFrame): number {
  return frameCost + (frame.text?.length ?? 0);
}
