import type { DoctorCause, DoctorReport, DoctorStep, DoctorStepId, FrameFault } from '../../../contract/deviceInfo.ts';
import type { CallFault } from '../wire/rpcPeer.ts';
import { stationOf, type ConnectionProgress } from './connectionProgress.ts';

/** What is known about a device and its last connection. */
export interface DoctorInput {
  /** Epoch ms of its last request to OTA. */
  otaAt?: number | undefined;
  /** OTA refused that request. */
  otaRefused: boolean;
  /** From another machine. */
  remote: boolean;
  /** The user has approved it, before or in advance. */
  approved: boolean;
  /** It has connected once. */
  hasCome: boolean;
  /** Its last connection; absent if it has not connected since it asked OTA. */
  connection?: ConnectionProgress | undefined;
  /** Its hello offered no MCP. */
  withoutMcp: boolean;
  toolCount: number;
  /** Its last call without a usable answer, until one succeeds. */
  callFault?: CallFault | undefined;
  /** Frames of the connection that could not be read. */
  invalidIn: number;
  /** What was wrong with them. */
  faults: readonly FrameFault[];
  /** Two clients with this Device-Id replace each other's open connections. */
  isShared: boolean;
  /** It connects again and again. */
  reconnects: boolean;
  /** The connection is open, but nothing has arrived for long. */
  idle: boolean;
  /** What to show beside a step: numbers and the device's own text. */
  facts: Partial<Record<DoctorStepId, string | undefined>>;
}

const stations: readonly DoctorStepId[] = ['ota', 'tcp', 'hello', 'approval', 'initialize', 'tools'];

/** Reports how far a device has come and why it stopped there (docs/protocols/xiaozhi.md). */
export function doctorReport(input: DoctorInput): DoctorReport {
  const cause = causeOf(input);
  let before: number | undefined;
  const steps = stations.map((id) => {
    const step: DoctorStep = { id, state: stateOf(id, input) };
    if (step.state === 'open' || step.state === 'skipped') return step;
    const fact = input.facts[id];
    if (fact !== undefined) step.fact = fact;
    const at = step.state === 'current' ? undefined : timeOf(id, input);
    if (at === undefined) return step;
    step.at = at;
    if (before !== undefined) step.tookMs = Math.max(0, at - before);
    // OTA is asked at boot, long before a button press opens the connection: it starts no duration.
    if (id !== 'ota') before = at;
    return step;
  });
  const call = callStep(input);
  if (call !== undefined) steps.push(call);
  if (cause === undefined) return { steps };
  // A frame that breaks the WebSocket is not among those that were read.
  const isRead = input.connection?.departure !== 'broken-frames';
  const ofCall = input.callFault?.fault;
  const ofConnection = cause === 'broken-frames' ? input.faults : [];
  const faults = isRead ? (ofCall === undefined ? ofConnection : [ofCall]) : [];
  return { steps, cause, ...(faults.length > 0 && { faults: [...faults] }) };
}

function callStep({ connection, callFault }: DoctorInput): DoctorStep | undefined {
  const call = connection?.cutOff ?? callFault;
  if (call === undefined) return undefined;
  const { id, tookMs } = call;
  const at = connection?.cutOff === undefined ? callFault?.at : connection.endedAt;
  const isDone = connection?.cutOff !== undefined && connection.departure === 'left-as-asked';
  return { id: 'call', state: isDone ? 'done' : 'failed', fact: `#${id}`, tookMs, ...(at !== undefined && { at }) };
}

function causeOf(input: DoctorInput): DoctorCause | undefined {
  const cause = causeOfConnection(input);
  // They say less than that it comes again and again.
  const isMinor = cause === undefined || cause === 'left' || cause === 'idle';
  if (!isMinor) return cause;
  if (input.isShared) return 'mac-shared';
  return input.reconnects ? 'reconnects' : cause;
}

function causeOfConnection(input: DoctorInput): DoctorCause | undefined {
  const { connection, withoutMcp } = input;
  if (connection === undefined && input.otaRefused) return 'ota-refused';
  if (connection === undefined) return input.hasCome && input.approved ? 'approved-away' : 'never-connected';
  const { stopped, departure = 'left' } = connection;
  const station = stationOf(connection);
  const needsNoTools = withoutMcp && connection.admittedAt !== undefined;
  if (connection.endedAt !== undefined && (station === undefined || needsNoTools))
    return stopped?.cause === 'refused' ? 'refused' : causeOfEnd(departure, input.callFault?.cause);
  if (stopped !== undefined) return stopped.cause;
  if (station === 'approval') return 'waits-for-approval';
  if (needsNoTools) return 'no-mcp';
  if (station !== undefined) return undefined;
  if (input.toolCount === 0) return 'no-tools';
  // The step of the call and the cause are about the same call.
  if (input.callFault !== undefined) return input.callFault.cause;
  if (input.invalidIn > 0) return 'broken-frames';
  return input.idle ? 'idle' : undefined;
}

/** A call without a usable answer says more than an end that is usual, and is what the device's state names. */
function causeOfEnd(departure: DoctorCause, fault: CallFault['cause'] | undefined): DoctorCause {
  const isUsual = departure === 'left' || departure === 'closed-here';
  return isUsual && fault !== undefined && fault !== 'back-after-crash' ? fault : departure;
}

function stateOf(id: DoctorStepId, input: DoctorInput): DoctorStep['state'] {
  const { connection } = input;
  const { step, cause } = connection?.stopped ?? {};
  if (step === id && cause !== 'tools-invalid') return 'failed';
  if (id === 'ota' && input.otaRefused && connection === undefined) return 'failed';
  if (isDone(id, input)) return 'done';
  if (isNotNeeded(id, input)) return 'skipped';
  return currentStation(connection) === id ? 'current' : 'open';
}

function isDone(id: DoctorStepId, { otaAt, remote, approved, connection }: DoctorInput): boolean {
  switch (id) {
    case 'ota':
      return otaAt !== undefined;
    case 'tcp':
      return connection !== undefined;
    case 'hello':
      return connection?.helloAt !== undefined;
    case 'approval':
      return remote && (approved || connection?.admittedAt !== undefined);
    case 'initialize':
      return connection?.initializedAt !== undefined;
    case 'tools':
      return connection?.listedAt !== undefined;
    case 'call':
      return false;
  }
}

function isNotNeeded(id: DoctorStepId, { remote, withoutMcp, connection }: DoctorInput): boolean {
  if (id === 'ota') return true;
  if (id === 'approval') return !remote;
  return (id === 'initialize' || id === 'tools') && withoutMcp && connection?.admittedAt !== undefined;
}

function currentStation(connection: ConnectionProgress | undefined): DoctorStepId | undefined {
  if (connection === undefined) return 'tcp';
  return connection.stopped === undefined && connection.endedAt === undefined ? stationOf(connection) : undefined;
}

function timeOf(id: DoctorStepId, { otaAt, connection }: DoctorInput): number | undefined {
  if (connection?.stopped?.step === id) return connection.stopped.at;
  switch (id) {
    case 'ota':
      return otaAt;
    case 'tcp':
      return connection?.openedAt;
    case 'hello':
      return connection?.helloAt;
    case 'approval':
      // A device that was approved earlier has no approval time on this connection.
      return connection?.heldAt === undefined ? undefined : connection.admittedAt;
    case 'initialize':
      return connection?.initializedAt;
    case 'tools':
      return connection?.listedAt;
    case 'call':
      return connection?.endedAt;
  }
}
