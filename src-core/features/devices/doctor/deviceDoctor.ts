import { peerOf, shownSession } from '../entry/deviceRecord.ts';
import type { DeviceRecord } from '../entry/deviceRecord.ts';
import type { DeviceSession } from '../session/deviceSession.ts';
import type { DeviceHello } from '../wire/readHello.ts';
import type { DoctorReport } from '../types.ts';
import type { ConnectionProgress } from './connectionProgress.ts';
import { doctorReport } from './doctorReport.ts';
import type { DoctorInput } from './doctorReport.ts';

/** What the doctor says of a device. `isApproved`: the user has approved it, now or in advance. Made when asked for. */
export function deviceDoctor(record: DeviceRecord, isApproved: boolean): DoctorReport {
  const session = shownSession(record);
  return doctorReport({
    otaAt: record.visit?.at,
    remote: peerOf(record)?.remote ?? false,
    approved: isApproved,
    connection: session?.progress ?? refusedProgress(record),
    withoutMcp: session?.hello?.mcp === false,
    toolCount: session?.client.tools.length ?? 0,
    invalidIn: session?.wire.counters.invalidIn ?? 0,
    faults: [...(session?.wire.faults ?? [])],
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
  const facts: DoctorInput['facts'] = { ota: inWords(visit?.board, visit?.firmware) };
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
