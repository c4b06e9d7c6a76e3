import type { DoctorCause, DoctorReport, DoctorStep, DoctorStepId } from '../types.ts';
import { stationOf } from './connectionProgress.ts';
import type { ConnectionProgress } from './connectionProgress.ts';

/** What is known of a device's way here. */
export interface DoctorInput {
  /** Epoch ms of its last question to OTA. */
  otaAt?: number | undefined;
  /** From another machine. */
  remote: boolean;
  /** A person has let it in before, or ahead. */
  approved: boolean;
  /** Its last connection; absent where it has not connected since it asked OTA. */
  connection?: ConnectionProgress | undefined;
  /** Its hello offered no MCP. */
  withoutMcp: boolean;
  toolCount: number;
  /** Frames of the connection that could not be read. */
  invalidIn: number;
  /** Open, but nothing has come for long. */
  idle: boolean;
  /** What to show beside a station: numbers and the device's own words. */
  facts: Partial<Record<DoctorStepId, string | undefined>>;
}

const stations: readonly DoctorStepId[] = ['ota', 'tcp', 'hello', 'approval', 'initialize', 'tools'];

/** Says how far a device has come and why no further (spec/xiaozhi.md §1, §4). */
export function doctorReport(input: DoctorInput): DoctorReport {
  const cause = causeOf(input);
  let before: number | undefined;
  const steps = stations.map((id): DoctorStep => {
    const state = stateOf(id, input);
    const at = state === 'done' || state === 'failed' ? timeOf(id, input) : undefined;
    const fact = state === 'open' || state === 'skipped' ? undefined : input.facts[id];
    const tookMs = at === undefined || before === undefined ? undefined : Math.max(0, at - before);
    // OTA is asked at boot, long before a button press opens the connection: it starts no duration.
    if (at !== undefined && id !== 'ota') before = at;
    return {
      id,
      state,
      ...(at === undefined ? {} : { at }),
      ...(tookMs === undefined ? {} : { tookMs }),
      ...(fact === undefined ? {} : { fact }),
    };
  });
  return { steps, ...(cause === undefined ? {} : { cause }) };
}

function causeOf(input: DoctorInput): DoctorCause | undefined {
  const { connection } = input;
  if (connection === undefined) return 'never-connected';
  const { stopped, endedAt } = connection;
  const station = stationOf(connection);
  if (connection.broken === true) return 'broken-frames';
  if (endedAt !== undefined && station === undefined) return stopped?.cause === 'refused' ? 'refused' : 'left';
  if (stopped !== undefined) return stopped.cause;
  if (station === 'approval') return 'waits-for-approval';
  if (input.withoutMcp && connection.helloAt !== undefined) return endedAt === undefined ? 'no-mcp' : 'left';
  if (station !== undefined) return undefined;
  if (input.toolCount === 0) return 'no-tools';
  if (input.invalidIn > 0) return 'broken-frames';
  return input.idle ? 'idle' : undefined;
}

function stateOf(id: DoctorStepId, input: DoctorInput): DoctorStep['state'] {
  const { connection, otaAt, remote, approved, withoutMcp } = input;
  if (id === 'ota') return otaAt === undefined ? 'skipped' : 'done';
  if (id === 'approval' && !remote) return 'skipped';
  if (connection === undefined) {
    if (id === 'tcp') return 'current';
    return id === 'approval' && approved ? 'done' : 'open';
  }
  const { stopped } = connection;
  // A person may still approve after the connection gave up waiting.
  if (stopped?.step === id) return stopped.cause === 'waits-for-approval' ? 'current' : 'failed';
  if (id === 'tcp') return 'done';
  const isAhead = stations.indexOf(id) > stations.indexOf(stationOf(connection) ?? 'tools');
  if (isAhead) return (id === 'initialize' || id === 'tools') && skipsMcp(connection, withoutMcp) ? 'skipped' : 'open';
  if (stationOf(connection) !== id) return 'done';
  if (id === 'initialize' && skipsMcp(connection, withoutMcp)) return 'skipped';
  return stopped === undefined && connection.endedAt === undefined ? 'current' : 'open';
}

function skipsMcp({ admittedAt }: ConnectionProgress, withoutMcp: boolean): boolean {
  return withoutMcp && admittedAt !== undefined;
}

function timeOf(id: DoctorStepId, { otaAt, connection }: DoctorInput): number | undefined {
  if (id === 'ota') return otaAt;
  if (connection === undefined) return undefined;
  if (connection.stopped?.step === id) return connection.stopped.at;
  // Approved before this connection: no time of this connection.
  if (id === 'approval') return connection.heldAt === undefined ? undefined : connection.admittedAt;
  return {
    tcp: connection.openedAt,
    hello: connection.helloAt,
    initialize: connection.initializedAt,
    tools: connection.listedAt,
  }[id];
}
