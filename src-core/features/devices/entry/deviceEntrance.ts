import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';

import { requestUrl } from '../../../server/handleRequest.ts';
import { clientOf } from '../../../server/proxied.ts';
import type { Refusal, RequestPolicy } from '../../../server/types.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ToolDefinition } from '../../../registry/toolDefinition.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import { readDeviceCredentials } from './deviceCredentials.ts';
import type { DeviceDirectory } from './deviceDirectory.ts';
import { originFor } from '../listener/deviceAddresses.ts';
import { devicePeer, type DevicePeer, type IsLocal } from '../wire/devicePeer.ts';
import { callFaultOf, isConnected, nameOf, noteGreeting, type DeviceRecord, type TurnedAway } from './deviceRecord.ts';
import { DeviceSession } from '../session/deviceSession.ts';
import type { DeviceTokens } from './deviceToken.ts';
import type { DeviceLimits } from '../limits.ts';
import type { DeviceHello } from '../wire/readHello.ts';
import type { Registrar } from './registrar.ts';
import { pictureGuest, type PicturePass, type PictureReceiver } from './pictureGuest.ts';
import type { ListenMessage } from '../voice/voiceTap.ts';
import type { FrameRecorder, NewFrame } from '../../frames/frameLog.ts';
import { maskSecrets } from '../../../base/maskSecrets.ts';
import { createMachineCount } from '../../../server/machineCount.ts';

/** The records, the registrar and the callbacks of a device entrance. */
export interface DeviceEntranceOptions {
  frames: FrameRecorder;
  directory: DeviceDirectory;
  registrar: Registrar;
  gatekeeper: Gatekeeper;
  tokens: DeviceTokens;
  isLocal: IsLocal;
  publicUrl: (() => string) | undefined;
  clock: Clock;
  limits: DeviceLimits;
  clientInfo: { name: string; version: string };
  listUserTools: () => boolean;
  /** Takes pictures of devices. Without it, devices are sent no address for them. */
  pictures: () => Pick<PictureReceiver, 'admit'> | undefined;
  /** A device's tools have been listed. */
  onTools: (record: DeviceRecord, tools: ToolDefinition[]) => void;
  /** A device starts to listen, and its voice is not taken. */
  onListen: (record: DeviceRecord, listen: ListenMessage) => void;
  /** State, tools or identity of a device changed, or its connection ended. */
  onChange: (record: DeviceRecord, session: DeviceSession) => void;
  /** A record without a connection changed or was removed, or a device no longer reconnects again and again. */
  onRecord: (id: string) => void;
}

/** One connection, and the device that it is taken for. */
interface Arrival {
  record: DeviceRecord;
  readonly session: DeviceSession;
  /** Its first entry in the log. */
  readonly opened: Opening;
  readonly leaveCrowd: () => void;
  pass?: PicturePass;
}

/** Assigns each open socket to its device's record, checks its token, and admits it once its hello may be answered. */
export class DeviceEntrance {
  readonly #options: DeviceEntranceOptions;
  /** Open connections, and what to do when each has ended. */
  readonly #live = new Map<DeviceSession, () => void>();
  readonly #crowd;

  constructor(options: DeviceEntranceOptions) {
    this.#options = options;
    this.#crowd = createCrowd(options.limits.maxUngreeted, options.isLocal);
  }

