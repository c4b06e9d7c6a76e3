import { randomBytes } from 'node:crypto';

import { isLoopback } from '../../server/address.ts';
import { hostPolicy, originPolicy } from '../../server/policies.ts';
import type { Listener } from '../../server/types.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { RequestError } from '../../base/requestError.ts';
import { version } from '../../base/version.ts';
import type { DeviceApprovals } from './entry/deviceApprovals.ts';
import { createGatekeeper, type Gatekeeper } from './entry/gatekeeper.ts';
import type { BinaryVersion } from './audio/readBinaryFrame.ts';
import { sendByHand, type HandInput } from './byHand/sendByHand.ts';
import { DeviceDirectory } from './entry/deviceDirectory.ts';
import { DeviceEntrance } from './entry/deviceEntrance.ts';
import { compareTools } from './session/compareTools.ts';
import { deviceInfo } from './session/deviceInfo.ts';
import type { IsLocal } from './wire/devicePeer.ts';
import { callFaultOf, isAdmitted, isConnected, isVirtual, nameOf, type DeviceRecord } from './entry/deviceRecord.ts';
import type { DeviceSession } from './session/deviceSession.ts';
import { createDeviceTokens, type TokenSecrets } from './entry/deviceToken.ts';
import { defaultDeviceLimits, type DeviceLimits } from './limits.ts';
import { otaRoutes, type OtaVisit } from './ota/otaRoute.ts';
import { createRegistrar, type RegistrarOptions } from './entry/registrar.ts';
import { requireAdmitted } from './entry/requireAdmitted.ts';
import { ToolsCallbacks, type ToolsCallback } from './session/toolsCallbacks.ts';
import type { CallFault } from './wire/rpcPeer.ts';
import type { DeviceInfo, SendOutcome } from '../../contract/deviceInfo.ts';
import { takeVoice, type DeviceVoice } from './voice/deviceVoice.ts';
import type { ListenMessage, VoiceTap } from './voice/voiceTap.ts';
import type { PictureReceiver } from './entry/pictureGuest.ts';
import type { FrameRecorder } from '../frames/frameLog.ts';

const everyMs = 1_000;

/** The listener and limits of devices, and which of them are admitted. */
export interface DeviceHubOptions extends RegistrarOptions {
  /** Gets the OTA and WebSocket routes; the caller opens and closes it. */
  listener: Pick<Listener, 'route' | 'upgrade'>;
  /** Who we say we are to devices. */
  clientInfo?: { name: string; version: string };
  limits?: Partial<DeviceLimits>;
  /** Where frames are recorded; nowhere by default. Those of a device of the network are held until it is admitted. */
  frames?: FrameRecorder;
  /** Whether a device of an earlier run has this id: one that names no Device-Id does not get it. */
  isTaken?: (id: string) => boolean;
  clock?: Clock;
  /** The devices of the network that the user has approved; kept until the hub closes by default. */
  approvals?: DeviceApprovals;
  /** Whether an address is of this machine. Other devices need a token and approval. Loopback by default. */
  isLocal?: IsLocal;
  /** The origin that devices of other machines are sent; by default, the address that they reached. */
  publicUrl?: () => string;
  /** One that is drawn now by default. */
  tokenSecrets?: TokenSecrets;
  /** Whether to list the tools that are for the user only; called for each list. They are listed by default. */
  listUserTools?: () => boolean;
  /** Qualified names, `*` for any characters, that a frame sent by hand calls only if confirmed; none by default. */
  dangerousTools?: () => readonly string[];
  /** Web origins that may connect; none by default. */
  allowedOrigins?: () => readonly string[];
  /** The protocol version that OTA offers a device; 1 by default. */
  offeredProtocol?: (deviceId: string) => BinaryVersion | undefined;
  /** What came of the last call of a device in an earlier run. */
  formerFault?: (id: string) => CallFault | undefined;
  /** What the user calls a device. */
  givenName?: (deviceId: string) => string | undefined;
  /** `Host` names beside loopback and the address reached; called for each request. */
  allowedHosts?: () => readonly string[];
}

