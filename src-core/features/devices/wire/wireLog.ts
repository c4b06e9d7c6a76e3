import type { Clock } from '../../../base/clock.ts';
import type { DeviceLimits } from '../limits.ts';
import { maskSecrets } from './maskSecrets.ts';
import type { WireFrame } from '../types.ts';

/** What a frame is about. */
export interface WireNote extends Pick<
  WireFrame,
  'type' | 'role' | 'method' | 'summary' | 'rpcId' | 'durationMs' | 'failed'
> {
  callId?: string | undefined;
}

/** A frame before the log gave it its place. */
export interface WireEntry extends Pick<WireFrame, 'direction' | 'kind' | 'bytes' | 'text'> {
  note: WireNote;
  /** Credentials in `text` are masked, after it is cut. */
  masked?: boolean;
  /** Epoch ms; now unless told. */
  at?: number;
  /** Of somebody who was not let in: nobody hears of it unless they are, so that who only knocks fills no store. */
  uninvited?: boolean;
}

/** Which frames of a log are wanted. */
export interface FrameQuery {
  /** Only later ones, oldest first; without it the newest. */
  afterSeq?: number;
  limit: number;
}

/** Whose frames a log keeps, how many, and who hears of each. */
export interface WireLogOptions {
  /** The hub's id of the device, set into every frame. */
  deviceId: string;
  clock: Clock;
  /** Numbers frames over all logs of a hub. */
  nextSeq: () => number;
  /** Whoever hears of each frame as it comes. */
  listeners: ReadonlySet<(frame: WireFrame) => void>;
  limits: Pick<DeviceLimits, 'logFrames' | 'logChars' | 'logTextChars' | 'allLogChars'>;
  /** What all logs together hold, in characters: the one that adds beyond the limit gives way. */
  total: { chars: number };
}

/**
 * A frame as it is kept: one flat object, written over once the ring is full. Made anew for each of two frames a call,
 * V8 takes them for long-lived, puts them among the old objects and keeps every text alive until it looks through those.
 */
class KeptFrame {
  seq = 0;
  at = 0;
  direction: WireFrame['direction'] = 'in';
  kind: WireFrame['kind'] = 'text';
  type: WireFrame['type'] = 'note';
  role: WireFrame['role'];
  method: string | undefined;
  summary = '';
  bytes = 0;
  rpcId: number | undefined;
  callId: string | undefined;
  durationMs: number | undefined;
  failed = false;
  text: string | undefined;
  cut = false;
  /** No listener has heard of it. */
  unheard = false;
}

/** What a frame costs beside its text, in characters: a guess that bounds logs of empty frames. */
const frameCost = 100;

/** The frames of one device in a ring, bounded in number and in characters; the oldest go first. */
export class WireLog {
  readonly #options: WireLogOptions;
  readonly #ring: KeptFrame[] = [];
  /** What each frame of the ring costs; to drop one costs no look at its text, long out of every cache. */
  readonly #costs: number[] = [];
  #start = 0;
  #count = 0;
  #chars = 0;

  constructor(options: WireLogOptions) {
    this.#options = options;
  }

  /** Adds a frame after those that are there. Gives its `seq`. */
  add(entry: WireEntry): number {
    const { direction, kind, bytes, text, note, at = this.#options.clock.wall(), uninvited = false } = entry;
    const { nextSeq, listeners, limits, total } = this.#options;
    const { type, role, method, summary, rpcId, callId, durationMs, failed = false } = note;
    const cut = text !== undefined && text.length > limits.logTextChars;
    // A copy where it is cut: a slice would keep the whole text alive.
    const shown = cut ? Buffer.from(text.slice(0, limits.logTextChars)).toString() : text;
    const kept = shown !== undefined && entry.masked === true ? maskSecrets(shown) : shown;
    const seq = nextSeq();
    if (this.#count === limits.logFrames) this.#dropOldest();
    const place = (this.#start + this.#count) % limits.logFrames;
    const cost = frameCost + (kept?.length ?? 0);
    const frame = (this.#ring[place] ??= new KeptFrame());
    frame.seq = seq;
    frame.at = at;
    frame.direction = direction;
    frame.kind = kind;
    frame.type = type;
    frame.role = role;
    frame.method = method;
    frame.summary = summary;
    frame.bytes = bytes;
    frame.rpcId = rpcId;
    frame.callId = callId;
    frame.durationMs = durationMs;
    frame.failed = failed;
    frame.text = kept;
    frame.cut = cut;
    frame.unheard = uninvited;
    this.#costs[place] = cost;
    this.#count += 1;
    this.#chars += cost;
    total.chars += cost;
    while ((this.#chars > limits.logChars || total.chars > limits.allLogChars) && this.#count > 1) this.#dropOldest();
    if (!uninvited) for (const hear of listeners) hear(this.#show(frame));
    return seq;
  }

  /** Whoever was not let in is now: listeners hear of the frames before, as far as they are kept. */
  release(): void {
    for (let index = 0; index < this.#count; index += 1) {
      const frame = this.#ring[(this.#start + index) % this.#options.limits.logFrames];
      if (frame?.unheard !== true) continue;
      frame.unheard = false;
      for (const hear of this.#options.listeners) hear(this.#show(frame));
    }
  }

  /** The hub's id of the device. */
  get deviceId(): string {
    return this.#options.deviceId;
  }

  /** The frames asked for, oldest first. */
  frames({ afterSeq, limit }: FrameQuery): WireFrame[] {
    const found: WireFrame[] = [];
    for (let index = 0; index < this.#count; index += 1) {
      const frame = this.#ring[(this.#start + index) % this.#options.limits.logFrames];
      if (frame !== undefined && (afterSeq === undefined || frame.seq > afterSeq)) found.push(this.#show(frame));
    }
    return afterSeq === undefined ? found.slice(-limit) : found.slice(0, limit);
  }

  #show(kept: KeptFrame): WireFrame {
    const { seq, at, direction, kind, type, role, method, summary, bytes, rpcId, callId, durationMs, text } = kept;
    const { deviceId } = this.#options;
    const frame: WireFrame = { seq, deviceId, at, direction, kind, type, summary, bytes };
    if (role !== undefined) frame.role = role;
    if (method !== undefined) frame.method = method;
    if (rpcId !== undefined) frame.rpcId = rpcId;
    if (callId !== undefined) frame.callId = callId;
    if (durationMs !== undefined) frame.durationMs = durationMs;
    if (kept.failed) frame.failed = true;
    if (text !== undefined) frame.text = text;
    if (kept.cut) frame.cut = true;
    return frame;
  }

  /** Lets go of every frame. */
  clear(): void {
    while (this.#count > 0) this.#dropOldest();
    this.#ring.length = 0;
  }

  #dropOldest(): void {
    const cost = this.#costs[this.#start] ?? 0;
    this.#chars -= cost;
    this.#options.total.chars -= cost;
    const frame = this.#ring[this.#start];
    if (frame !== undefined) frame.text = undefined;
    this.#start = (this.#start + 1) % this.#options.limits.logFrames;
    this.#count -= 1;
  }
}