  /** Refuses the handshake of another machine: too many connections that are not approved, or a missing or wrong token. */
  get policies(): RequestPolicy[] {
    return [this.#crowd.policy, (request) => this.#checkToken(request)];
  }

  /** Takes an open socket. */
  connect(socket: WebSocket, request: IncomingMessage, url: URL): void {
    const { directory, frames, clock, limits, clientInfo, isLocal, listUserTools } = this.#options;
    const credentials = readDeviceCredentials(request, url.searchParams);
    const peer = devicePeer(request, credentials, isLocal);
    const record = directory.find(credentials.deviceId);
    const opened = openEntry(request, url.pathname, peer.remote);
    frames.add({ ...opened, connection: record.id });
    const session: DeviceSession = new DeviceSession({
      socket,
      transport: request.socket,
      frames,
      deviceId: record.id,
      clock,
      limits,
      clientInfo,
      peer,
      tools: {
        vision: () => this.#picturePass(arrival, request),
        listUserTools,
        formerTools: () => arrival.record.tools,
      },
      name: () => nameOf(arrival.record),
      language: () => arrival.record.visit?.language,
      mayEnter: (hello) => this.#mayEnter(arrival, hello),
      onListen: (listen) => this.#options.onListen(arrival.record, listen),
      onHello: (hello) => this.#greeted(arrival, hello),
      onChange: () => this.#changed(arrival),
    });
    const arrival: Arrival = { record, session, opened, leaveCrowd: this.#crowd.enter(peer) };
    session.client.setDeviceToolsCallback((tools) => this.#options.onTools(arrival.record, tools));
    this.#live.set(session, () => {});
    place(record, session);
    const full = `${limits.maxDevices} devices are connected already. Disconnect one first.`;
    if (this.#live.size > limits.maxDevices) session.refuse('tcp', 'too-many-devices', full, 1013);
    this.#changed(arrival);
  }

  /** The open connections. */
  sessions(): Iterable<DeviceSession> {
    return this.#live.keys();
  }

  /** Closes every connection with a close frame. Resolves when all have ended. */
  async end(code: number, reason: string): Promise<void> {
    const ends = [...this.#live.keys()].map(
      (session) =>
        new Promise<void>((resolve) => {
          this.#live.set(session, resolve);
          session.close(code, reason);
        }),
    );
    await Promise.all(ends);
  }

  #mayEnter(arrival: Arrival, hello: DeviceHello): boolean {
    const { session } = arrival;
    if (arrival.record.unnamed && hello.deviceId !== undefined) this.#move(arrival, hello.deviceId);
    const { record } = arrival;
    if (hello.name !== undefined && record.session === session) record.saidName = hello.name;
    return this.#options.gatekeeper.mayEnter(record, session);
  }

  /** For a connection that names its device only in its hello, as browser pages do (docs/protocols/xiaozhi.md). */
  #move(arrival: Arrival, deviceId: string): void {
    const { directory, frames, onRecord } = this.#options;
    const { record: from, session } = arrival;
    const to = directory.find(deviceId);
    directory.forget(from.id);
    session.wire.deviceId = to.id;
    frames.add({ ...arrival.opened, connection: to.id });
    place(to, session);
    arrival.record = to;
    onRecord(from.id);
  }

  /** This connection now represents its device; the previous one ends (docs/protocols/xiaozhi.md#messages). */
  #greeted({ record, session, leaveCrowd }: Arrival, hello: DeviceHello): void {
    leaveCrowd();
    record.known = true;
    record.knocked = false;
    record.awaited = false;
    noteGreeting(record, this.#options.clock, () => this.#options.onRecord(record.id));
    if (hello.name !== undefined) record.saidName = hello.name;
    const former = record.session;
    if (former === session) return;
    record.waiting.delete(session);
    this.#options.registrar.remove(record);
    record.session = session;
    noteReplaced(record, former, session);
    former?.replace();
    if (former !== undefined) inherit(session, former);
  }

  #changed({ record, session, leaveCrowd, pass }: Arrival): void {
    if (session.ended) {
      leaveCrowd();
      pass?.revoke();
      record.waiting.delete(session);
      // It was replaced before its end was noticed.
      if (record.session !== session && record.session !== undefined) inherit(record.session, session);
      this.#live.get(session)?.();
      this.#live.delete(session);
    }
    this.#options.onChange(record, session);
  }

  #picturePass(arrival: Arrival, request: IncomingMessage): PicturePass | undefined {
    if (arrival.pass !== undefined) return arrival.pass;
    const origin = originFor(request, arrival.session.peer, this.#options.publicUrl);
    const pass = this.#options.pictures()?.admit(pictureGuest(arrival), origin);
    if (pass !== undefined) arrival.pass = pass;
    return pass;
  }

  /** Refuses with 401: a board then shows at once that it cannot connect. The firmware ignores a close frame. */
  #checkToken(request: IncomingMessage): Refusal | undefined {
    const { tokens, isLocal } = this.#options;
    const url = requestUrl(request);
    const credentials = readDeviceCredentials(request, url?.searchParams);
    const peer = devicePeer(request, credentials, isLocal);
    const { deviceId = '', token } = credentials;
    if (!peer.remote || (token !== undefined && tokens.accepts(deviceId, token))) return undefined;
    const cause = token === undefined ? 'no-token' : 'wrong-token';
    this.#turnAway(request, { at: this.#options.clock.wall(), peer, cause, message: tokenMessages[cause] });
    return { status: 401, message: tokenMessages[cause] };
  }

