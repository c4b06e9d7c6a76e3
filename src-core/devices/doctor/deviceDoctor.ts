import { peerOf, shownSession } from '../deviceRecord.ts';
import type { DeviceRecord } from '../deviceRecord.ts';
import type { DeviceSession } from '../deviceSession.ts';
import type { DoctorReport } from '../types.ts';
import { doctorReport } from './doctorReport.ts';
import type { DoctorInput } from './doctorReport.ts';

/** What the doctor says of a device. `isApproved`: a person has let it in before, or ahead. Made when asked for. */
export function deviceDoctor(record: DeviceRecord, isApproved: boolean): DoctorReport {
  const session = shownSession(record);
  return doctorReport({
    otaAt: record.visit?.at,
    remote: peerOf(record)?.remote ?? false,
    approved: isApproved,
    connection: session?.progress,
    withoutMcp: session?.hello?.mcp === false,
    toolCount: session?.client.tools.length ?? 0,
    invalidIn: session?.wire.counters.invalidIn ?? 0,
    idle: session?.idle ?? false,
    facts: factsOf(record, session),
  });
}

function factsOf({ visit }: DeviceRecord, session: DeviceSession | undefined): DoctorInput['facts'] {
  const { hello, client, progress } = session ?? {};
  const words = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined).join(' ') || undefined;
  return {
    ota: words(visit?.board, visit?.firmware),
    tcp: session?.peer.address,
    hello: hello === undefined ? undefined : helloFact(hello),
    initialize: words(client?.serverInfo.name, client?.serverInfo.version),
    tools:
      progress?.listedAt === undefined ? undefined : `${count(client?.tools.length ?? 0, 'tool')}${pagesOf(client)}`,
  };
}

function helloFact({ version, mcp, features = {} }: NonNullable<DeviceSession['hello']>): string | undefined {
  const others = Object.keys(features).filter((name) => name !== 'mcp' && features[name] === true);
  const parts = [
    ...(version === undefined ? [] : [`version ${version}`]),
    ...(mcp ? ['MCP'] : []),
    ...others.slice(0, 4),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function pagesOf(client: DeviceSession['client'] | undefined): string {
  return client?.pages === undefined ? '' : `, ${count(client.pages, 'page')}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
