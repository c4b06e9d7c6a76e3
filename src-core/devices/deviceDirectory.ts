import { RequestError } from '../tools/requestError.ts';
import type { Clock } from '../tools/clock.ts';
import type { DeviceRecord } from './deviceRecord.ts';
import type { DeviceLimits } from './limits.ts';
import type { OtaVisit } from './otaRoute.ts';
import type { WireFrame } from './types.ts';
import { WireLog } from './wireLog.ts';
import type { FrameQuery } from './wireLog.ts';

/** What records and their logs may take, and who hears of each frame. */
export interface DeviceDirectoryOptions {
  clock: Clock;
  limits: Pick<DeviceLimits, 'maxGone' | 'logFrames' | 'logChars' | 'logTextChars'>;
  frameListeners: ReadonlySet<(frame: WireFrame) => void>;
}

const maxVisits = 256;

/** The records of all devices, by the hub's id; departed ones are kept up to `maxGone`. */
export class DeviceDirectory {
  readonly #options: DeviceDirectoryOptions;
  readonly #records = new Map<string, DeviceRecord>();
  /** Ids of departed devices, the longest gone first. */
  readonly #gone = new Set<string>();
  /** What devices told OTA before they connected. */
  readonly #visits = new Map<string, OtaVisit>();
  #lastSeq = 0;
  #lastUnnamed = 0;

  constructor(options: DeviceDirectoryOptions) {
    this.#options = options;
  }

  all(): DeviceRecord[] {
    return [...this.#records.values()];
  }

  /** Throws where no such device is listed. */
  get(id: string): DeviceRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw new RequestError(`No device "${id}" is listed.`, { field: 'id' });
    return record;
  }

  /** The record of a device that connects; a new one where its Device-Id is new or missing. */
  find(deviceId: string | undefined): DeviceRecord {
    const id = deviceId ?? this.#unnamedId();
    this.#gone.delete(id);
    return this.#records.get(id) ?? this.#create(id);
  }

  /** Remembers what a device told OTA. */
  visitedOta(visit: OtaVisit): void {
    this.#visits.delete(visit.deviceId);
    this.#visits.set(visit.deviceId, visit);
    if (this.#visits.size > maxVisits) this.#visits.delete(this.#visits.keys().next().value ?? '');
    const record = this.#records.get(visit.deviceId);
    if (record === undefined) return;
    learn(record, visit);
    record.log.add({
      direction: 'in',
      kind: 'note',
      bytes: 0,
      note: { type: 'note', summary: 'asked OTA where to connect' },
    });
  }

  /** Counts a device as gone; the longest gone of too many are dropped. */
  departed({ id }: DeviceRecord): void {
    this.#gone.delete(id);
    this.#gone.add(id);
    for (const oldest of this.#gone) {
      if (this.#gone.size <= this.#options.limits.maxGone) return;
      this.forget(oldest);
    }
  }

  forget(id: string): void {
    this.#gone.delete(id);
    this.#records.delete(id);
  }

  /** Frames oldest first, of one device or of all. Throws where that one is not listed. */
  frames(query: FrameQuery, id?: string): WireFrame[] {
    if (id !== undefined) return this.get(id).log.frames(query);
    const found = this.all()
      .flatMap(({ log }) => log.frames(query))
      .sort((one, other) => one.seq - other.seq);
    return query.afterSeq === undefined ? found.slice(-query.limit) : found.slice(0, query.limit);
  }

  #create(id: string): DeviceRecord {
    const { clock, limits, frameListeners } = this.#options;
    const log = new WireLog({
      deviceId: id,
      clock,
      limits,
      listeners: frameListeners,
      nextSeq: () => (this.#lastSeq += 1),
    });
    const record: DeviceRecord = {
      id,
      deviceId: id,
      connectedAt: clock.wall(),
      virtual: false,
      log,
      waiting: new Set(),
    };
    this.#records.set(id, record);
    const visit = this.#visits.get(id);
    if (visit !== undefined) learn(record, visit);
    return record;
  }

  #unnamedId(): string {
    do this.#lastUnnamed += 1;
    while (this.#records.has(`unnamed-${this.#lastUnnamed}`));
    return `unnamed-${this.#lastUnnamed}`;
  }
}

function learn(record: DeviceRecord, { board, firmware }: OtaVisit): void {
  if (board !== undefined) record.board = board;
  if (firmware !== undefined) record.firmware = firmware;
}
