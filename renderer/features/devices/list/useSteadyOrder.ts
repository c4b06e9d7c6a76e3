import { computed, type ComputedRef } from 'vue';

import type { DeviceInfo } from '../../../../src-core/contract/types.ts';

/** Devices with the newest on top, each in its place for as long as it is in the list: connecting or leaving moves none. */
export function useSteadyOrder(list: () => readonly DeviceInfo[]): ComputedRef<DeviceInfo[]> {
  const places = new Map<string, number>();
  let next = 0;
  return computed(() => {
    const devices = list();
    const here = new Set(devices.map(({ id }) => id));
    for (const id of places.keys()) if (!here.has(id)) places.delete(id);
    const fresh = devices.filter(({ id }) => !places.has(id));
    for (const { id } of fresh.sort((a, b) => a.connectedAt - b.connectedAt)) places.set(id, (next += 1));
    return devices.toSorted((a, b) => (places.get(b.id) ?? 0) - (places.get(a.id) ?? 0));
  });
}
