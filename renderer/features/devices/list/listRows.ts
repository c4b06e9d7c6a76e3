import type { CaptureInfo, DeviceInfo, DeviceState } from '../../../../src-core/contract/types.ts';

/** The groups of the list, in their order. */
export type ListGroup = 'waiting' | 'connected' | 'announced' | 'earlier' | 'captures';

/** A line of the list: a group's name, a device or a capture. `key` tells them apart and stays. */
export type ListRow =
  | { kind: 'heading'; key: string; group: ListGroup; count: number }
  | { kind: 'device'; key: string; device: DeviceInfo }
  | { kind: 'capture'; key: string; capture: CaptureInfo };

const groupOf: Record<DeviceState, ListGroup> = {
  approval: 'waiting',
  hello: 'connected',
  initializing: 'connected',
  listing: 'connected',
  ready: 'connected',
  announced: 'announced',
  closed: 'earlier',
  failed: 'earlier',
};
const deviceGroups = ['waiting', 'connected', 'announced', 'earlier'] as const;

/** Devices in their groups, then captures, with what does not hold every word of the query left out. */
export function listRows(
  devices: readonly DeviceInfo[],
  captures: readonly CaptureInfo[],
  words: readonly string[],
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
    rows.push({ kind: 'heading', key: `group:${group}`, group, count: members.length });
    for (const device of members) rows.push({ kind: 'device', key: `device:${device.id}`, device });
  }
  const found = captures.filter(({ name, device }) => has(name, device.name, device.deviceId, device.board));
  if (found.length > 0) rows.push({ kind: 'heading', key: 'group:captures', group: 'captures', count: found.length });
  for (const capture of found) rows.push({ kind: 'capture', key: `capture:${capture.id}`, capture });
  return rows;
}
