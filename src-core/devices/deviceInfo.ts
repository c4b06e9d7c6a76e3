import { deviceFigures } from './deviceFigures.ts';
import { isVirtual, nameOf, peerOf, shownSession } from './deviceRecord.ts';
import type { DeviceRecord } from './deviceRecord.ts';
import type { DeviceSession } from './deviceSession.ts';
import { deviceDoctor } from './doctor/deviceDoctor.ts';
import type { DeviceInfo, DeviceState } from './types.ts';

const noFrames = { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 };

/** The record as data. `isApproved`: a person has let it in before, or ahead. */
export function deviceInfo(record: DeviceRecord, isApproved: boolean): DeviceInfo {
  const session = shownSession(record);
  const state = stateOf(record, session);
  const peer = peerOf(record);
  const since = session?.progress.openedAt ?? Math.max(record.visit?.at ?? 0, record.session?.progress.openedAt ?? 0);
  const { unregister, registryId, board, firmware } = record;
  const { hello, error } = session ?? {};
  return {
    id: record.id,
    deviceId: record.deviceId,
    name: nameOf(record),
    state,
    toolCount: unregister === undefined ? 0 : (record.session?.client.tools.length ?? 0),
    remote: peer?.remote ?? false,
    virtual: isVirtual(record),
    connectedAt: since,
    lastSeenAt: session?.wire.lastSeenAt ?? since,
    doctor: deviceDoctor(record, isApproved),
    counters: { ...(session?.wire.counters ?? noFrames) },
    ...(unregister === undefined || registryId === undefined ? {} : { registryId }),
    ...(board === undefined ? {} : { board }),
    ...(firmware === undefined ? {} : { firmware }),
    ...(peer?.clientId === undefined ? {} : { clientId: peer.clientId }),
    ...(peer?.userAgent === undefined ? {} : { userAgent: peer.userAgent }),
    ...(peer === undefined ? {} : { remoteAddress: peer.address }),
    ...(hello?.version === undefined ? {} : { protocolVersion: hello.version }),
    ...(hello?.features === undefined ? {} : { features: hello.features }),
    ...(hello?.audioParams === undefined ? {} : { audioParams: hello.audioParams }),
    ...deviceFigures(session),
    ...(error === undefined ? {} : { error }),
  };
}

function stateOf(record: DeviceRecord, session: DeviceSession | undefined): DeviceState {
  if (session === undefined) return 'announced';
  return record.knocked ? 'approval' : session.state;
}
