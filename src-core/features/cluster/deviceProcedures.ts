import { RequestError } from '../../base/requestError.ts';
import { isUnnamedId } from '../../base/unnamedId.ts';
import type { DeviceInfo } from '../../contract/deviceInfo.ts';
import { withoutFormer } from './listed.ts';
import type { Cluster } from './service.ts';

/** `Decided`: the result of a decision. */
interface DeviceProcedures<Decided> {
  list: (input?: { own: boolean }) => DeviceInfo[];
  approve: (input: { id: string; clientId: string }) => Decided;
  refuse: (input: { id: string }) => Decided;
}

type Decided = Pick<DeviceInfo, 'isUnshared'>;
type SharedProcedures = DeviceProcedures<Promise<Decided>>;

/**
 * The procedures of devices, with those of other nodes in the list. A device of the network is approved and rejected at any node. What only
 * its own node can do throws a `RequestError` that names the node.
 */
export function withOtherNodes<Procedures extends DeviceProcedures<Decided>>(
  own: Procedures,
  cluster: Pick<Cluster, 'devices' | 'isUnshared' | 'approvedAs' | 'decideOn' | 'untilShared'>,
): Omit<Procedures, keyof SharedProcedures> & SharedProcedures {
  const find = (id: unknown): DeviceInfo | undefined =>
    String(id).includes('@') ? cluster.devices().find((device) => device.id === id) : undefined;
  const guarded = Object.entries(own).map(([name, run]) => [
    name,
    (input: { id?: unknown } | undefined, signal?: AbortSignal) => {
      const device = find(input?.id);
      if (device !== undefined) throw elsewhere(device);
      return (run as (input: unknown, signal?: AbortSignal) => unknown)(input, signal);
    },
  ]);
  const untilShared = async (id: string): Promise<Decided> =>
    (await cluster.untilShared(id)) === undefined ? {} : { isUnshared: true };
  const procedures: SharedProcedures = {
    list(input) {
      const others = input?.own === true ? [] : cluster.devices();
      const all = others.length === 0 ? own.list() : listTogether(own.list(), others);
      return all.map((info) =>
        cluster.isUnshared(info.deviceId, info.clientId ?? '') ? { ...info, isUnshared: true as const } : info,
      );
    },
    approve(input) {
      const device = find(input.id);
      if (device === undefined) {
        own.approve(input);
        return untilShared(input.id);
      }
      if (!isUndecided(device)) throw elsewhere(device);
      const { name, deviceId, clientId = '' } = device;
      if (clientId !== input.clientId)
        throw new RequestError(`${name} has changed: its Client-Id is different now. Check it again.`, {
          field: 'clientId',
        });
      return untilKnown(device, cluster.decideOn(deviceId, clientId));
    },
    refuse(input) {
      const device = find(input.id);
      if (device === undefined) {
        own.refuse(input);
        return untilShared(input.id);
      }
      const { deviceId, clientId = '' } = device;
      const approved = cluster.approvedAs(deviceId);
      // The approval of another device with this Device-Id stays.
      if (approved === undefined ? !isUndecided(device) : approved !== clientId) throw elsewhere(device);
      return untilKnown(device, cluster.decideOn(deviceId));
    },
  };
  return { ...(Object.fromEntries(guarded) as Procedures), ...procedures };
}

/** One row for each device. A device of another node is marked if its row of this node is left out. */
function listTogether(own: readonly DeviceInfo[], others: readonly DeviceInfo[]): DeviceInfo[] {
  const listed = withoutFormer([...own, ...others]);
  const ids = new Set(listed.map(({ id }) => id));
  const hidden = new Set(own.filter(({ id }) => !ids.has(id)).map(({ deviceId }) => deviceId));
  return listed.map((info) => (info.node && hidden.has(info.deviceId) ? { ...info, hasLogHere: true as const } : info));
}

/** Whether it asks for approval, and is the same device at every node. */
function isUndecided({ state, health, deviceId }: DeviceInfo): boolean {
  return (state === 'approval' || health === 'refused') && !isUnnamedId(deviceId);
}

/** Throws a `RequestError` if the node of the device does not know what was decided. */
async function untilKnown({ name, node }: DeviceInfo, decided: Promise<string | undefined>): Promise<Decided> {
  const reason = await decided;
  if (reason === undefined) return {};
  throw new RequestError(
    `The node "${node?.name}" does not know your decision on "${name}" yet. ${reason} Your decision is kept, and counts there as soon as it can be shared. To decide at once, use the window of that node.`,
  );
}

function elsewhere({ name, node }: DeviceInfo): RequestError {
  if (node?.isLost)
    return new RequestError(`"${name}" belongs to the node "${node.name}", which cannot be reached now.`);
  return new RequestError(`"${name}" belongs to the node "${node?.name}". Do this in the window of that node.`);
}
