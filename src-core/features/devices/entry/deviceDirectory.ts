import { RequestError } from '../../../base/requestError.ts';
import type { Clock } from '../../../base/clock.ts';
import { isConnected } from './deviceRecord.ts';
import type { DeviceRecord } from './deviceRecord.ts';
import type { DeviceLimits } from '../limits.ts';
import type { OtaVisit } from '../ota/otaRoute.ts';
import type { WireFrame } from '../types.ts';
import { WireLog } from '../wire/wireLog.ts';
import type { FrameQuery } from '../wire/wireLog.ts';

/** The limits of records and their logs, and the listeners for frames. */
export interface DeviceDirectoryOptions {
  clock: Clock;
  limits: Pick<DeviceLimits, 'maxGone' | 'maxStrangers' | 'logFrames' | 'logChars' | 'logTextChars' | 'allLogChars'>;
  frameListeners: ReadonlySet<(frame: WireFrame) => void>;
  /** Numbers the frames of all logs; from 1 by default. */
  nextSeq?: (() => number) | undefined;
  /** Whether a device of an earlier run has this id; false for every id by default. */
  isTaken?: ((id: string) => boolean) | undefined;
}

/**
 * The records of all devices, by the hub's id. Of those without a connection, at most `maxGone` that were admitted once
 * and `maxStrangers` that never were are kept: unapproved devices do not evict the user's devices.
 */
export class DeviceDirectory {
  readonly #options: DeviceDirectoryOptions;
  /** Totals over all logs. */
  readonly #logged = { chars: 0 };
  readonly #records = new Map<string, DeviceRecord>();
  /** Ids of departed devices, the earliest departure first. */
  readonly #gone = new Set<string>();
  /** Ids of those without a connection that were never admitted, the least recently seen first. */
  readonly #strangers = new Set<string>();
  #lastSeq = 0;
  #lastUnnamed = 0;

  constructor(options: DeviceDirectoryOptions) {
    this.#options = options;
  }

  all(): DeviceRecord[] {
    return [...this.#records.values()];
  }

  has(id: string): boolean {
    return this.#records.has(id);
  }

  /** @throws {RequestError} If no such device is listed. */
  get(id: string): DeviceRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw new RequestError(`No device "${id}" is listed.`, { field: 'id' });
    return record;
  }

  /** The record of a device that connects; a new one if its Device-Id is new or missing. */
  find(deviceId: string | undefined): DeviceRecord {
    const id = deviceId ?? this.#unnamedId();
    this.#gone.delete(id);
    this.#strangers.delete(id);
    return this.#records.get(id) ?? this.#create(id, deviceId === undefined);
  }

  /** Lists a device that asked OTA and stores what it sent. Returns its id. */
  visitedOta(visit: OtaVisit): string {
    const record = this.#records.get(visit.deviceId) ?? this.#create(visit.deviceId, false);
    // Any client can ask in any device's name. A connected device names itself.
    if (!isConnected(record) || record.session?.peer.clientId === visit.peer.clientId) {
      record.visit = visit;
      if (visit.board !== undefined) record.board = visit.board;
      if (visit.firmware !== undefined) record.firmware = visit.firmware;
    }
    const note = { type: 'note', summary: 'asked OTA where to connect' } as const;
    record.log.add({ direction: 'in', kind: 'note', bytes: 0, note, uninvited: visit.peer.remote });
    if (!isConnected(record)) {
      // A device that waits for approval continues to wait.
      record.awaited = !record.knocked;
      delete record.turnedAway;
      this.departed(record);
    }
    return record.id;
  }

  /** Counts a device as one without a connection. If there are too many, those that left first are dropped. */
  departed({ id, known }: DeviceRecord): void {
    const { maxGone, maxStrangers } = this.#options.limits;
    const [pool, max] = known ? [this.#gone, maxGone] : [this.#strangers, maxStrangers];
    this.#strangers.delete(id);
    pool.delete(id);
    pool.add(id);
    for (const oldest of pool) {
      if (pool.size <= max) return;
      this.forget(oldest);
    }
  }

  forget(id: string): void {
    this.#gone.delete(id);
    this.#strangers.delete(id);
    this.#records.get(id)?.log.clear();
    this.#records.delete(id);
  }

  /** Frames oldest first, of one device or of all. Throws a `RequestError` if that device is not listed. */
  frames(query: FrameQuery, id?: string): WireFrame[] {
    if (id !== undefined) return this.get(id).log.frames(query);
    const found = this.all()
      .flatMap(({ log }) => log.frames(query))
      .sort((one, other) => one.seq - other.seq);
    return query.afterSeq === undefined ? found.slice(-query.limit) : found.slice(0, query.limit);
  }

  #create(id: string, unnamed: boolean): DeviceRecord {
    const { clock, limits, frameListeners, nextSeq = () => (this.#lastSeq += 1) } = this.#options;
    const log = new WireLog({
      deviceId: id,
      clock,
      limits,
      listeners: frameListeners,
      nextSeq,
      total: this.#logged,
    });
    const record: DeviceRecord = {
      id,
      deviceId: id,
      unnamed,
      log,
      waiting: new Set(),
      knocked: false,
      awaited: false,
      known: false,
    };
    this.#records.set(id, record);
    return record;
  }

  #unnamedId(): string {
    const { isTaken } = this.#options;
    let id: string;
    // Device-Ids are read in lower case: the capital keeps a device from choosing this id itself.
    do id = `Unnamed-${(this.#lastUnnamed += 1)}`;
    while (this.#records.has(id) || isTaken?.(id) === true);
    return id;
  }
}
