import type { HttpRoute, RequestPolicy } from '../../../server/types.ts';
import type { DeviceSession } from '../session/deviceSession.ts';
import { nameOf, type DeviceRecord } from './deviceRecord.ts';

/** Receives the pictures that devices post. */
export interface PictureReceiver {
  /** Lets a connection post pictures, at the origin `http://host:port` that it used to reach us. */
  admit(guest: PictureGuest, origin: string): PicturePass;
  routes(policies: readonly RequestPolicy[]): HttpRoute[];
}

/** The sender of a picture. */
export interface PictureGuest {
  /** The hub's id. */
  deviceId: () => string;
  name: () => string;
  /** The call that it is running, if it is running no other. */
  callId: () => string | undefined;
  /** ms that the device waits for an answer (docs/protocols/xiaozhi.md#vision: py-xiaozhi 10 s, boards 30 s). */
  patienceMs: () => number;
  /** Writes a line to the device's log. */
  note: (line: { direction: 'in' | 'out'; summary: string; text?: string }) => void;
}

/** The credentials of one connection of a device for posting pictures; they are part of its initialize. */
export interface PicturePass {
  url: string;
  token: string;
  /** The connection has ended. */
  revoke: () => void;
}

/** ms that clients wait for the answer to a picture. */
const patienceMs = { pyXiaozhi: 10_000, board: 30_000 };

/** A connection as it posts pictures. The record is asked for late: hello may move a connection to another device. */
export function pictureGuest(from: { record: DeviceRecord; readonly session: DeviceSession }): PictureGuest {
  return {
    deviceId: () => from.record.id,
    name: () => nameOf(from.record),
    callId: () => {
      const { onlyWaiting, runningCall } = from.session.client;
      return onlyWaiting === undefined ? undefined : runningCall?.callId;
    },
    patienceMs: () => (from.session.client.serverInfo.name === 'py-xiaozhi' ? patienceMs.pyXiaozhi : patienceMs.board),
    note: ({ direction, summary, text }) => {
      const line = { direction, kind: 'note', bytes: 0, note: { type: 'note', summary } } as const;
      from.session.wire.note(text === undefined || text === '' ? line : { ...line, text });
    },
  };
}
