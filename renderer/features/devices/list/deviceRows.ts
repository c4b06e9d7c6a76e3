import type { CaptureInfo, DeviceInfo } from '../../../../src-core/contract/types.ts';
import type { SortOrder } from '../../../ui/sortOrder.ts';
import { deviceHealth, hasLeft, isConnected, needsAttention } from '../deviceHealth.ts';

/** A line of the list. `key` tells them apart and stays. */
export type DeviceRow = { key: string } & (
  | { kind: 'device'; device: DeviceInfo }
  | { kind: 'capture'; capture: CaptureInfo }
);

export const deviceFilters = ['all', 'connected', 'attention', 'left', 'virtual', 'captures'] as const;
export type DeviceFilter = (typeof deviceFilters)[number];

export const deviceColumns = [
  'health',
  'name',
  'id',
  'board',
  'state',
  'tools',
  'p50',
  'p99',
  'activity',
  'invalid',
] as const;
export type DeviceColumn = (typeof deviceColumns)[number];

export type DeviceOrder = SortOrder<DeviceColumn>;

const ranks = { error: 0, warn: 1, pending: 2, ok: 3, info: 4, plain: 5 };

/** Devices and captures in which every word of the query is found. */
export function findRows(
  devices: readonly DeviceInfo[],
  captures: readonly CaptureInfo[],
  words: readonly string[],
): DeviceRow[] {
  const has = (...texts: (string | undefined)[]): boolean => {
    const text = texts.filter(Boolean).join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return [
    ...devices
      .filter(({ name, ownName, deviceId, clientId, board, firmware, remoteAddress, userAgent, state, node }) =>
        has(name, ownName, deviceId, clientId, board, firmware, remoteAddress, userAgent, state, node?.name),
      )
      .map((device) => ({ kind: 'device' as const, key: `device:${device.id}`, device })),
    ...captures
      .filter(({ name, device }) => has(name, device.name, device.deviceId, device.board))
      .map((capture) => ({ kind: 'capture' as const, key: `capture:${capture.id}`, capture })),
  ];
}

/** Whether the filter leaves a row in the list. */
export function passes(row: DeviceRow, filter: DeviceFilter): boolean {
  if (filter === 'all') return true;
  if (row.kind === 'capture') return filter === 'captures';
  if (filter === 'connected') return isConnected(row.device);
  if (filter === 'left') return hasLeft(row.device);
  return filter === 'virtual' ? row.device.virtual : filter === 'attention' && needsAttention(row.device);
}

/** What a row has in a column that is not a text, or a text to sort by; `undefined` if it is not known. */
export function valueOf(row: DeviceRow, column: DeviceColumn): string | number | undefined {
  if (row.kind === 'capture') return valueOfCapture(row.capture, column);
  const { device } = row;
  switch (column) {
    case 'health':
      return ranks[deviceHealth(device).kind];
    case 'name':
      return device.name;
    case 'id':
      return device.deviceId;
    case 'board':
      return boardOf(device);
    case 'state':
      return deviceHealth(device).text;
    case 'tools':
      return device.registryId === undefined ? undefined : device.toolCount;
    case 'p50':
      return device.latency?.p50Ms;
    case 'p99':
      return device.latency?.p99Ms;
    case 'activity':
      return device.lastSeenAt;
    case 'invalid':
      return device.counters.framesIn === 0 ? undefined : device.counters.invalidIn;
  }
}

function valueOfCapture({ name, device, exportedAt, lastAt }: CaptureInfo, column: DeviceColumn) {
  if (column === 'name') return name;
  if (column === 'id') return device.deviceId;
  if (column === 'board') return boardOf(device);
  if (column === 'activity') return lastAt ?? exportedAt;
  return column === 'health' ? ranks.plain + 1 : undefined;
}

function boardOf({ board, firmware }: { board?: string; firmware?: string }): string | undefined {
  return [board, firmware].filter(Boolean).join(' ') || undefined;
}

/** Rows in an order; what is not known comes last in either direction, and equals are by name. */
export function sortRows(rows: readonly DeviceRow[], order: DeviceOrder, language: string): DeviceRow[] {
  const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const sign = order.startsWith('-') ? -1 : 1;
  const column = order.replace('-', '') as DeviceColumn;
  const nameOf = (row: DeviceRow): string => (row.kind === 'device' ? row.device.name : row.capture.name);
  const compare = (a: string | number | undefined, b: string | number | undefined): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)));
  };
  return rows
    .map((row) => ({ row, value: valueOf(row, column) }))
    .sort(
      (a, b) =>
        compare(a.value, b.value) ||
        collator.compare(nameOf(a.row), nameOf(b.row)) ||
        (a.row.key < b.row.key ? -1 : Number(a.row.key > b.row.key)),
    )
    .map(({ row }) => row);
}
