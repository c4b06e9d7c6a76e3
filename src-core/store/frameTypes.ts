import type { JsonObject } from '../base/json.ts';
import type { Frame, FrameRow, FrameSource } from '../contract/frames.ts';
import type { Remote } from './remote.ts';

/** Which frames of a log. */
export interface FrameFilter {
  afterSeq?: number;
  /** Only frames of this kind, and those with one of these methods. */
  only?: { kind: Frame['kind']; methods?: readonly string[] };
}

/** One device's frames, all devices', or those of a capture. */
export interface FrameReader {
  /** Oldest first, after a place. */
  rows(page: { afterSeq: number; limit: number }): FrameRow[];
  /** Frames with text, oldest first: the first 1,000, or fewer if they have more than 2,000,000 characters. */
  frames(filter: FrameFilter): Frame[];
  frame(seq: number): Frame | undefined;
  /** The first and the last `seq`; undefined if there is no frame. */
  bounds(): { first: number; last: number } | undefined;
  /**
   * `seq` of the frames after `afterSeq` and before a place whose type, summary or text holds this, whatever its case: newest
   * first, of one part of the log. `next`: where the search goes on; absent at the end.
   */
  search(text: string, range: { before: number; afterSeq: number }): { seqs: number[]; next?: number };
}

/** One device's frames, all devices', or those of a capture. Always as it is now: nothing is cached. */
export interface StoredLog extends Pick<Remote<FrameReader>, 'rows' | 'frame' | 'bounds'> {
  /** Frames with text, oldest first. */
  frames(filter?: FrameFilter): AsyncIterable<Frame>;
  /**
   * `seq` of the newest 100,000 frames after `afterSeq` whose type, summary or text holds this, whatever its case; oldest
   * first. Rejects if `signal` aborts.
   */
  search(text: string, options: { afterSeq: number; signal: AbortSignal | undefined }): Promise<number[]>;
}

/** What is known of a device of the log. */
export interface StoredDevice {
  /** The hub's. */
  id: string;
  deviceId: string;
  name: string;
  board?: string;
  firmware?: string;
  virtual: boolean;
  /** Of its last connection, as in `DeviceInfo`. */
  userAgent?: string;
  remoteAddress?: string;
  remote?: boolean;
  protocolVersion?: number;
  features?: Record<string, boolean>;
  audioParams?: { format?: string; sampleRate?: number; channels?: number; frameDurationMs?: number };
  /** Id of its ToolRegistry, once it had one. */
  registryId?: string;
  /** Epoch ms. */
  connectedAt: number;
  lastSeenAt: number;
  /** Its connection was open when this was stored. Absent if it was not. */
  connected?: boolean;
  /** When its last connection ended (epoch ms), and its health then. */
  left?: { at: number; health: string };
  /** Its last call without a usable answer, until one succeeds. */
  callFault?: { id: number; cause: string; tookMs: number; at: number; fault?: string };
  /** Why its last connection failed, was refused or ended. */
  error?: { code: string; message: string };
  /** How far its last connection came. */
  doctor?: {
    steps: { id: string; state: string; at?: number; tookMs?: number; fact?: string }[];
    cause?: string;
    faults?: string[];
  };
  /** How a virtual device of the workbench was added, so that a later run can power it on. */
  added?: {
    profile?: string | undefined;
    name?: string | undefined;
    faults: string[];
    latencyMs?: number | undefined;
  };
  /** In a log of several peers: their number so far. */
  peers?: number;
  /** In a log that is not a device's: further data of its owner. */
  about?: JsonObject;
}

/** What has logs, other than devices, that can be exported as captures. */
export type LogOrigin = Exclude<FrameSource, 'device' | 'host'>;

/**
 * The id of a log: the hub's id of a device. The gateway has one log for all connections, and each realtime conversation
 * has its own; they are stored, limited and exported as those of devices, and are not listed with them.
 */
export function logIdOf({ source, connection }: Pick<Frame, 'source' | 'connection'>): string {
  if (source === 'device') return connection;
  // No device has an id with a line break: it comes in an HTTP header.
  return source === 'gateway' ? gatewayLogId : `shared\n${source}\n${connection}`;
}