  /** Records on the device that it was refused, unless another connection of it is open. */
  #turnAway(request: IncomingMessage, refusal: TurnedAway): void {
    const { directory, frames, onRecord } = this.#options;
    const url = requestUrl(request);
    const record = directory.find(readDeviceCredentials(request, url?.searchParams).deviceId);
    const connection = record.id;
    frames.add({ ...openEntry(request, url?.pathname ?? '', true), connection });
    const note = { type: 'close', summary: `401 ${refusal.cause}` };
    frames.add({ source: 'device', connection, direction: 'out', kind: 'close', bytes: 0, note, held: true });
    if (!isConnected(record)) {
      record.turnedAway = refusal;
      record.awaited = false;
      record.knocked = false;
      directory.departed(record);
    }
    onRecord(record.id);
  }
}

const tokenMessages = {
  'no-token': 'It sent no token. Let it request the OTA address, or set the access token on it.',
  'wrong-token': 'Its token is not from this Toolwire. Restart it, so that it requests the OTA address again.',
} as const;

type Opening = Omit<NewFrame, 'connection'>;

function openEntry(request: IncomingMessage, path: string, held: boolean): Opening {
  const note = { type: 'open', summary: `open ${path}` };
  return { source: 'device', direction: 'in', kind: 'open', bytes: 0, note, text: openText(request), held };
}

/** Assigns the connection to the device. If the device has an open one, this waits until its hello is answered. */
function place(record: DeviceRecord, session: DeviceSession): void {
  if (record.session !== undefined) {
    if (!record.session.ended) return void record.waiting.add(session);
    inherit(session, record.session);
  } else session.client.requests.callFault = record.formerFault;
  record.session = session;
  delete record.replacedClient;
  delete record.isShared;
  delete record.turnedAway;
  record.awaited = false;
  record.knocked = false;
}

/** A board that was erased replaces its own connection once, with a new Client-Id. Two boards replace each other. */
function noteReplaced(record: DeviceRecord, former: DeviceSession | undefined, { peer }: DeviceSession): void {
  const replaced = former?.ended === false && former.peer.clientId !== peer.clientId;
  record.isShared = replaced && peer.clientId !== undefined && peer.clientId === record.replacedClient;
  record.replacedClient = replaced ? former.peer.clientId : undefined;
}

/** The connection takes over what came of the last call on the device's former one. */
function inherit({ client: { requests } }: DeviceSession, former: DeviceSession): void {
  requests.callFault ??= callFaultOf(former);
}

/** The handshake as it came, without credentials: request line, then one header a line. */
function openText(request: IncomingMessage): string {
  const lines = [`${request.method} ${request.url}`];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    const secret = /^(authorization|cookie)$/i.test(name);
    lines.push(`${name}: ${secret ? '***' : request.rawHeaders[index + 1]}`);
  }
  return maskSecrets(lines.join('\n'));
}

/**
 * Counts and limits the connections of other machines whose hello has not been answered. Those of this machine are not
 * counted: a thousand virtual devices may start at once.
 */
function createCrowd(limits: DeviceLimits['maxUngreeted'], isLocal: IsLocal) {
  const crowd = createMachineCount();
  return {
    /** Refuses an upgrade with 503 if a limit is reached. */
    policy: (request: IncomingMessage): Refusal | undefined => {
      const { address, isForwarded } = clientOf(request);
      const isFull = crowd.inAll() >= limits.inAll || crowd.of(address) >= limits.perMachine;
      if (!isFull || (!isForwarded && isLocal(address))) return undefined;
      return { status: 503, message: 'Too many connections wait for approval. Try again later.' };
    },
    /** Counts a connection. The returned function ends that; a second call does nothing. */
    enter: ({ remote, address }: DevicePeer): (() => void) => (remote ? crowd.add(address) : () => {}),
  };
}
