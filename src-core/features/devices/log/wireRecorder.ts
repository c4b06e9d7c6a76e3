import type { DeviceHub } from '../deviceHub.ts';
import type { StoredDevice, StoredFrame, WireStore } from '../../../store/frameTypes.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ErrorReporter } from '../../../base/reportError.ts';
import { createChangedFacts } from './changedFacts.ts';
import { createFrameNumbers } from './frameNumbers.ts';

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
  /** Frames of a call that are not written yet, oldest first. */
  waiting(callId: string): StoredFrame[];
  /** MB that the frames of all devices may take. */
  setLimit(mb: number): void;
  /** Writes waiting frames, so that readers of the store see them. Never throws: errors go to `onError`. */
  flush(): void;
  /** Writes waiting frames for the last time. */
  close(): void;
}

/** ms from a frame to its write, and the amounts that are written earlier. A crash loses this much. */
const flushMs = 100;
const flushFrames = 500;
const flushChars = 2_000_000;

/** ms to the next attempt after a failed write, and how much is kept for it. The oldest frames are dropped. */
const retryMs = 5_000;
const maxWaiting = 10_000;
const maxWaitingChars = 32_000_000;

/** Makes a recorder; frames come once it follows a hub. `onFrame` is called for each, and must be quick. */
export function createWireRecorder(options: {
  store: WireStore;
  limitMb: number;
  onFrame: () => void;
  onError: ErrorReporter;
  clock?: Clock;
}): WireRecorder {
  const { store, onFrame, onError, clock = systemClock } = options;
  const numbers = createFrameNumbers(store);
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
  let failing = false;
  /** There may be more than the limit, though nothing has come since. */
  let mayBeOver = true;

  function write(): void {
    stopTimer?.();
    stopTimer = undefined;
    let isOver = false;
    try {
      const ofDevices = facts.list();
      const devices = [...ofDevices, ...about.values()];
      const hasNews = frames.length > 0 || devices.length > 0 || mayBeOver;
      if (hasNews) isOver = store.write({ frames, devices, limit: limitMb * 1_000_000 });
      mayBeOver = isOver;
      empty();
      facts.keep(ofDevices);
      about.clear();
      numbers.topUp();
      failing = false;
    } catch (error) {
      if (!failing) onError(error, 'the recording of what devices say');
      failing = true;
      // A second attempt would fail, too.
      if (isConstraint(error)) empty();
    }
    if (isOver || failing) stopTimer = clock.after(failing ? retryMs : flushMs, write);
  }

  function empty(): void {
    frames = [];
    chars = 0;
  }

  function take(frame: StoredFrame): void {
    frames.push(frame);
    if (!heardOf.has(frame.deviceId)) {
      heardOf.add(frame.deviceId);
      facts.add(frame.deviceId);
    }
    chars += frame.text?.length ?? 0;
    onFrame();
    if (failing) letOldestGo();
    else if (frames.length >= flushFrames || chars >= flushChars) write();
    else stopTimer ??= clock.after(flushMs, write);
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
        stopTimer ??= clock.after(flushMs, write);
      });
    },
    keep(frame, known) {
      if (known !== undefined) about.set(known.id, known);
      take(frame);
    },
    keeps: (id) => heardOf.has(id),
    waiting: (callId) => frames.filter((frame) => frame.callId === callId),
    setLimit(mb) {
      if (mb === limitMb) return;
      limitMb = mb;
      mayBeOver = true;
      stopTimer ??= clock.after(flushMs, write);
    },
    flush,
    close() {
      write();
      stopTimer?.();
      if (!failing) numbers.release();
    },
  };
}

/** Whether an error has SQLite's result code for a row that violates a constraint. */
function isConstraint(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 19;
}
