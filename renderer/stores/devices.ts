import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { DeviceInfo } from '../../src-core/api/types.ts';
import { injectConnection } from './connection.ts';
import { createResource } from './resource.ts';

/** Every device that is connected, failed or has left. */
export const useDevices = defineStore('devices', () => {
  const connection = injectConnection();
  const { client } = connection;
  const {
    data: list,
    loaded,
    error,
  } = createResource<DeviceInfo[]>({
    connection,
    topics: ['devices'],
    initial: [],
    fetch: () => client.devices.list(),
  });
  const isConnected = ({ state }: DeviceInfo): boolean => !['announced', 'closed', 'failed'].includes(state);

  return {
    list,
    loaded,
    error,
    byId: computed(() => new Map(list.value.map((device) => [device.id, device]))),
    connectedCount: computed(() => list.value.filter(isConnected).length),
    isConnected,
    addVirtual: () => client.devices.addVirtual({}),
    disconnect: (id: string) => client.devices.disconnect({ id }),
    pullPlug: (id: string) => client.devices.pullPlug({ id }),
    forget: (id: string) => client.devices.forget({ id }),
    refreshTools: (id: string) => client.devices.refreshTools({ id }),
  };
});
