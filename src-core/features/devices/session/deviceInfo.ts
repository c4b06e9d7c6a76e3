import { addDeviceFigures } from '../health/deviceFigures.ts';
import { deviceHealth } from '../health/deviceHealth.ts';
import { isVirtual, nameOf, peerOf, shownSession } from '../entry/deviceRecord.ts';
import type { DeviceRecord } from '../entry/deviceRecord.ts';
import type { DeviceSession } from './deviceSession.ts';
import { deviceDoctor } from '../doctor/deviceDoctor.ts';
import type { DeviceInfo, DeviceState } from '../types.ts';

const noFrames = { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 };

/**
 * The record as data. `isApproved`: the user has approved it, now or in advance. Written out member by member: a window
 * asks for a thousand of these at once.
 */
export function deviceInfo(record: DeviceRecord, isApproved: boolean): DeviceInfo {
  const session = shownSession(record);
  const peer = peerOf(record);
  const { unregister, registryId, board, firmware, visit, turnedAway } = record;
  const since =
    session?.progress.openedAt ?? turnedAway?.at ?? Math.max(visit?.at ?? 0, record.session?.progress.openedAt ?? 0);
  const state = stateOf(record, session);
  const doctor = deviceDoctor(record, isApproved);
  const info: DeviceInfo = {
    id: record.id,
    deviceId: record.deviceId,
    name: nameOf(record),
    state,
    health: deviceHealth(state, doctor.cause),
    toolCount: unregister === undefined ? 0 : (record.session?.client.tools.length ?? 0),
    remote: peer?.remote ?? false,
    virtual: isVirtual(record),
    connectedAt: since,
    lastSeenAt: session?.wire.lastSeenAt ?? since,
    doctor,
    counters: { ...(session?.wire.counters ?? noFrames) },
  };
  if (registryId !== undefined) info[unregister === undefined ? 'lastRegistryId' : 'registryId'] = registryId;
  if (board !== undefined) info.board = board;
  if (firmware !== undefined) info.firmware = firmware;
  if (peer !== undefined) info.remoteAddress = peer.address;
  if (peer?.clientId !== undefined) info.clientId = peer.clientId;
  if (peer?.userAgent !== undefined) info.userAgent = peer.userAgent;
  if (session?.progress.endedAt !== undefined) info.leftAt = session.progress.endedAt;
  if (session !== undefined) addSaid(info, session);
  else if (turnedAway !== undefined) info.error = { code: turnedAway.cause, message: turnedAway.message };
  return info;
}

function addSaid(info: DeviceInfo, session: DeviceSession): void {
  const { hello, error } = session;
  if (hello?.version !== undefined) info.protocolVersion = hello.version;
  if (hello?.features !== undefined) info.features = hello.features;
  if (hello?.audioParams !== undefined) info.audioParams = hello.audioParams;
  if (error !== undefined) info.error = error;
  addDeviceFigures(info, session);
}

function stateOf(record: DeviceRecord, session: DeviceSession | undefined): DeviceState {
  if (session === undefined) return record.turnedAway === undefined ? 'announced' : 'failed';
  return record.knocked ? 'approval' : session.state;
}
