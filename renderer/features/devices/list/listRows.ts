import type { CaptureInfo, DeviceInfo, DeviceState } from '../../../../src-core/contract/types.ts';
import { headingHeight, type ListHeading } from '../../../ui/MasterList.vue';
import { formatTime } from '../../../ui/format/formatTime.ts';
import { t } from '../../../i18n/index.ts';

/** A line of the list: a group's name, a device or a capture. `key` tells them apart and stays. */
export type ListRow =
  | ListHeading
  | { kind: 'device'; key: string; device: DeviceInfo }
  | { kind: 'capture'; key: string; capture: CaptureInfo };

const deviceGroups = ['waiting', 'connected', 'announced', 'earlier'] as const;
const groupOf: Record<DeviceState, (typeof deviceGroups)[number]> = {
  approval: 'waiting',
  hello: 'connected',
  initializing: 'connected',
  listing: 'connected',
  ready: 'connected',
  announced: 'announced',
  closed: 'earlier',
  failed: 'earlier',
};

/**
 * Devices in their groups, then captures, with what does not hold every word of the query left out. If the engine was
 * lost at `lostAt` (epoch ms), the groups of devices say from when their counts are.
 */
export function listRows(
  devices: readonly DeviceInfo[],
  captures: readonly CaptureInfo[],
  words: readonly string[],
  lostAt?: number,
): ListRow[] {
  const has = (...texts: (string | undefined)[]): boolean => {
    const text = texts.filter(Boolean).join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const byGroup: Record<string, DeviceInfo[]> = {};
  for (const device of devices) {
    const { name, deviceId, clientId, board, firmware, remoteAddress, userAgent, state } = device;
    if (!has(name, deviceId, clientId, board, firmware, remoteAddress, userAgent, state)) continue;
    (byGroup[groupOf[state]] ??= []).push(device);
  }
  const rows: ListRow[] = [];
  for (const group of deviceGroups) {
    const members = byGroup[group] ?? [];
    if (members.length === 0) continue;
    const asOf = lostAt === undefined ? '' : ` ${t('devices.asOf', { time: formatTime(lostAt) })}`;
    const title = t(`devices.group.${group}`);
    rows.push({ kind: 'heading', key: `group:${group}`, title, count: `${members.length}${asOf}` });
    for (const device of members) rows.push({ kind: 'device', key: `device:${device.id}`, device });
  }
  const found = captures.filter(({ name, device }) => has(name, device.name, device.deviceId, device.board));
  if (found.length > 0) {
    rows.push({ kind: 'heading', key: 'group:captures', title: t('devices.group.captures'), count: found.length });
  }
  for (const capture of found) rows.push({ kind: 'capture', key: `capture:${capture.id}`, capture });
  return rows;
}

/** px of a row, border included; a card is cut to it, so that none has to be measured. */
export function rowHeight(row: ListRow): number {
  if (row.kind === 'heading') return headingHeight;
  if (row.kind === 'capture') return 82;
  switch (row.device.state) {
    case 'approval':
      return 162;
    case 'announced':
    case 'closed':
    case 'failed':
      return 122;
    default:
      return 128;
  }
}
