import type { DeviceCredentials } from './deviceCredentials.ts';
import type { DeviceSession } from './deviceSession.ts';
import type { DeviceInfo } from './types.ts';
import { virtualUserAgent } from './virtualUserAgent.ts';
import type { WireLog } from './wireLog.ts';

/** What the hub keeps of one device over all its connections. */
export interface DeviceRecord {
  id: string;
  deviceId: string;
  clientId?: string;
  userAgent?: string;
  /** From hello's `device_name`. */
  saidName?: string;
  /** From OTA, else from initialize's `serverInfo`. */
  board?: string;
  firmware?: string;
  remoteAddress?: string;
  connectedAt: number;
  virtual: boolean;
  log: WireLog;
  /** The connection that speaks for the device; an ended one until the next. */
  session?: DeviceSession;
  /** Connections that have not said hello while another speaks for the device. */
  waiting: Set<DeviceSession>;
  /** Once given, the same for each connection. */
  registryId?: string;
  /** Takes the registry out; set while one is registered. */
  unregister?: () => void;
}

/** Takes in what the connection that now speaks for the device said of itself. */
export function describe(
  record: DeviceRecord,
  { clientId, userAgent }: DeviceCredentials,
  remoteAddress: string,
  now: number,
): void {
  record.connectedAt = now;
  record.remoteAddress = remoteAddress;
  record.virtual = userAgent === virtualUserAgent;
  if (clientId !== undefined) record.clientId = clientId;
  if (userAgent !== undefined) record.userAgent = userAgent;
}

/** What a person calls the device. */
export function nameOf({ saidName, board, deviceId }: DeviceRecord): string {
  return saidName ?? board ?? deviceId;
}

/** Whether any connection of the device is open. */
export function isConnected({ session, waiting }: DeviceRecord): boolean {
  return waiting.size > 0 || (session !== undefined && !session.ended);
}

/** The record as data. */
export function deviceInfo(record: DeviceRecord): DeviceInfo {
  const { session } = record;
  return {
    id: record.id,
    deviceId: record.deviceId,
    name: nameOf(record),
    state: session?.state ?? 'hello',
    toolCount: record.unregister === undefined ? 0 : (session?.client.tools.length ?? 0),
    connectedAt: record.connectedAt,
    lastSeenAt: session?.wire.lastSeenAt ?? record.connectedAt,
    virtual: record.virtual,
    counters: { ...(session?.wire.counters ?? { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 }) },
    ...(record.clientId === undefined ? {} : { clientId: record.clientId }),
    ...(record.unregister === undefined || record.registryId === undefined ? {} : { registryId: record.registryId }),
    ...(record.board === undefined ? {} : { board: record.board }),
    ...(record.firmware === undefined ? {} : { firmware: record.firmware }),
    ...(record.remoteAddress === undefined ? {} : { remoteAddress: record.remoteAddress }),
    ...(session?.protocolVersion === undefined ? {} : { protocolVersion: session.protocolVersion }),
    ...(session?.latencyMs === undefined ? {} : { latencyMs: session.latencyMs }),
    ...(session?.error === undefined ? {} : { error: session.error }),
  };
}