/** Every device on the wire: connected, failed and departed ones (issue 2, item 3). */
export interface DeviceHub {
  /** Admits a device of the network that does not send OTA's token. A secret. */
  accessToken: () => string;
  /** In the order they were first seen, with a bounded number of departed ones and of those that only asked OTA. */
  devices: () => DeviceInfo[];
  device: (id: string) => DeviceInfo | undefined;
  /** The registry of a device's tools; undefined while they cannot be called. Cheap, unlike `device`. */
  registryId: (id: string) => string | undefined;
  /** The admitted connection of a device that names its Device-Id; undefined if there is none. */
  speaking: (id: string) => Pick<DeviceSession, 'progress' | 'replace' | 'refuse' | 'close'> | undefined;
  /** What came of the device's last call, until one succeeds. */
  callFault: (id: string) => CallFault | undefined;
  /** Whether a connection of the device is open. */
  isConnected: (id: string) => boolean;
  /** The number of devices that are connected and admitted, without virtual ones. Cheap, unlike `devices`. */
  connectedCount: () => number;
  /** Called with the hub's id of a device whose state, tools or identity changed. */
  onChange: (listener: (id: string) => void) => () => void;
  /** Pings every admitted device now instead of at its next keep-alive. */
  checkConnections: () => void;
  /** Announces the names that `givenName` returns by now. */
  renamed: () => void;
  /** Refuses new connections and requests to OTA from now on: Toolwire is about to restart. */
  drain: () => void;
  /** Closes the device's connections; it stays listed. Throws a `RequestError` if the id is unknown. */
  disconnect: (id: string) => void;
  /**
   * Closes every connection with 1012 (service restart) and `reason`, at most 123 bytes of it. Resolves when all have
   * ended, at most after `closeGraceMs`.
   */
  disconnectAll: (reason: string) => Promise<void>;
  /** Removes a departed device and its log from the list. Throws a `RequestError` if it is unknown or connected. */
  forget: (id: string) => void;
  /**
   * Approves a device of the network, also for later connections. If `seen` is given, only the device with that
   * Client-Id is approved (empty: none). Throws a `RequestError` if the Client-Id differs or it needs no approval.
   */
  approve: (id: string, seen?: string) => void;
  /** Refuses the device and revokes its approval. Throws a `RequestError` if it needs no approval. */
  refuse: (id: string) => void;
  /** Lists the device's tools again. Rejects with a `RequestError` if it is not connected or not admitted. */
  refreshTools: (id: string, signal?: AbortSignal) => Promise<{ toolCount: number; changes: number }>;
  /** Sends one frame as the user wrote it. Throws a `RequestError` if it cannot be sent unchanged. */
  send: (input: HandInput & { id: string }) => SendOutcome;
  /** Called when a device starts to listen or detects its wake word, unless its voice is taken. */
  onListen: (listener: (id: string, listen: ListenMessage) => void) => () => void;
  /** Takes the voice of a connected device. Throws a `RequestError` if it is not connected or its voice is taken. */
  takeVoice: (id: string, tap: VoiceTap) => DeviceVoice;
  /** Connections that are opened from now on may post pictures to this receiver. */
  takePictures: (receiver: PictureReceiver) => void;
  /**
   * Calls back with the device's tools each time they have been listed, also those of later connections, and at once if
   * they are listed already. Several callbacks can be registered. Returns the function that removes this one.
   */
  setDeviceToolsCallback: (id: string, callback: ToolsCallback) => () => void;
  /** Removes the routes, closes every connection and waits until all have ended, at most `closeGraceMs`. */
  close: () => Promise<void>;
}

