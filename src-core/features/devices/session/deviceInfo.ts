import { deviceHealth } from '../health/deviceHealth.ts';
import {
  callFaultOf,
  isVirtual,
  nameOf,
  ownNameOf,
  peerOf,
  reconnectsOf,
  shownSession,
  type DeviceRecord,
} from '../entry/deviceRecord.ts';
import type { DeviceSession } from './deviceSession.ts';
import type { DeviceInfo, DeviceState, DoctorReport } from '../../../contract/deviceInfo.ts';
import type { DeviceHello } from '../wire/readHello.ts';
import type { ConnectionProgress } from '../doctor/connectionProgress.ts';
import { doctorReport, type DoctorInput } from '../doctor/doctorReport.ts';

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
    health: deviceHealth(state, doctor.cause, session && callFaultOf(session)?.cause),
    toolCount: unregister === undefined ? 0 : (record.session?.client.tools.length ?? 0),
    remote: peer?.remote ?? false,
    virtual: isVirtual(record),
    connectedAt: since,
    lastSeenAt: session?.wire.lastSeenAt ?? since,
    doctor,
    counters: { ...(session?.wire.counters ?? noFrames) },
  };
  if (record.givenName() !== undefined) info.ownName = ownNameOf(record);
  if (registryId !== undefined) info[unregister === undefined ? 'lastRegistryId' : 'registryId'] = registryId;
  if (board !== undefined) info.board = board;
  if (firmware !== undefined) info.firmware = firmware;
  if (peer !== undefined) info.remoteAddress = peer.address;
  if (peer?.clientId !== undefined) info.clientId = peer.clientId;
  if (state === 'approval' && record.rejectedClient === (peer?.clientId ?? '')) info.wasRejected = true;
  if (peer?.userAgent !== undefined) info.userAgent = peer.userAgent;
  const leftAt = session === undefined ? turnedAway?.at : session.progress.endedAt;
  if (leftAt !== undefined) info.leftAt = leftAt;
  if (session !== undefined) addSaid(info, session);
  else if (turnedAway !== undefined) info.error = { code: turnedAway.cause, message: turnedAway.message };
  if (doctor.cause === 'reconnects') {
    const message = `${info.name} connected ${reconnectsOf(record)} times within 2 minutes.`;
    info.error = { code: 'reconnects', message };
  }
  return info;
}

function addSaid(info: DeviceInfo, session: DeviceSession): void {
  const { hello, error } = session;
  if (hello?.version !== undefined) info.protocolVersion = hello.version;
  if (hello?.features !== undefined) info.features = hello.features;
  if (hello?.audioParams !== undefined) info.audioParams = hello.audioParams;
  if (error !== undefined) info.error = { code: error.code, message: error.message };
  addDeviceFigures(info, session);
}

function stateOf(record: DeviceRecord, session: DeviceSession | undefined): DeviceState {
  if (session === undefined) return record.turnedAway === undefined ? 'announced' : 'failed';
  return record.knocked ? 'approval' : session.state;
}

/** Adds what a connection's traffic tells of the device: round trips, audio, notifications, changes of its tools. */
function addDeviceFigures(info: DeviceInfo, { client, wire }: DeviceSession): void {
  const { latency, notifications, toolChanges } = client;
  const { audio } = wire;
  if (latency !== undefined) info.latency = latency;
  if (audio !== undefined) info.audio = audio;
  if (notifications !== undefined) info.notifications = notifications;
  if (toolChanges !== undefined) info.toolChanges = toolChanges;
}

/** What the doctor says of a device. `isApproved`: the user has approved it, now or in advance. Made when asked for. */
function deviceDoctor(record: DeviceRecord, isApproved: boolean): DoctorReport {
  const session = shownSession(record);
  return doctorReport({
    otaAt: record.visit?.at,
    otaRefused: record.visit?.refused !== undefined,
    remote: peerOf(record)?.remote ?? false,
    approved: isApproved,
    hasCome: record.session !== undefined,
    connection: session?.progress ?? refusedProgress(record),
    withoutMcp: session?.hello?.mcp === false,
    toolCount: session?.client.tools.length ?? 0,
    callFault: session && callFaultOf(session),
    invalidIn: session?.wire.counters.invalidIn ?? 0,
    faults: [...(session?.wire.faults ?? [])],
    isShared: session !== undefined && session === record.session && record.isShared === true,
    reconnects: reconnectsOf(record) !== undefined,
    idle: session?.idle ?? false,
    facts: factsOf(record, session),
  });
}

/** A connection that was refused at its handshake. */
function refusedProgress({ turnedAway }: DeviceRecord): ConnectionProgress | undefined {
  if (turnedAway === undefined) return undefined;
  const { at, cause } = turnedAway;
  return { openedAt: at, stopped: { step: 'tcp', cause, at }, endedAt: at };
}

function factsOf({ visit, turnedAway }: DeviceRecord, session: DeviceSession | undefined): DoctorInput['facts'] {
  const ota = visit?.refused ? `HTTP ${visit.refused}` : inWords(visit?.board, visit?.firmware);
  const facts: DoctorInput['facts'] = { ota };
  if (session === undefined) return { ...facts, tcp: turnedAway?.peer.address };
  const { hello, client, progress, peer } = session;
  facts.tcp = peer.address;
  if (hello !== undefined) facts.hello = helloFact(hello);
  facts.initialize = inWords(client.serverInfo.name, client.serverInfo.version);
  if (progress.listedAt !== undefined)
    facts.tools = `${count(client.tools.length, 'tool')}, ${count(client.pages ?? 0, 'page')}`;
  return facts;
}

function helloFact({ version, mcp, features = {} }: DeviceHello): string | undefined {
  const others = Object.keys(features).filter((name) => name !== 'mcp' && features[name] === true);
  const parts = others.slice(0, 4);
  if (mcp) parts.unshift('MCP');
  if (version !== undefined) parts.unshift(`version ${version}`);
  return parts.length === 0 ? undefined : parts.join(', ');
}

function inWords(name: string | undefined, version: string | undefined): string | undefined {
  return name === undefined || version === undefined ? (name ?? version) : `${name} ${version}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
