import type { DeviceSession } from './deviceSession.ts';
import type { DeviceInfo } from './types.ts';

/** What a connection's traffic tells of the device: round trips, audio, notifications, changes of its tools. */
export function deviceFigures(
  session: DeviceSession | undefined,
): Pick<DeviceInfo, 'latency' | 'audio' | 'notifications' | 'toolChanges'> {
  if (session === undefined) return {};
  const { latency, notifications, toolChanges } = session.client;
  const { audio } = session.wire;
  return {
    ...(latency === undefined ? {} : { latency }),
    ...(audio === undefined ? {} : { audio }),
    ...(notifications === undefined ? {} : { notifications }),
    ...(toolChanges === undefined ? {} : { toolChanges }),
  };
}
