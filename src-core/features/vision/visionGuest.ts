import type { DeviceRecord } from '../devices/entry/deviceRecord.ts';
import { nameOf } from '../devices/entry/deviceRecord.ts';
import type { DeviceSession } from '../devices/session/deviceSession.ts';
import type { VisionGuest } from './visionDesk.ts';

/** ms that clients wait for the answer to a picture. */
const patienceMs = { pyXiaozhi: 10_000, board: 30_000 };

/** A connection as it posts pictures. Both are asked for late: hello may move a connection to another device. */
export function visionGuest(record: () => DeviceRecord, session: () => DeviceSession): VisionGuest {
  return {
    deviceId: () => record().id,
    name: () => nameOf(record()),
    patienceMs: () => (session().client.serverInfo.name === 'py-xiaozhi' ? patienceMs.pyXiaozhi : patienceMs.board),
    note: ({ direction, summary, text }) => {
      const line = { direction, kind: 'note', bytes: 0, note: { type: 'note', summary } } as const;
      session().wire.note(text === undefined || text === '' ? line : { ...line, text });
    },
  };
}
