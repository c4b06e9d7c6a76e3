import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue';

import type { ToolView } from '../../../src-core/contract/types.ts';
import { useNow } from '../../ui/composables/useNow.ts';
import { formatAgo } from '../../i18n/formatAgo.ts';
import { sourceName } from '../../ui/format/sourceName.ts';
import { t } from '../../i18n/index.ts';
import { useDevices } from '../devices/devicesStore.ts';

/** What is worth a line about a tool beside its id: a device's board and how long it is there, a module's file. */
export function useToolFacts(tool: MaybeRefOrGetter<ToolView>, gone: MaybeRefOrGetter<boolean>): ComputedRef<string[]> {
  const devices = useDevices();
  const now = useNow(1_000, () => toValue(tool).source.kind === 'device' && !toValue(gone));
  return computed(() => {
    if (toValue(gone)) return [t('discovery.goneText')];
    const { id, name, source } = toValue(tool);
    if (source.kind === 'gateway' && source.id === 'server') return [t('discovery.gatewayOwn')];
    if (source.kind !== 'device') {
      const known = source.label === name && sourceName(source) === name;
      return [known ? t(`common.source.${source.kind}`) : source.label];
    }
    const device = devices.list.find((candidate) => candidate.registryId === id);
    if (!device) return [];
    const board = [device.board, device.firmware].filter(Boolean).join(' ');
    const since = t('discovery.connectedFor', { time: formatAgo(now.value - device.connectedAt) });
    return [device.virtual ? t('discovery.virtual') : '', board, since].filter(Boolean);
  });
}
