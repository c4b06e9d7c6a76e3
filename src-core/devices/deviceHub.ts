import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { plainAddress } from '../server/address.ts';
import { hostPolicy, originPolicy } from '../server/policies.ts';
import type { Listener } from '../server/types.ts';
import { RequestError } from '../tools/requestError.ts';
import { systemClock } from '../tools/clock.ts';
import type { Clock } from '../tools/clock.ts';
import { readDeviceCredentials } from './deviceCredentials.ts';
import type { DeviceCredentials } from './deviceCredentials.ts';
import { DeviceDirectory } from './deviceDirectory.ts';
import { describe, deviceInfo, isConnected, nameOf } from './deviceRecord.ts';
import type { DeviceRecord } from './deviceRecord.ts';
import { DeviceSession } from './deviceSession.ts';
import { createDeviceTokens } from './deviceToken.ts';
import { defaultDeviceLimits } from './limits.ts';
import type { DeviceLimits } from './limits.ts';
import { openText } from './openText.ts';
import { otaRoutes } from './otaRoute.ts';
import { plainText } from './plainText.ts';
import { createRegistrar } from './registrar.ts';
import type { RegistrarOptions } from './registrar.ts';
import type { DeviceInfo, WireFrame } from './types.ts';
import type { FrameQuery } from './wireLog.ts';

/** Where devices come in, what they may take and who is let in. */
export interface DeviceHubOptions extends RegistrarOptions {
  /** Gets the OTA and WebSocket routes; the caller opens and closes it. */
  listener: Pick<Listener, 'route' | 'upgrade'>;
  /** Who we say we are to devices. */
  clientInfo?: { name: string; version: string };
  limits?: Partial<DeviceLimits>;
  clock?: Clock;
  /** Turns devices away whose token OTA did not issue; off unless told, for a loopback listener. */
  requireToken?: boolean;
  /** Outlives restarts where stored tokens shall stay good. */
  tokenSecret?: Uint8Array;
  /** Web origins that may connect; none unless told. */
  allowedOrigins?: readonly string[];
  /** `Host` names beside loopback and the address reached. */
  allowedHosts?: readonly string[];
}

/** Every device on the wire: connected, failed and departed ones (issue 2, item 3). */
export interface DeviceHub {
  /** In the order of their first connection; departed ones, bounded, too. */
  devices: () => DeviceInfo[];
  /** Called with the hub's id of a device whose state, tools or identity changed. */
  onChange: (listener: (id: string) => void) => () => void;
  /** Called for every frame as it is logged. */
  onFrame: (listener: (frame: WireFrame) => void) => () => void;
  /** Closes the device's connections; it stays listed. Throws a `RequestError` where the id is unknown. */
  disconnect: (id: string) => void;
  /** Takes a departed device and its log off the list. Throws a `RequestError` where it is unknown or connected. */
  forget: (id: string) => void;
  /** Lists the device's tools again. */
  refreshTools: (id: string) => Promise<{ toolCount: number }>;
  /** Frames oldest first, of one device (the hub's id) or of all. */
  frames: (query: FrameQuery & { deviceId?: string }) => WireFrame[];
  /** Takes the routes away, closes every connection and waits until all are gone, at most `closeGraceMs`. */
  close: () => Promise<void>;
}

/** Serves OTA and the xiaozhi WebSocket, and keeps a ToolRegistry for each ready device (spec/xiaozhi.md). */
export function createDeviceHub(options: DeviceHubOptions): DeviceHub {
  const { listener, clock = systemClock, requireToken = false } = options;
  const { clientInfo = { name: 'toolwire', version: '0' } } = options;
  const limits: DeviceLimits = { ...defaultDeviceLimits, ...options.limits };
  const tokens = createDeviceTokens(options.tokenSecret);
  const changeListeners = new Set<(id: string) => void>();
  const frameListeners = new Set<(frame: WireFrame) => void>();
  const live = new Map<DeviceSession, () => void>();
  const directory = new DeviceDirectory({ clock, limits, frameListeners });
  const registrar = createRegistrar(options, () => directory.all());
  const policies = [
    hostPolicy({ names: options.allowedHosts ?? [] }),
    originPolicy({ allowed: options.allowedOrigins ?? [] }),
  ];
  const changed = (id: string) => changeListeners.forEach((hear) => hear(id));

  function connect(socket: WebSocket, request: IncomingMessage, url: URL): void {
    const credentials = readDeviceCredentials(request, url);
    const record = directory.find(credentials.deviceId);
    record.log.add({
      direction: 'in',
      kind: 'open',
      bytes: 0,
      note: { type: 'open', summary: `open ${url.pathname}` },
      text: openText(request),
    });
    const speak = () => {
      describe(record, credentials, plainAddress(request.socket.remoteAddress ?? ''), clock.wall());
      record.session = session;
    };
    const session: DeviceSession = new DeviceSession({
      socket,
      transport: request.socket,
      log: record.log,
      clock,
      limits,
      clientInfo,
      name: () => nameOf(record),
      onHello: (hello) => {
        const former = record.session;
        if (former !== session) {
          // From hello on, a connection speaks for its device; the one before it ends (spec/xiaozhi.md §1.3).
          record.waiting.delete(session);
          registrar.remove(record);
          speak();
          former?.close(1000, 'the device connected again');
        }
        const saidName = plainText(hello['device_name']);
        if (saidName !== undefined) record.saidName = saidName;
      },
      onChange: () => sessionChanged(record, session),
    });
    if (record.session === undefined || record.session.ended) speak();
    else record.waiting.add(session);
    live.set(session, () => {});
    refuseUnwelcome(session, credentials);
    changed(record.id);
  }

  function refuseUnwelcome(session: DeviceSession, { deviceId, token }: DeviceCredentials): void {
    if (live.size > limits.maxDevices) {
      session.refuse(
        'too-many-devices',
        `${limits.maxDevices} devices are connected already. Disconnect one first.`,
        1013,
      );
    } else if (requireToken && !tokens.accepts(deviceId ?? '', token)) {
      session.refuse('wrong-token', 'It showed no token of ours. Let it ask OTA again: restart it.', 1008);
    }
  }

  function sessionChanged(record: DeviceRecord, session: DeviceSession): void {
    if (session.ended) {
      record.waiting.delete(session);
      live.get(session)?.();
      live.delete(session);
    }
    if (record.session === session) registrar.follow(record, session);
    if (!isConnected(record)) directory.departed(record);
    changed(record.id);
  }

  const removeRoutes = [
    ...otaRoutes({ tokens, clock, policies, onVisit: (visit) => directory.visitedOta(visit) }).map(listener.route),
    listener.upgrade({ path: '/xiaozhi/*', policies, maxPayload: limits.maxPayload, handle: connect }),
  ];

  return {
    devices: () => directory.all().map(deviceInfo),
    onChange: (hear) => subscribe(changeListeners, hear),
    onFrame: (hear) => subscribe(frameListeners, hear),
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
    refreshTools: async (id) => {
      const { session } = directory.get(id);
      if (session === undefined || session.ended)
        throw new RequestError(`${nameOf(directory.get(id))} is not connected.`);
      await session.refreshTools();
      return { toolCount: session.client.tools.length };
    },
    frames: ({ deviceId, ...query }) => directory.frames(query, deviceId),
    close: async () => {
      for (const remove of removeRoutes) remove();
      const ends = [...live.keys()].map(
        (session) =>
          new Promise<void>((resolve) => {
            live.set(session, resolve);
            session.close(1001, 'Toolwire is closing');
          }),
      );
      await Promise.all(ends);
    },
  };
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