/** Serves OTA and the xiaozhi WebSocket, and keeps a ToolRegistry for each ready device (docs/protocols/xiaozhi.md). */
export function createDeviceHub(options: DeviceHubOptions): DeviceHub {
  const { listener, clock = systemClock, isLocal = isLoopback, offeredProtocol, frames = unrecorded() } = options;
  const { clientInfo = { name: 'toolwire', version }, publicUrl } = options;
  const limits: DeviceLimits = { ...defaultDeviceLimits, ...options.limits };
  const ownSecret = randomBytes(32);
  const tokens = createDeviceTokens(options.tokenSecrets ?? (() => [ownSecret]));
  const gatekeeper = createGatekeeper(options.approvals ?? new Map());
  const changeListeners = new Set<(id: string) => void>();
  const listenListeners = new Set<(id: string, listen: ListenMessage) => void>();
  const changed = (id: string) => changeListeners.forEach((hear) => hear(id));
  const directory = new DeviceDirectory({ ...options, limits, frames, onDropped: changed });
  const toolsCallbacks = createDeviceToolsCallbacks(directory);
  const registrar = createRegistrar(options, directory);
  const policies = [hostPolicy({ names: options.allowedHosts }), originPolicy({ allowed: options.allowedOrigins })];
  const infoOf = (record: DeviceRecord): DeviceInfo => deviceInfo(record, gatekeeper.isApproved(record));
  let pictures: PictureReceiver | undefined;
  const entrance = new DeviceEntrance({
    frames,
    directory,
    registrar,
    gatekeeper,
    tokens,
    isLocal,
    publicUrl,
    clock,
    limits,
    clientInfo,
    listUserTools: options.listUserTools ?? (() => true),
    pictures: () => pictures,
    onTools: (record, tools) => toolsCallbacks.call(record.id, tools),
    onListen: (record, listen) => listenListeners.forEach((hear) => hear(record.id, listen)),
    onRecord: changed,
    onChange: sessionChanged,
  });
  const figures = createFiguresWatch({
    clock,
    sessions: () => entrance.sessions(),
    onChange: (session) => changed(session.wire.deviceId),
  });

  function sessionChanged(record: DeviceRecord, session: DeviceSession): void {
    if (record.session === session) registrar.follow(record, session);
    if (session.state === 'ready') record.tools = session.client.knownTools ?? record.tools;
    if (!isConnected(record)) directory.departed(record);
    changed(record.id);
  }

  const onVisit = (visit: OtaVisit) => changed(directory.visitedOta(visit));
  let isDraining = false;
  const restarting = { status: 503, message: 'Toolwire is about to restart. Connect again.' };
  const arrivals = [...policies, () => (isDraining ? restarting : undefined)];
  const removeRoutes = [
    ...otaRoutes({ tokens, clock, policies: arrivals, isLocal, publicUrl, onVisit, offeredProtocol }).map(
      listener.route,
    ),
    listener.upgrade({
      path: '/xiaozhi/*',
      policies: [...arrivals, ...entrance.policies],
      maxPayload: limits.maxPayload,
      checksUtf8: true,
      handle: (...opened) => {
        entrance.connect(...opened);
        figures.start();
      },
    }),
  ];

  return {
    ...deviceActions({ directory, gatekeeper, changed, dangerousTools: options.dangerousTools ?? (() => []) }),
    setDeviceToolsCallback: toolsCallbacks.add,
    accessToken: tokens.accessToken,
    devices: () => directory.all().map(infoOf),
    device: (id) => (directory.has(id) ? infoOf(directory.get(id)) : undefined),
    isConnected: (id) => directory.has(id) && isConnected(directory.get(id)),
    connectedCount: () => directory.all().filter((record) => isAdmitted(record) && !isVirtual(record)).length,
    onChange: (hear) => subscribe(changeListeners, hear),
    onListen: (hear) => subscribe(listenListeners, hear),
    checkConnections: () => {
      for (const session of entrance.sessions()) if (session.admitted && !session.ended) session.wire.checkNow();
    },
    renamed: () => {
      for (const { id, registryId } of directory.all()) {
        if (registryId !== undefined) options.toolRegistryManager.notifyChanged(registryId);
        changed(id);
      }
    },
    drain: () => void (isDraining = true),
    disconnectAll: (reason) => entrance.end(1012, reason),
    takePictures: (receiver) => {
      pictures = receiver;
      removeRoutes.push(...receiver.routes(policies).map(listener.route));
    },
    close: async () => {
      for (const remove of removeRoutes) remove();
      for (const { stopTimer } of directory.all()) stopTimer?.();
      await entrance.end(1001, 'Toolwire is closing');
      figures.stop();
    },
  };
}

/** What the user does with one device. */
function deviceActions(options: {
  directory: DeviceDirectory;
  gatekeeper: Gatekeeper;
  changed: (id: string) => void;
  dangerousTools: () => readonly string[];
}): Pick<
  DeviceHub,
  | 'registryId'
  | 'callFault'
  | 'speaking'
  | 'disconnect'
  | 'forget'
  | 'approve'
  | 'refuse'
  | 'refreshTools'
  | 'send'
  | 'takeVoice'
