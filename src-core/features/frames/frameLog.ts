import { systemClock, type Clock } from '../../base/clock.ts';
import { maskSecretsInJson } from '../../base/maskSecrets.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Frame } from '../../contract/frames.ts';
import { logIdOf, type StoredDevice, type StoredLog, type WireStore } from '../../store/frameTypes.ts';
import { defaultHeldLimits, HeldFrames, type HeldLimits } from './heldFrames.ts';
import { withUnwritten } from './withUnwritten.ts';

/** What a frame is about. */
export interface FrameNote {
  type: Frame['type'];
  summary: Frame['summary'];
  role?: Frame['role'] | undefined;
  method?: string | undefined;
  rpcId?: number | undefined;
  callId?: string | undefined;
  durationMs?: number | undefined;
  failed?: boolean | undefined;
}

/** A frame on its way into the log. */
export interface NewFrame extends Pick<Frame, 'source' | 'connection' | 'direction' | 'kind' | 'bytes'> {
  note: FrameNote;
  text?: string | undefined;
  http?: Frame['http'] | undefined;
  /** Secrets in `text` are replaced by `***`, after it is truncated. */
  mask?: boolean | undefined;
  /** Epoch ms; now by default. */
  at?: number | undefined;
  /** From an unapproved device: kept in memory until `admit`, so that it cannot fill the store. */
  held?: boolean | undefined;
}

/** What a connection says of a frame of its own. */
export type FrameEntry = Omit<NewFrame, 'source' | 'connection' | 'held'>;

/** Where connections record their frames. */
export interface FrameRecorder {
  /** Returns the frame's `seq`. */
  add(frame: NewFrame): number;
  /** The device is approved: its held frames are recorded, as far as they are kept. */
  admit(deviceId: string): void;
  /** Drops the held frames of a device. */
  forget(deviceId: string): void;
}

/** Called with each frame as it is recorded, and without one if frames were evicted, removed or restored. */
export type FrameListener = (frame: Frame | undefined) => void;

/** Characters of a text that are kept. */
const maxText = (source: Frame['source']): number => (source === 'device' ? 64 : 512) * 1024;

/** Numbers that are reserved at once. */
const block = 10_000;

/** ms from a frame to its write, and the amounts that are written earlier. A crash loses this much. */
const flushMs = 100;
const flushFrames = 500;
const flushChars = 2_000_000;

/** ms to the next attempt after a failed write, and how much is kept for it. The oldest frames are dropped. */
const retryMs = 5_000;
const maxWaiting = 10_000;
const maxWaitingChars = 32_000_000;

interface FrameLogOptions {
  store: WireStore;
  /** MB that all frames may take. */
  limitMb: number;
  onError: ErrorReporter;
  clock?: Clock;
  held?: HeldLimits | undefined;
}

/** Opens the log of a store. */
export async function openFrameLog(options: FrameLogOptions): Promise<FrameLog> {
  return new FrameLog(options, await options.store.ids());
}

/**
 * The frames of all connections. They are numbered and emitted to listeners at once, and written some at a time; until then
 * they are read from memory. A read never causes a write.
 */
export class FrameLog implements FrameRecorder {
  readonly #store: WireStore;
  readonly #onError: ErrorReporter;
  readonly #clock: Clock;
  readonly #held: HeldFrames;
  readonly #listeners = new Set<FrameListener>();
  /** Ids of logs that have frames in the store. */
  readonly #known: Set<string>;
  /** Ids of devices with a frame of this run. Nothing is stored of others: any host on the network can invent thousands. */
  readonly #recorded = new Set<string>();
  /** Devices whose facts may have changed, and the facts that were written last, without the time. */
  readonly #touched = new Set<string>();
  readonly #written = new Map<string, string>();
  /** Facts of other logs, to be written with the next frames. */
  readonly #about = new Map<string, StoredDevice>();
  #waiting: Frame[] = [];
  #chars = 0;
  #limitMb: number;
  /** The reserved numbers that no frame has yet. */
  #upcoming = 0;
  #end = 0;
  #stopTimer: (() => void) | undefined;
  #failing = false;
  /** There may be more than the limit, though nothing has come since. */
  #mayBeOver = true;
  /** Returns what is to be stored of a device; undefined if it is unknown. */
  describe: (deviceId: string) => StoredDevice | undefined = () => undefined;

  constructor(options: FrameLogOptions, known: Iterable<string>) {
    this.#store = options.store;
    this.#limitMb = options.limitMb;
    this.#onError = options.onError;
    this.#clock = options.clock ?? systemClock;
    this.#held = new HeldFrames(options.held ?? defaultHeldLimits);
    this.#reserve();
    this.#known = new Set(known);
  }