export const gatewayLogId = 'shared\ngateway';

/** Whose frames a log has. The gateway's frames name their connections themselves. */
export function ownerOf(logId: string): Pick<Frame, 'source' | 'connection'> {
  const [shared, source, connection = ''] = logId.split('\n');
  if (shared !== 'shared' || source === undefined) return { source: 'device', connection: logId };
  return { source: source as FrameSource, connection };
}

export type WriteOutcome = 'kept' | 'evicted' | 'more';

/** What devices' wires carried, over all runs. */
export interface WireTable {
  /** Reserves this many frame numbers, unique across processes and runs; returns the first. */
  reserve(count: number): number;
  /** Releases the rest of a reservation, from `first` on. */
  release(first: number, end: number): void;
  /**
   * Stores frames and facts, all or nothing, and evicts the oldest frames of all devices, some thousand at most, while
   * there are more than `limit` bytes. Returns whether it evicted frames, and `more` if there is still more than the limit.
   */
  write(batch: { frames: readonly Frame[]; devices: readonly StoredDevice[]; limit: number }): WriteOutcome;
  /** Devices that have frames, the last active one first. */
  devices(): StoredDevice[];
  device(id: string): StoredDevice | undefined;
  /** The ids of all that `device` finds. */
  ids(): string[];
  /** The ids of the logs with frames of conversations, the one made last first. */
  conversations(): string[];
  /** One log's frames, those of one connection in it, or those of all devices. Empty if no such log is known. */
  log(id?: string, connection?: string): FrameReader;
  /** The frames of a call, newest first: at most `limit`, or fewer if they have more than `characters`. */
  callFrames(callId: string, most: { limit: number; characters: number }): Frame[];
  /**
   * Sets a device's log aside under the caller's key, whatever its size; an empty log is ignored. The device's facts
   * move with it, unless `keepFacts` is set.
   */
  setAside(id: string, options: { key: string; keepFacts: boolean }): void;
  /**
   * Returns a log to its device, beside newer frames, some of them at a time: repeat the request while it returns
   * `more`. False if the log has been deleted meanwhile.
   */
  putBack(key: string, id: string): boolean | 'more';
  /** Deletes a log that was set aside: at once, and from the disk gradually. */
  drop(key: string): void;
}

/** The methods that write as frames come. They return once it is written. */
type WireWriter = Pick<WireTable, 'reserve' | 'release' | 'write'>;

/** The same, as features call it. */
export interface WireStore extends WireWriter, Omit<Remote<WireTable>, 'log' | keyof WireWriter> {
  log(id?: string | undefined, connection?: string | undefined): StoredLog;
}

/** An imported capture without its frames. */
export interface StoredCapture {
  id: string;
  name: string;
  /** Epoch ms of the import, and of the export before it. */
  createdAt: number;
  exportedAt: number;
  device: { name: string; deviceId: string; board?: string; firmware?: string };
  /** What it was taken of; a device if absent. */
  origin?: LogOrigin;
  /** What its file says of a conversation. */
  about?: JsonObject;
  frames: number;
  /** Characters of texts. */
  size: number;
  /** Epoch ms. */
  firstAt?: number;
  lastAt?: number;
  toolCount: number;
  callCount: number;
}

/** Imported captures. */
export interface CaptureTable {
  /** Newest first. */
  list(): StoredCapture[];
  get(id: string): StoredCapture | undefined;
  create(capture: Pick<StoredCapture, 'name' | 'createdAt' | 'exportedAt' | 'device' | 'origin' | 'about'>): string;
  /** Adds frames, and sets the counts, all or nothing. */
  append(
    id: string,
    part: { frames: readonly Frame[] } & Pick<StoredCapture, 'size' | 'toolCount' | 'callCount'>,
  ): void;
  rename(id: string, name: string): void;
  remove(id: string): void;
  log(id: string, connection?: string): FrameReader;
  /** Bytes of all captures together, about what they take on disk. */
  bytes(): number;
}

/** The same, as features call it. */
export interface CaptureStore extends Omit<Remote<CaptureTable>, 'log'> {
  log(id: string, connection?: string): StoredLog;
}
