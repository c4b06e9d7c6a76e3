import { RequestError } from '../../../base/requestError.ts';
import { unnamedPrefix } from '../../../base/unnamedId.ts';
import type { FrameRecorder } from '../../frames/frameLog.ts';
import { isConnected, type DeviceRecord } from './deviceRecord.ts';
import type { DeviceLimits } from '../limits.ts';
import type { CallFault } from '../wire/rpcPeer.ts';
import type { OtaVisit } from '../ota/otaRoute.ts';

/** The limits of records, and where their frames are recorded. */
export interface DeviceDirectoryOptions {
  limits: Pick<DeviceLimits, 'maxGone' | 'maxStrangers'>;
  frames: FrameRecorder;
  /** Called with a device that is dropped because too many others have left since. */
  onDropped: (id: string) => void;
  /** Whether a device of an earlier run has this id; false for every id by default. */
  isTaken?: ((id: string) => boolean) | undefined;
  /** What came of the last call of this device in an earlier run. */
  formerFault?: ((id: string) => CallFault | undefined) | undefined;
  /** What the user calls the device of this Device-Id. */
  givenName?: ((deviceId: string) => string | undefined) | undefined;
}

/** What a request to OTA is called in the log, by the status of its answer. */
const visitWords = {
  200: 'asked OTA where to connect',
  400: 'asked OTA, body not a JSON object',
  413: 'asked OTA, body larger than 16 kB',
} as const;

/**
 * The records of all devices, by the hub's id. Of those without a connection, at most `maxGone` that were admitted once
 * and `maxStrangers` that never were are kept: unapproved devices do not evict the user's devices.
 */
export class DeviceDirectory {
  readonly #options: DeviceDirectoryOptions;
  readonly #records = new Map<string, DeviceRecord>();
  readonly #byRegistryId = new Map<string, DeviceRecord>();
  /** Ids of departed devices, the earliest departure first. */
  readonly #gone = new Set<string>();
  /** Ids of those without a connection that were never admitted, the least recently seen first. */
  readonly #strangers = new Set<string>();
  #lastUnnamed = 0;

  constructor(options: DeviceDirectoryOptions) {
    this.#options = options;
  }

  all(): DeviceRecord[] {
    return [...this.#records.values()];
  }

  /** The registry of a device's tools; undefined while they cannot be called. */
  registryId(id: string): string | undefined {
    const record = this.#records.get(id);
    return record?.unregister && record.registryId;
  }

  /** The device with this registry id, connected or not. */
  holderOf(registryId: string): DeviceRecord | undefined {
    return this.#byRegistryId.get(registryId);
  }

  /** The id belongs to the device until it is forgotten. */
  keepRegistryId(record: DeviceRecord, registryId: string): void {
    record.registryId = registryId;
    if (this.#records.get(record.id) === record) this.#byRegistryId.set(registryId, record);
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
    this.#options.frames.add({
      source: 'device',
      connection: record.id,
      direction: 'in',
      kind: 'note',
      bytes: 0,
      note: { type: 'note', summary: visitWords[visit.refused ?? 200], ...(visit.refused && { failed: true }) },
      held: visit.peer.remote,
    });
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
      this.#options.onDropped(oldest);
    }
  }

  forget(id: string): void {
    this.#gone.delete(id);
    this.#strangers.delete(id);
    this.#options.frames.forget(id);
    const { registryId, stopTimer } = this.#records.get(id) ?? {};
    stopTimer?.();
    if (registryId !== undefined) this.#byRegistryId.delete(registryId);
    this.#records.delete(id);
  }

  #create(id: string, unnamed: boolean): DeviceRecord {
    const record: DeviceRecord = {
      id,
      deviceId: id,
      unnamed,
      givenName: () => (unnamed ? undefined : this.#options.givenName?.(id)),
      waiting: new Set(),
      greetings: [],
      knocked: false,
      awaited: false,
      known: false,
      formerFault: unnamed ? undefined : this.#options.formerFault?.(id),
    };
    this.#records.set(id, record);
    return record;
  }

  #unnamedId(): string {
    const { isTaken } = this.#options;
    let id: string;
    do id = `${unnamedPrefix}${(this.#lastUnnamed += 1)}`;
    while (this.#records.has(id) || isTaken?.(id) === true);
    return id;
  }
}
