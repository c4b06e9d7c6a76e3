import { defineStore } from 'pinia';
import { computed } from 'vue';

import { isUnnamedId } from '../../../src-core/base/unnamedId.ts';
import type { DeviceInfo, ToolView } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';
import { t } from '../../i18n/index.ts';
import { useToasts } from '../../window/toasts.ts';
import { isConnected, needsAttention } from './deviceHealth.ts';

/** What a virtual device is to be. */
export interface VirtualDeviceChoice {
  profile?: string;
  name?: string;
  faults?: string[];
  latencyMs?: number;
}

/** Every device that is connected, waits to be, failed or has left. */
export const useDevices = defineStore('devices', () => {
  const connection = injectConnection();
  const { client } = connection;
  const toasts = useToasts();
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

  const byId = computed(() => new Map(list.value.map((device) => [device.id, device])));

  return {
    list,
    loaded,
    error,
    byId,
    /** The device that a tool belongs to; `undefined` if it is not a device's. */
    ofTool: ({ source }: Pick<ToolView, 'source'>) =>
      source.kind === 'device' ? byId.value.get(source.id) : undefined,
    connectedCount: computed(() => list.value.filter(isConnected).length),
    attentionCount: computed(() => list.value.filter(needsAttention).length),
    /** Devices of the network that wait for approval and can be approved at this node. */
    waiting: computed(() =>
      list.value.filter(({ state, node, deviceId }) => state === 'approval' && !(node && isUnnamedId(deviceId))),
    ),
    isConnected,
    addVirtual: (choice: VirtualDeviceChoice = {}) => client.devices.addVirtual(choice),
    disconnect: (id: string) => client.devices.disconnect({ id }),
    pullPlug: (id: string) => client.devices.pullPlug({ id }),
    press: (id: string) => client.devices.press({ id }),
    forget: (id: string) => client.devices.forget({ id }),
    forgetDisconnected: () => client.devices.forgetDisconnected(),
    async refreshTools(id: string): Promise<void> {
      const { toolCount, changes } = await client.devices.refreshTools({ id });
      const name = byId.value.get(id)?.name ?? id;
      const text = t('devices.action.toolChanges', {}, changes);
      toasts.show({ kind: 'info', title: t('devices.action.refreshed', { name }, toolCount), text });
    },
    approve: ({ id, clientId = '' }: DeviceInfo) => client.devices.approve({ id, clientId }),
    refuse: ({ id }: DeviceInfo) => client.devices.refuse({ id }),
  };
});
