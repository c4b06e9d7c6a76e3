import type { DeviceHub } from '../deviceHub.ts';
import type { StoredDevice, StoredFrame, WireStore } from '../../../store/frameTypes.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ErrorReporter } from '../../../base/reportError.ts';
import { createChangedFacts } from './changedFacts.ts';
import { openFrameNumbers } from './frameNumbers.ts';

/** Stores every frame of every admitted device, shortly after it arrived. */
export interface WireRecorder {
  /** Numbers the hub's frames. */
  nextSeq(): number;
  /** The number that the next frame gets. */
  readonly upcomingSeq: number;
  follow(hub: Pick<DeviceHub, 'onFrame' | 'onChange' | 'device' | 'isConnected'>): void;
  /** Keeps a frame of a shared log, and what is known of the log if that has changed. */
  keep(frame: StoredFrame, about?: StoredDevice): void;
  /** Whether frames of this device, by the hub's id, have been stored since the start. */
  keeps(id: string): boolean;
  /** MB that the frames of all devices may take. */
  setLimit(mb: number): void;
  /** Sends waiting frames to the store, so that whoever reads it next sees them. Never throws: errors go to `onError`. */
  flush(): void;
  /** Writes waiting frames for the last time. Resolves when they are written. */
  close(): Promise<void>;
}

/** ms from a frame to its write, and the amounts that are written earlier. A crash loses this much. */
const flushMs = 100;
const flushFrames = 500;
const flushChars = 2_000_000;

/** Writes that may be under way at once. */
const maxUnderWay = 8;

/** ms to the next attempt after a failed write, and how much is kept for it. The oldest frames are dropped. */
const retryMs = 5_000;
const maxWaiting = 10_000;
const maxWaitingChars = 32_000_000;

/** What one write takes along. */
interface Batch {
  frames: StoredFrame[];
  ofDevices: StoredDevice[];
  about: StoredDevice[];
}

/** Makes a recorder; frames come once it follows a hub. `onFrame` is called for each, and must be quick. */
export async function createWireRecorder(options: {
  store: WireStore;
  limitMb: number;
  onFrame: () => void;
  onError: ErrorReporter;
  clock?: Clock;
}): Promise<WireRecorder> {
  const { store, onFrame, onError, clock = systemClock } = options;
  const numbers = await openFrameNumbers(store);
  let { limitMb } = options;
  let frames: StoredFrame[] = [];
  /** What is known of shared logs, to be written with the next frames. */
  const about = new Map<string, StoredDevice>();
  let chars = 0;
  let hub: Pick<DeviceHub, 'device' | 'isConnected'> | undefined;
  const facts = createChangedFacts(() => hub);
  /** Devices with a stored frame. Nothing is stored of others: any host on the network can invent thousands. */
  const heardOf = new Set<string>();
  let stopTimer: (() => void) | undefined;
  const underWay = new Set<Promise<void>>();
  let failing = false;
  /** There may be more than the limit, though nothing has come since. */
  let mayBeOver = true;

  /** Takes what waits; undefined if there is nothing to do. */
  function takeBatch(): Batch | undefined {
    const batch = { frames, ofDevices: facts.take(), about: [...about.values()] };
    const hasNews = frames.length > 0 || batch.ofDevices.length > 0 || batch.about.length > 0;
    if (!hasNews && !mayBeOver) return undefined;
    frames = [];
    chars = 0;
    about.clear();
    mayBeOver = false;
    return batch;
  }

  async function keepBatch(batch: Batch): Promise<void> {
    try {
      const devices = [...batch.ofDevices, ...batch.about];
      mayBeOver = await store.write({ frames: batch.frames, devices, limit: limitMb * 1_000_000 });
      failing = false;
      await numbers.topUp();
    } catch (error) {
      if (!failing) onError(error, 'the recording of what devices say');
      failing = true;
      // A second attempt at a row that violates a constraint would fail, too.
      if (!isConstraint(error)) takeBack(batch);
    }
    if (mayBeOver || failing) schedule(failing ? retryMs : flushMs);
  }

  function takeBack(batch: Batch): void {
    facts.giveBack(batch.ofDevices);
    for (const known of batch.about) if (!about.has(known.id)) about.set(known.id, known);
    frames = [...batch.frames, ...frames];
    chars = frames.reduce((sum, { text = '' }) => sum + text.length, 0);
    letOldestGo();
  }

  function write(): void {
    stopTimer?.();
    stopTimer = undefined;
    if (underWay.size >= maxUnderWay) return schedule();
    const batch = takeBatch();
    if (batch === undefined) return;
    const writing = keepBatch(batch).finally(() => underWay.delete(writing));
    underWay.add(writing);
  }

  function schedule(ms = flushMs): void {
    stopTimer ??= clock.after(ms, write);
  }

  function take(frame: StoredFrame): void {
    frames.push(frame);
    if (!heardOf.has(frame.deviceId)) {
      heardOf.add(frame.deviceId);
      facts.add(frame.deviceId);
    }
    chars += frame.text?.length ?? 0;
    onFrame();
    if (failing || underWay.size >= maxUnderWay) letOldestGo();
    if (!failing && (frames.length >= flushFrames || chars >= flushChars)) write();
    else schedule();
  }

  function letOldestGo(): void {
    if (frames.length <= maxWaiting && chars <= maxWaitingChars) return;
    frames = frames.slice(frames.length / 2);
    chars = frames.reduce((sum, { text = '' }) => sum + text.length, 0);
  }

  const flush = (): void => {
    if (!failing) write();
  };
  return {
    nextSeq: () => numbers.next(),
    get upcomingSeq() {
      return numbers.upcoming;
    },
    follow(followed) {
      hub = followed;
      followed.onFrame(take);
      followed.onChange((id) => {
        if (!heardOf.has(id)) return;
        facts.add(id);
        schedule();
      });
    },
    keep(frame, known) {
      if (known !== undefined) about.set(known.id, known);
      take(frame);
    },
    keeps: (id) => heardOf.has(id),
    setLimit(mb) {
      if (mb === limitMb) return;
      limitMb = mb;
      mayBeOver = true;
      schedule();
    },
    flush,
    async close() {
      // A batch that waited for its turn is written after those that are under way.
      for (let last = false; !last;) {
        last = underWay.size < maxUnderWay;
        write();
        await Promise.all(underWay);
      }
      stopTimer?.();
      if (!failing) await numbers.release();
    },
  };
}

/** Whether an error has SQLite's result code for a row that violates a constraint. */
function isConstraint(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 19;
}
