import type { Clock } from '../../../base/clock.ts';
import type { DevicePeer } from '../wire/devicePeer.ts';
import type { CallFault } from '../wire/rpcPeer.ts';
import type { DeviceSession } from '../session/deviceSession.ts';
import type { OtaVisit } from '../ota/otaRoute.ts';
import type { ListedTool } from '../session/readTool.ts';
import { virtualUserAgent } from '../virtual/virtualUserAgent.ts';

/** A connection that was refused at its handshake. */
export interface TurnedAway {
  /** Epoch ms. */
  at: number;
  peer: DevicePeer;
  cause: 'no-token' | 'wrong-token';
  message: string;
}

/** What the hub keeps of one device over all its connections. */
export interface DeviceRecord {
  id: string;
  deviceId: string;
  /** It names no Device-Id: `id` is ours, and its next connection is another device to us. */
  unnamed: boolean;
  /** What the user calls it. Asked for each time: it can be renamed while it is connected. */
  givenName: () => string | undefined;
  /** From hello's `device_name`. */
  saidName?: string;
  /** From OTA, else from initialize's `serverInfo`. */
  board?: string;
  firmware?: string;
  /** Its last question to OTA. */
  visit?: OtaVisit;
  /** The connection that speaks for the device; an ended one until the next. */
  session?: DeviceSession;
  /** What counts is its last attempt: it was refused after the last connection had ended. */
  turnedAway?: TurnedAway;
  /** Connections that have not said hello, or wait for approval, while another speaks for the device. */
  waiting: Set<DeviceSession>;
  /** Its last connection gave up waiting for approval: the user may still approve it. */
  knocked: boolean;
  /** The Client-Id that was rejected last and not approved since; empty if it sent none. */
  rejectedClient?: string | undefined;
  /** What counts is its next connection: it has asked OTA, or was approved, since the last one ended. */
  awaited: boolean;
  /** When its last connections were greeted, epoch ms; those of the two minutes before the last one. */
  greetings: number[];
  /** Cancels the timer that ends `reconnectsOf`. */
  stopTimer?: () => void;
  /** The Client-Id of the open connection that another Client-Id replaced last. */
  replacedClient?: string | undefined;
  /** That one came back while the other was open: two devices use this Device-Id. */
  isShared?: boolean;
  /** It has been approved once. */
  known: boolean;
  /** Once given, the same for each connection. */
  registryId?: string;
  /** What came of its last call in an earlier run, if it had no usable answer. */
  formerFault: CallFault | undefined;
  /** Its tools by its last list. */
  tools?: readonly ListedTool[] | undefined;
  /** Takes the registry out; set while one is registered. */
  unregister?: () => void;
}

/** What the user calls the device. */
export function nameOf(record: DeviceRecord): string {
  return record.givenName() ?? ownNameOf(record);
}

/** What the device calls itself. */
export function ownNameOf({ saidName, board, deviceId }: DeviceRecord): string {
  return saidName ?? board ?? deviceId;
}

/** What came of the last call of a connection, if it had no usable answer. */
export function callFaultOf({ progress, client }: DeviceSession): CallFault | undefined {
  const { cutOff, departure, endedAt = 0 } = progress;
  const hasCrashed = cutOff !== undefined && departure === 'left-during-call';
  return hasCrashed ? { ...cutOff, cause: 'back-after-crash', at: endedAt } : client.requests.callFault;
}

/** Whether any connection of the device is open. */
export function isConnected({ session, waiting }: DeviceRecord): boolean {
  return waiting.size > 0 || (session !== undefined && !session.ended);
}

/** Whether the device is connected and its hello has been answered. */
export function isAdmitted({ session }: DeviceRecord): boolean {
  return session?.admitted === true && !session.ended;
}

/** The connection whose hello waits for the user; at most one does. */
export function heldSession({ session, waiting }: DeviceRecord): DeviceSession | undefined {
  return session?.held === true ? session : [...waiting].find(({ held }) => held);
}

/** The connection that the user is shown: one that waits for them, else the one that speaks or spoke last. */
export function shownSession(record: DeviceRecord): DeviceSession | undefined {
  const { awaited, turnedAway, session } = record;
  return heldSession(record) ?? (awaited || turnedAway !== undefined ? undefined : session);
}

/** More connections within `crowdMs` are those of a device that restarts again and again: a conversation takes longer. */
const maxGreetings = 10;
const crowdMs = 120_000;

/** How often a device has connected within two minutes, if that is more than conversations explain. */
export function reconnectsOf({ greetings: { length } }: DeviceRecord): number | undefined {
  return length < maxGreetings ? undefined : length;
}

/** Remembers that a connection was greeted. Calls `onEnd` when `reconnectsOf` has ended, unless the timer is stopped. */
export function noteGreeting(record: DeviceRecord, clock: Clock, onEnd: () => void): void {
  const now = clock.wall();
  record.greetings = [...record.greetings.filter((at) => at > now - crowdMs), now].slice(-100);
  record.stopTimer?.();
  const tooMany = record.greetings.at(-maxGreetings);
  if (tooMany === undefined) return;
  record.stopTimer = clock.after(tooMany + crowdMs - now, () => {
    record.greetings = record.greetings.slice(1 - maxGreetings);
    onEnd();
  });
}

/** Who the device is on the network: by the connection that is shown, else by what came last. */
export function peerOf(record: DeviceRecord): DevicePeer | undefined {
  const { session, visit, turnedAway } = record;
  const shown = shownSession(record) ?? turnedAway;
  if (shown !== undefined) return shown.peer;
  const askedSince = visit !== undefined && visit.at >= (session?.progress.openedAt ?? 0);
  return askedSince ? visit.peer : session?.peer;
}

/** Whether it is Toolwire's virtual device, wherever that runs. */
export function isVirtual(record: DeviceRecord): boolean {
  return record.session?.peer.userAgent === virtualUserAgent;
}
