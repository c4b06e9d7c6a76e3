/** The source of a capture, other than a device. */
export type CaptureOrigin = 'gateway' | 'realtime';

/** An imported capture. */
export interface CaptureInfo {
  id: string;
  name: string;
  /** Epoch ms of the import, and of the export before it. */
  createdAt: number;
  exportedAt: number;
  /** The device it was taken of; the gateway, or the conversation, if `origin` says so. */
  device: { name: string; deviceId: string; board?: string; firmware?: string };
  /** What it was taken of; a device if absent. */
  origin?: CaptureOrigin;
  frames: number;
  /** Characters of its texts. */
  size: number;
  /** Epoch ms of the first and the last frame. */
  firstAt?: number;
  lastAt?: number;
  toolCount: number;
  callCount: number;
}

/** One recorded call, run again. */
export interface ReplayedCall {
  /** Of the recorded request. */
  seq: number;
  toolName: string;
  argsJson: string;
  /**
   * `same`, `different`: how the two answers compare. `not-there`: the device has no such tool. `asks-first`: left out.
   */
  verdict: 'same' | 'different' | 'error' | 'not-there' | 'asks-first';
  recorded?: { text: string; isError: boolean; durationMs?: number };
  now?: { text: string; isError: boolean; durationMs: number };
}

/** The results of a replay, in the order of the recording. */
export interface ReplayReport {
  calls: ReplayedCall[];
  /** Set if it was stopped early: the calls after that are missing. */
  stopped?: true;
}
