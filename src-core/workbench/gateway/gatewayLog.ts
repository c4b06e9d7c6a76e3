import type { GatewayLogFrame, GatewayLogPage, GatewayLogRow } from '../../api/types/gateway.ts';
import type { GatewayFrame } from '../../gateway/gatewayFrame.ts';
import { RequestError } from '../../tools/requestError.ts';

/** What the log keeps; the oldest frames go first. */
export interface GatewayLogLimits {
  frames: number;
  /** Characters of all texts together, and of one. */
  chars: number;
  textChars: number;
}

const defaultLimits: GatewayLogLimits = { frames: 20_000, chars: 32_000_000, textChars: 1_000_000 };
/** What a frame costs beside its text, in characters: a guess. */
const frameCost = 200;

/** The frames of all connections of the gateway, in one log, so that those of a client that has left stay. */
export class GatewayLog {
  readonly #limits: GatewayLogLimits;
  readonly #wall: () => number;
  #frames: GatewayLogFrame[] = [];
  #chars = 0;
  #nextSeq = 1;
  /** When each callback went out that has no result yet, by call id. */
  readonly #callbacks = new Map<string, number>();

  constructor(options: { wall: () => number; limits?: Partial<GatewayLogLimits> }) {
    this.#wall = options.wall;
    this.#limits = { ...defaultLimits, ...options.limits };
  }

  add(connectionId: string, { text, ...frame }: GatewayFrame): void {
    const at = this.#wall();
    const cut = text !== undefined && text.length > this.#limits.textChars;
    const durationMs = this.#duration(frame, at);
    this.#frames.push({
      ...{ seq: this.#nextSeq, deviceId: connectionId, at, ...frame },
      ...(durationMs !== undefined && { durationMs }),
      // A copy where it is cut: a slice would keep the whole text alive.
      ...(text !== undefined && { text: cut ? Buffer.from(text.slice(0, this.#limits.textChars)).toString() : text }),
      ...(cut && { cut }),
    });
    this.#nextSeq += 1;
    this.#chars += frameCost + Math.min(text?.length ?? 0, this.#limits.textChars);
    this.#trim();
  }

  page({
    id,
    afterSeq = 0,
    limit,
  }: {
    id?: string | undefined;
    afterSeq?: number | undefined;
    limit: number;
  }): GatewayLogPage {
    const rows: GatewayLogRow[] = [];
    const firstSeq = this.#frames[0]?.seq ?? this.#nextSeq;
    for (let at = this.#placeOf(afterSeq + 1); at < this.#frames.length && rows.length < limit; at += 1) {
      const frame = this.#frames[at];
      if (frame !== undefined && (id === undefined || frame.deviceId === id)) rows.push(rowOf(frame));
    }
    return { rows, firstSeq, lastSeq: this.#nextSeq - 1 };
  }

  /** Throws a `RequestError` where it has gone. */
  frame(seq: number): GatewayLogFrame {
    const frame = this.#frames[this.#placeOf(seq)];
    if (frame?.seq === seq) return frame;
    throw new RequestError(`Frame ${seq} is not in the log any more.`, { field: 'seq' });
  }

  search({ id, text }: { id?: string | undefined; text: string }): number[] {
    const wanted = text.toLowerCase();
    return this.#frames
      .filter(({ deviceId }) => id === undefined || deviceId === id)
      .filter(({ summary, text: body = '' }) => `${summary}\n${body}`.toLowerCase().includes(wanted))
      .map(({ seq }) => seq);
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0;
  }

  /** Gives what it held. */
  clear(): readonly GatewayLogFrame[] {
    const frames = this.#frames;
    this.#frames = [];
    this.#chars = 0;
    return frames;
  }

  /** Puts back what was cleared, beside what came since. */
  putBack(frames: readonly GatewayLogFrame[]): void {
    this.#frames = [...frames, ...this.#frames].sort((one, other) => one.seq - other.seq);
    this.#chars += frames.reduce((sum, { text = '' }) => sum + frameCost + text.length, 0);
    this.#trim();
  }

  /** Where the frame of this number stands, or the next. What was cleared leaves a gap. */
  #placeOf(seq: number): number {
    let [low, high] = [0, this.#frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#frames[middle]?.seq ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #duration({ type, callId }: Omit<GatewayFrame, 'text'>, at: number): number | undefined {
    if (callId === undefined) return undefined;
    if (type === 'tool_callback') this.#callbacks.set(callId, at);
    // Calls that are never answered would pile up.
    if (this.#callbacks.size > 1_000) this.#callbacks.delete(this.#callbacks.keys().next().value ?? '');
    if (type !== 'tool_result') return undefined;
    const sentAt = this.#callbacks.get(callId);
    this.#callbacks.delete(callId);
    return sentAt === undefined ? undefined : at - sentAt;
  }

  /** A tenth at once: cutting off the front costs as much as the whole list. */
  #trim(): void {
    const { frames, chars } = this.#limits;
    if (this.#frames.length <= frames && this.#chars <= chars) return;
    let drop = 0;
    while (this.#frames.length - drop > frames * 0.9 || this.#chars > chars * 0.9) {
      const oldest = this.#frames[drop];
      if (oldest === undefined || drop === this.#frames.length - 1) break;
      this.#chars -= frameCost + (oldest.text?.length ?? 0);
      drop += 1;
    }
    this.#frames.splice(0, drop);
  }
}

function rowOf(frame: GatewayLogFrame): GatewayLogRow {
  const row = { ...frame };
  delete row.text;
  delete row.cut;
  return row;
}
