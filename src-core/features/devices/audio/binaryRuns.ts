import type { Clock } from '../../../base/clock.ts';
import type { FrameEntry } from '../../frames/frameLog.ts';

/** Frames of one line in the log, at most. */
const maxFrames = 100;
/** ms without a frame that end a run: five frames of 60 ms. */
const gapMs = 300;
/** Bytes of a malformed frame that are kept, as hexadecimal digits. */
const maxShownBytes = 64;

interface Run {
  direction: FrameEntry['direction'];
  frames: number;
  bytes: number;
  /** Epoch ms of the first frame. */
  at: number;
  /** ms of the clock. */
  firstAt: number;
  lastAt: number;
  timestamps: Timestamps | undefined;
  /** Of the first frame, if the run is one of malformed frames. */
  fault: { reason: string; text: string } | undefined;
  callId: string | undefined;
}

/** Timestamps of a run in version 2, ms. */
interface Timestamps {
  first: number;
  last: number;
  /** The largest step between two frames, by its size; a step back is negative. */
  step?: { ms: number; after: number; isEven: boolean };
}

/**
 * The binary frames of a connection, logged in runs: a line for each frame would fill the log in a minute of speech. A run has
 * the time of its first frame, and `durationMs` up to its last. `end` is called before any other line is logged, and a run ends
 * 300 ms after its last frame, so that the log stays in the order of what happened.
 */
export class BinaryRuns {
  readonly #clock: Clock;
  readonly #log: (entry: FrameEntry) => void;
  readonly #onStray: ((isAudio: boolean) => string | undefined) | undefined;
  /** At most one for each direction, in the order of their first frames. */
  #runs: Run[] = [];
  #stopTimer: (() => void) | undefined;

  constructor(options: {
    clock: Clock;
    log: (entry: FrameEntry) => void;
    /** Returns the call whose answer the first frame of a run of the device may be. */
    onStray?: (isAudio: boolean) => string | undefined;
  }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#onStray = options.onStray;
  }

  /** An audio frame of so many bytes on the wire; `timestampMs` if its version has one. */
  add(direction: FrameEntry['direction'], bytes: number, timestampMs?: number): void {
    const run = this.#runFor(direction, undefined);
    if (timestampMs !== undefined) run.timestamps = withTimestamp(run.timestamps, timestampMs);
    this.#count(run, bytes);
  }

  /** A frame of the device that could not be read. The first of a run is kept as it came. */
  addMalformed(data: Buffer, reason: string): void {
    this.#count(this.#runFor('in', { reason, text: data.toString('hex', 0, maxShownBytes) }), data.length);
  }

  /** Logs the runs that go on, if any. */
  end(): void {
    if (this.#runs.length === 0) return;
    const ended = this.#runs;
    this.#runs = [];
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const run of ended) this.#log(entryOf(run));
  }

  #runFor(direction: FrameEntry['direction'], fault: Run['fault']): Run {
    const running = this.#runs.find((run) => run.direction === direction);
    if (running !== undefined && running.fault?.reason === fault?.reason) return running;
    if (running !== undefined) this.end();
    const now = this.#clock.now();
    const run: Run = {
      direction,
      frames: 0,
      bytes: 0,
      at: this.#clock.wall(),
      firstAt: now,
      lastAt: now,
      timestamps: undefined,
      fault,
      callId: direction === 'in' ? this.#onStray?.(fault === undefined) : undefined,
    };
    this.#runs.push(run);
    return run;
  }

  #count(run: Run, bytes: number): void {
    run.frames += 1;
    run.bytes += bytes;
    run.lastAt = this.#clock.now();
    if (run.frames >= maxFrames) this.end();
    else this.#stopTimer ??= this.#clock.after(gapMs, () => this.#look());
  }

  /** Ends the runs if one of them has stopped: the other one began before this moment, too. */
  #look(): void {
    const oldest = Math.min(...this.#runs.map(({ lastAt }) => lastAt));
    const waitMs = oldest + gapMs - this.#clock.now();
    this.#stopTimer = undefined;
    if (waitMs <= 0) this.end();
    else this.#stopTimer = this.#clock.after(waitMs, () => this.#look());
  }
}

function entryOf({ direction, frames, bytes, at, firstAt, lastAt, timestamps, fault, callId }: Run): FrameEntry {
  const entry: FrameEntry = { direction, kind: 'binary', bytes, at, note: { type: 'audio', summary: '' } };
  if (fault === undefined) {
    entry.note.summary = `${frames} audio frame${frames === 1 ? '' : 's'}${timestampText(timestamps)}`;
  } else {
    entry.note = { type: 'invalid', summary: frames === 1 ? fault.reason : `${frames} times ${fault.reason}` };
    entry.text = fault.text;
  }
  entry.note.callId = callId;
  if (frames > 1) entry.note.durationMs = lastAt - firstAt;
  return entry;
}

function withTimestamp(before: Timestamps | undefined, timestampMs: number): Timestamps {
  if (before === undefined) return { first: timestampMs, last: timestampMs };
  const { last, step } = before;
  const ms = timestampMs - last;
  before.last = timestampMs;
  if (step === undefined) before.step = { ms, after: last, isEven: true };
  else if (ms !== step.ms) {
    step.isEven = false;
    if (Math.abs(ms) > Math.abs(step.ms)) {
      step.ms = ms;
      step.after = last;
    }
  }
  return before;
}

/** `, timestamps 0 to 1140 ms`, and the largest step if they are not evenly spaced. */
function timestampText(timestamps: Timestamps | undefined): string {
  if (timestamps === undefined) return '';
  const { first, last, step } = timestamps;
  if (step === undefined || (step.ms === 0 && step.isEven)) return `, timestamp ${first} ms`;
  const range = `, timestamps ${first} to ${last} ms`;
  return step.isEven ? range : `${range}, largest step ${step.ms} ms after ${step.after} ms`;
}
