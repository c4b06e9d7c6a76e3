/** Nodes and devices as the windows list them. */
import { isUnnamedId } from '../../base/unnamedId.ts';
import type { ClusterNode } from '../../contract/cluster.ts';
import {
  doctorCauses,
  frameFaults,
  isAdmittedState,
  worseHealths,
  type DeviceHealth,
  type DeviceInfo,
  type DeviceState,
  type DoctorReport,
} from '../../contract/deviceInfo.ts';
import { remoteId } from './remoteTools.ts';
import type { Member } from './members.ts';
import type { Beat, Row } from './messages.ts';
import type { RemoteDevice } from './remoteRows.ts';

/** A newer node may have others. */
const deviceStates: readonly DeviceState[] = [
  ...(['announced', 'hello', 'approval', 'initializing', 'listing', 'ready', 'closed', 'failed'] as const),
];
const deviceHealths: readonly DeviceHealth[] = [...deviceStates, 'refused', ...worseHealths];

/** What a window shows of a beat. */
export function shownOf({ name, version: release, devices, calls, draining, secrets }: Beat): string {
  return JSON.stringify([name, release, devices, calls, draining, secrets]);
}

/** A node; `own` is the beat of this one. */
export function nodeOf(beat: Beat, state: ClusterNode['state'], own: Beat, hasLeft = false): ClusterNode {
  const { node: id, name, version: release, devices, calls } = beat;
  const isLost = state === 'lost';
  const node: ClusterNode = { id, name, state, version: release, devices, isDraining: beat.draining && !isLost };
  if (!isLost) node.calls = calls;
  if (hasLeft) node.hasLeft = true;
  if (!isLost && !acceptEachOther(beat.secrets, own.secrets)) node.otherTokens = true;
  return node;
}

/** Whether each accepts the tokens of the other, as far as it is known. */
function acceptEachOther(one: Beat['secrets'], other: Beat['secrets']): boolean {
  const [ofOne, ofOther] = [one?.[0], other?.[0]];
  if (ofOne === undefined || ofOther === undefined) return true;
  return one?.includes(ofOther) === true && other?.includes(ofOne) === true;
}

/** A device of another node as a device of this list. What only its own node knows is empty. */
export function deviceOf(device: RemoteDevice, member: Member | undefined): DeviceInfo {
  const { node, row, registry } = device;
  const isLost = member?.state === 'lost';
  const { deviceId, clientId, name, board, firmware, virtual, wasRejected, toolCount, tools, error } = row;
  // By this machine's clock.
  const connectedAt = row.connectedAt - (member?.aheadMs ?? 0);
  return {
    deviceId,
    ...(clientId !== undefined && { clientId }),
    name,
    ...(board !== undefined && { board }),
    ...(firmware !== undefined && { firmware }),
    virtual,
    ...(wasRejected && { wasRejected }),
    connectedAt,
    toolCount,
    ...(error && { error }),
    state: deviceStates.find((each) => each === row.state) ?? 'closed',
    health: deviceHealths.find((each) => each === row.health) ?? 'closed',
    id: remoteId(device),
    // What state it is in is not known then.
    ...(isLost && { state: 'closed' as const, health: 'closed' as const }),
    node: { id: node, name: member?.beat.name ?? node, isLost },
    ...(registry !== undefined && { registryId: registry.id }),
    ...(registry === undefined && tools !== undefined && { lastRegistryId: tools.registryId }),
    remote: true,
    lastSeenAt: connectedAt,
    doctor: isLost ? { steps: [] } : doctorOf(row),
    counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 },
  };
}

/** What the state of a device is called by; its own node has the rest. */
function doctorOf({ doctor: { cause, faults = [], call } = {} }: Row): DoctorReport {
  const known = doctorCauses.find((each) => each === cause);
  return {
    steps: call === undefined ? [] : [{ id: 'call', state: 'failed', fact: call }],
    ...(known !== undefined && { cause: known }),
    faults: frameFaults.filter((each) => faults.includes(each)),
  };
}

/**
 * Keeps one row for each device: that of the node to which it is connected. If it is not connected, the row that waits for approval is kept,
 * or else the one that was connected last. Two devices with one Device-Id are both listed.
 */
export function withoutFormer(devices: readonly DeviceInfo[]): DeviceInfo[] {
  const current = new Map<string, DeviceInfo>();
  for (const device of devices) {
    const known = current.get(device.deviceId);
    if (known === undefined || isOlder(known, device)) current.set(device.deviceId, device);
  }
  return devices.filter((device) => {
    const { deviceId, clientId, connectedAt, state, error } = device;
    const shown = current.get(deviceId) ?? device;
    if (shown === device || isUnnamedId(deviceId)) return true;
    if (state === 'approval') return shown.clientId !== clientId || shown.connectedAt < connectedAt;
    return state === 'failed' && error?.code === 'same-id';
  });
}

function isOlder(one: DeviceInfo, other: DeviceInfo): boolean {
  const more = rankOf(other) - rankOf(one);
  return more === 0 ? one.connectedAt < other.connectedAt : more > 0;
}

function rankOf({ state }: DeviceInfo): number {
  return isAdmittedState(state) ? 2 : Number(state === 'approval');
}