> {
  const { directory, gatekeeper, changed, dangerousTools } = options;
  return {
    registryId: (id) => directory.registryId(id),
    callFault: (id) => {
      const { session, formerFault } = directory.get(id);
      return session === undefined ? formerFault : callFaultOf(session);
    },
    speaking: (id) => {
      const record = directory.has(id) ? directory.get(id) : undefined;
      return record !== undefined && !record.unnamed && isAdmitted(record) ? record.session : undefined;
    },
    takeVoice: (id, tap) => {
      const record = directory.get(id);
      return takeVoice(record.session, nameOf(record), tap);
    },
    disconnect: (id) => {
      const { session, waiting } = directory.get(id);
      for (const open of [...waiting, ...(session === undefined ? [] : [session])])
        open.close(1000, 'disconnected by the user');
    },
    forget: (id) => {
      const record = directory.get(id);
      if (isConnected(record)) throw new RequestError(`${nameOf(record)} is connected. Disconnect it first.`);
      directory.forget(id);
      changed(id);
    },
    approve: (id, seen) => {
      gatekeeper.approve(directory.get(id), seen);
      changed(id);
    },
    refuse: (id) => {
      gatekeeper.refuse(directory.get(id));
      changed(id);
    },
    refreshTools: async (id, signal) => {
      const record = directory.get(id);
      const { session } = record;
      requireAdmitted(session, nameOf(record));
      const { client } = session;
      const before = client.tools;
      await session.refreshTools(signal);
      const { added = [], removed = [], changed: other = [] } = compareTools(before, client.tools) ?? {};
      return { toolCount: client.tools.length, changes: added.length + removed.length + other.length };
    },
    send: ({ id, ...input }) => {
      const record = directory.get(id);
      if (record.session === undefined) throw new RequestError(`${nameOf(record)} is not connected.`);
      return sendByHand(input, {
        session: record.session,
        name: nameOf(record),
        registryId: record.registryId,
        dangerousTools: dangerousTools(),
      });
    },
  };
}

/** Who is called back with the tools of a device, also after it has reconnected. */
function createDeviceToolsCallbacks(directory: DeviceDirectory) {
  const ofDevices = new Map<string, ToolsCallbacks>();
  return {
    call: (id: string, tools: Parameters<ToolsCallback>[0]) => ofDevices.get(id)?.call(tools),
    add(id: string, callback: ToolsCallback): () => void {
      const callbacks = ofDevices.get(id) ?? new ToolsCallbacks();
      ofDevices.set(id, callbacks);
      const remove = callbacks.add(callback);
      const session = directory.has(id) ? directory.get(id).session : undefined;
      if (session?.client.listed === true && !session.ended) callback(session.client.getToolDefinitions());
      return remove;
    },
  };
}

/** Numbers frames, and keeps none. */
function unrecorded(): FrameRecorder {
  let seq = 0;
  return { add: () => (seq += 1), admit: () => undefined, forget: () => undefined };
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Tells once a second which connections' figures (frames, round trips, audio) are others than a second before. Frames
 * cost nothing, since none is announced by itself. Runs while there are connections; `start` is called for each new one.
 */
function createFiguresWatch(options: {
  clock: Clock;
  sessions: () => Iterable<DeviceSession>;
  onChange: (session: DeviceSession) => void;
}): { start: () => void; stop: () => void } {
  const { clock, sessions, onChange } = options;
  const shown = new WeakMap<DeviceSession, string>();
  let stop: (() => void) | undefined;

  function look(): void {
    let open = 0;
    for (const session of sessions()) {
      open += 1;
      const { framesIn, framesOut } = session.wire.counters;
      const { callFault } = session.client.requests;
      const figures = `${framesIn} ${framesOut} ${session.wire.audio?.framesPerSecond} ${callFault?.id}`;
      if (shown.get(session) !== figures) onChange(session);
      shown.set(session, figures);
    }
    stop = open === 0 ? undefined : clock.after(everyMs, look);
  }

  return { start: () => void (stop ??= clock.after(everyMs, look)), stop: () => stop?.() };
}