  /** The number that the next frame gets. */
  get upcomingSeq(): number {
    return this.#upcoming;
  }

  add(added: NewFrame): number {
    const frame = this.#toFrame(added);
    if (added.held !== true) this.#record(frame);
    else {
      this.#held.add(frame);
      if (!this.#known.has(frame.connection)) this.#emit(frame);
    }
    return frame.seq;
  }

  admit(deviceId: string): void {
    // They were emitted when they arrived, unless the device had a log already.
    const wereEmitted = !this.#known.has(deviceId);
    for (const frame of this.#held.take(deviceId)) this.#record(frame, wereEmitted);
  }

  forget(deviceId: string): void {
    this.#held.take(deviceId);
  }

  /** What is to be stored of a device may have changed; `describe` is called for it before the next write. */
  touch(deviceId: string): void {
    if (!this.#recorded.has(deviceId)) return;
    this.#touched.add(deviceId);
    this.#schedule();
  }

  /** Stores what is known of a log that is not a device's. */
  about(facts: StoredDevice): void {
    this.#about.set(facts.id, facts);
    this.#schedule();
  }

  /** Whether a log has frames. */
  has(logId: string): boolean {
    return this.#known.has(logId);
  }

  /** One log, the frames of one connection in it, or the frames of all devices. */
  log(id?: string | undefined, connection?: string | undefined): StoredLog {
    return withUnwritten(this.#store.log(id, connection), () => this.#unwritten(id, connection));
  }

  /** The frames of a call, newest first: at most `limit`, or fewer if they have more than `characters`. */
  async callFrames(callId: string, most: { limit: number; characters: number }): Promise<Frame[]> {
    const unwritten = this.#waiting.filter(
      ({ source, ...frame }) => frame.callId === callId && source !== 'gateway' && source !== 'realtime',
    );
    const stored = await this.#store.callFrames(callId, most);
    const last = stored[0]?.seq ?? -1;
    const all = [...unwritten.filter(({ seq }) => seq > last).reverse(), ...stored];
    let length = 0;
    const end = all.findIndex(({ text = '' }, at) => (length += text.length) > most.characters && at > 0);
    return all.slice(0, Math.min(most.limit, end === -1 ? Infinity : end));
  }

  /** Calls `listener` until the returned function is called. */
  listen(listener: FrameListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Frames have been removed or added other than by recording: listeners read again. */
  changed(): void {
    this.#emit(undefined);
  }

  /** Moves a log to where `putBack` and the store's `drop` find it by `key`; `keepFacts`: the facts stay, too. */
  async setAside(id: string, options: { key: string; keepFacts: boolean }): Promise<void> {
    this.flush();
    this.#known.delete(id);
    await this.#store.setAside(id, options);
    this.changed();
  }

  /** @throws {RequestError} If the limit has evicted the log meanwhile. */
  async putBack(key: string, id: string): Promise<void> {
    this.flush();
    let isBack: boolean | 'more' = 'more';
    while (isBack === 'more') isBack = await this.#store.putBack(key, id);
    if (!isBack) throw new RequestError('The log was deleted meanwhile to stay within the limit.', { field: 'id' });
    this.#known.add(id);
    this.changed();
  }

  setLimit(mb: number): void {
    if (mb === this.#limitMb) return;
    this.#limitMb = mb;
    this.#mayBeOver = true;
    this.#schedule();
  }

  /** Writes waiting frames now. Never throws: errors go to `onError`. */
  flush(): void {
    if (!this.#failing) this.#write();
  }

  /** Writes waiting frames for the last time. */
  close(): void {
    this.#write();
    this.#stopTimer?.();
    if (!this.#failing) this.#store.release(this.#upcoming, this.#end);
  }

  #toFrame({ source, connection, direction, kind, bytes, note, text, http, mask, at }: NewFrame): Frame {
    const { type, role, method, summary, rpcId, callId, durationMs, failed } = note;
    const seq = this.#nextSeq();
    const frame: Frame = {
      source,
      connection,
      seq,
      at: at ?? this.#clock.wall(),
      direction,
      kind,
      type,
      summary,
      bytes,
    };
    if (role !== undefined) frame.role = role;
    if (method !== undefined) frame.method = method;
    if (rpcId !== undefined) frame.rpcId = rpcId;
    if (callId !== undefined) frame.callId = callId;
    if (durationMs !== undefined) frame.durationMs = durationMs;
    if (failed === true) frame.failed = true;
    if (http !== undefined) frame.http = http;
    if (text !== undefined) setText(frame, text, mask === true);
    return frame;
  }

  #nextSeq(): number {
    if (this.#upcoming === this.#end) this.#reserve();
    return this.#upcoming++;
  }

  /** Reserves numbers in the store by the block, so that a crash never lets two frames have the same. */
  #reserve(): void {
    this.#upcoming = this.#store.reserve(block);
    this.#end = this.#upcoming + block;
  }

  #record(frame: Frame, wasEmitted = false): void {
    const id = logIdOf(frame);
    this.#known.add(id);
    this.#waiting.push(frame);
    if (frame.source === 'device' && !this.#recorded.has(id)) {
      this.#recorded.add(id);
      this.#touched.add(id);
    }
    this.#chars += frame.text?.length ?? 0;
    if (!wasEmitted) this.#emit(frame);
    if (this.#failing) this.#dropOldest();
    const isMuch = this.#waiting.length >= flushFrames || this.#chars >= flushChars;
    if (isMuch && !this.#failing) this.#write();
    else this.#schedule();
  }

  #emit(frame: Frame | undefined): void {
    for (const listener of this.#listeners) listener(frame);
  }

  #unwritten(id?: string, connection?: string): Frame[] {
    const isWanted = (frame: Frame): boolean =>
      id === undefined
        ? frame.source === 'device'
        : logIdOf(frame) === id && (connection === undefined || frame.connection === connection);
    const frames = this.#waiting.filter(isWanted);
    return id === undefined || this.#known.has(id) ? frames : [...this.#held.of(id), ...frames];
  }

  #schedule(ms = flushMs): void {
    this.#stopTimer ??= this.#clock.after(ms, () => this.#write());
  }

  #write(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const ofDevices = this.#takeFacts();
    if (this.#waiting.length + ofDevices.length + this.#about.size === 0 && !this.#mayBeOver) return;
    try {
      const devices = [...ofDevices, ...this.#about.values()];
      const outcome = this.#store.write({ frames: this.#waiting, devices, limit: this.#limitMb * 1_000_000 });
      this.#clearWritten();
      this.#mayBeOver = outcome === 'more';
      this.#failing = false;
      if (outcome !== 'kept') this.changed();
    } catch (error) {
      if (!this.#failing) this.#onError(error, 'the recording of what devices say');
      this.#failing = true;
      // A second attempt at a row that violates a constraint would fail, too.
      if (isConstraint(error)) this.#clearWritten();
      else this.#keepForNext(ofDevices);
    }
    if (this.#mayBeOver || this.#failing) this.#schedule(this.#failing ? retryMs : flushMs);
  }

  #clearWritten(): void {
    this.#waiting = [];
    this.#chars = 0;
    this.#about.clear();
  }

  #takeFacts(): StoredDevice[] {
    const devices: StoredDevice[] = [];
    for (const id of this.#touched) {
      const facts = this.describe(id);
      // Figures that change every second are no reason to write.
      const key = JSON.stringify({ ...facts, lastSeenAt: 0 });
      if (facts === undefined) this.#written.delete(id);
      else if (this.#written.get(id) !== key) {
        this.#written.set(id, key);
        devices.push(facts);
      }
    }
    this.#touched.clear();
    return devices;
  }

  #keepForNext(ofDevices: readonly StoredDevice[]): void {
    for (const { id } of ofDevices) {
      this.#written.delete(id);
      this.#touched.add(id);
    }
    this.#dropOldest();
  }

  #dropOldest(): void {
    if (this.#waiting.length <= maxWaiting && this.#chars <= maxWaitingChars) return;
    this.#waiting = this.#waiting.slice(this.#waiting.length / 2);
    this.#chars = lengthOf(this.#waiting);
  }
}

function setText(frame: Frame, text: string, mask: boolean): void {
  const most = maxText(frame.source);
  const isShort = text.length <= most;
  const masked = mask ? maskSecretsInJson(isShort ? text : text.slice(0, most)) : text;
  if (isShort && masked.length <= most) {
    frame.text = masked;
    return;
  }
  // A copy: a slice would keep the whole text alive.
  frame.text = Buffer.from(masked.slice(0, most)).toString();
  frame.cut = true;
}

function lengthOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, { text = '' }) => sum + text.length, 0);
}

/** Whether an error has SQLite's result code for a row that violates a constraint. */
function isConstraint(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 19;
}
