import { RequestError } from '../../base/requestError.ts';
import type { DeviceInfo } from '../../contract/deviceInfo.ts';
import type { Cluster } from './service.ts';

/**
 * The procedures of devices, with those of other nodes in the list. What only the node of a device can do throws a `RequestError` that
 * names the node.
 */
export function withOtherNodes<Procedures extends { list: () => DeviceInfo[] }>(
  own: Procedures,
  { devices: elsewhere, isUnshared }: Pick<Cluster, 'devices' | 'isUnshared'>,
): Procedures {
  const list = (): DeviceInfo[] => [
    ...own.list().map((info) => (isUnshared(info.id) ? { ...info, isUnshared: true as const } : info)),
    ...elsewhere(),
  ];
  const guarded = Object.entries(own).map(([name, run]) => [
    name,
    (input: { id?: unknown } | undefined, signal?: AbortSignal) => {
      if (String(input?.id).includes('@')) requireOwn(elsewhere(), input?.id);
      return (run as (input: unknown, signal?: AbortSignal) => unknown)(input, signal);
    },
  ]);
  return { ...(Object.fromEntries(guarded) as Procedures), list };
}

function requireOwn(elsewhere: DeviceInfo[], id: unknown): void {
  const { name, node } = elsewhere.find((device) => device.id === id) ?? {};
  if (node === undefined) return;
  throw new RequestError(`"${name}" is connected to the node "${node.name}". Do this in the window of that node.`);
}
