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

/** A frame that has no `seq` yet. */
export interface WireEntry extends Pick<WireFrame, 'direction' | 'kind' | 'bytes' | 'text'> {
  note: WireNote;
  /** Credentials in `text` are masked, after it is truncated. */
  masked?: boolean;
  /** Epoch ms; now by default. */
  at?: number;
  /** From an unapproved device. Listeners get it only once the device is admitted, so that it cannot fill the store. */
  uninvited?: boolean;
}

/** Selects frames of a log. */
export interface FrameQuery {
  /** Only later ones, oldest first; without it the newest. */
  afterSeq?: number;
  limit: number;
}

/** The device of a log, its limits, and its listeners. */
export interface WireLogOptions {
  /** The hub's id of the device, set into every frame. */
  deviceId: string;
  clock: Clock;
  /** Numbers frames over all logs of a hub. */
  nextSeq: () => number;
  /** Called with each frame as it arrives. */
  listeners: ReadonlySet<(frame: WireFrame) => void>;
  limits: Pick<DeviceLimits, 'logFrames' | 'logChars' | 'logTextChars' | 'allLogChars'>;
  /** Characters in all logs together: a log whose frame exceeds the limit drops its oldest frames. */
  total: { chars: number };
}

/**
 * A stored frame: one flat object, overwritten once the ring is full. With a new object for each frame, V8 would
 * promote them to its old generation and keep every text alive until that is collected.
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
  /** It was not emitted to listeners. */
  unheard = false;
}

/** The cost of a frame beside its text, in characters: an estimate that bounds logs of empty frames. */
const frameCost = 100;

/** The frames of one device in a ring, bounded in number and in characters; the oldest are dropped first. */
export class WireLog {
  readonly #options: WireLogOptions;
  readonly #ring: KeptFrame[] = [];
  /** The cost of each frame of the ring. Dropping one then does not read its text, which is not in a CPU cache. */
  readonly #costs: number[] = [];
  #start = 0;
  #count = 0;
  #chars = 0;

  constructor(options: WireLogOptions) {
    this.#options = options;
  }

  /** Appends a frame. Returns its `seq`. */
  add(entry: WireEntry): number {
    const { direction, kind, bytes, text, note, at = this.#options.clock.wall(), uninvited = false } = entry;
    const { nextSeq, listeners, limits, total } = this.#options;
    const { type, role, method, summary, rpcId, callId, durationMs, failed = false } = note;
    const cut = text !== undefined && text.length > limits.logTextChars;
    // A copy if it is truncated: a slice would keep the whole text alive.
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

  /** The device is now admitted: listeners get its earlier frames, as far as they are kept. */
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

  /** Drops every frame. */
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
