import { describe, expect, it } from 'vitest';

import {
  deviceColumns,
  findRows,
  passes,
  sortRows,
  valueOf,
  type DeviceFilter,
  type DeviceOrder,
} from '../../../../renderer/features/devices/list/deviceRows.ts';
import type { CaptureInfo, DeviceInfo } from '../../../../src-core/contract/types.ts';

function device(name: string, facts: Partial<DeviceInfo> = {}): DeviceInfo {
  return {
    id: name,
    deviceId: name,
    name,
    state: 'ready',
    health: 'ready',
    registryId: name,
    toolCount: 3,
    remote: false,
    virtual: false,
    connectedAt: 0,
    lastSeenAt: 1_000,
    doctor: { steps: [] },
    counters: { framesIn: 9, framesOut: 0, binaryIn: 0, invalidIn: 0 },
    ...facts,
  };
}

const capture: CaptureInfo = {
  id: '7',
  name: 'Night.jsonl',
  createdAt: 5,
  exportedAt: 4,
  device: { name: 'Kitchen', deviceId: 'k' },
  frames: 1_234,
  size: 1,
  toolCount: 2,
  callCount: 1,
};

const latency = (p50Ms: number) => ({ latency: { lastMs: 1, p50Ms, p99Ms: p50Ms * 2, count: 3 } });
const gone = { registryId: undefined as never, counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 } };
const devices = [
  device('Lamp', { ...latency(9), ownName: 'esp-box' }),
  device('Board 10', { ...latency(184), state: 'closed', health: 'closed', leftAt: 3_000, ...gone }),
  device('Board 9', { state: 'closed', health: 'left-during-call', virtual: true }),
  device('Door', { state: 'approval', health: 'approval' }),
  device('Pi', { health: 'list-incomplete' }),
];
const rows = findRows(devices, [capture], []);
const names = (order: DeviceOrder): string[] =>
  sortRows(rows, order, 'en').map((row) => (row.kind === 'device' ? row.device.name : row.capture.name));

describe('the rows of devices', () => {
  it.each([
    ['is connected while its socket is open', {}, 'connected'],
    ['has left once it is closed', { leftAt: 3_000 }, 'left'],
    ['has left if it is at another node', { node: { id: 'b', name: 'b', isLost: false } }, 'left'],
  ] as const)('with a device that does not answer initialize: it %s', (_what, facts, filter) => {
    const [row] = findRows([device('Mute', { state: 'failed', health: 'failed', ...facts })], [], []);
    const both: DeviceFilter[] = ['connected', 'left'];
    expect(both.filter((each) => passes(row!, each))).toEqual([filter]);
  });

  it('have the worst first, then by name', () => {
    expect(names('health')).toEqual(['Board 9', 'Door', 'Pi', 'Lamp', 'Board 10', 'Night.jsonl']);
    expect(names('-health').at(-1)).toBe('Board 9');
  });

  it('are sorted by every column in both directions, what is not known last in each', () => {
    for (const column of deviceColumns) {
      for (const order of [column, `-${column}`] as const) {
        const known = sortRows(rows, order, 'en').map((row) => valueOf(row, column) !== undefined);
        expect(known, order).toEqual(known.toSorted((a, b) => Number(b) - Number(a)));
      }
    }
    expect(names('p50').slice(0, 2)).toEqual(['Lamp', 'Board 10']);
    expect(names('-p50').slice(0, 2)).toEqual(['Board 10', 'Lamp']);
    expect(names('name').slice(0, 2)).toEqual(['Board 9', 'Board 10']);
  });

  it('show when a device was active, and not when Toolwire ended with it', () => {
    const [row] = findRows([device('Pi', { state: 'closed', lastSeenAt: 2_000, leftAt: 9_000 })], [], []);
    expect(valueOf(row!, 'activity')).toBe(2_000);
  });

  it('are counted for attention if they have an error or a warning, or wait for approval', () => {
    const left = (filter: DeviceFilter): string[] => rows.filter((row) => passes(row, filter)).map(({ key }) => key);
    expect(left('attention')).toEqual(['device:Board 9', 'device:Door', 'device:Pi']);
    expect(left('connected')).toEqual(['device:Lamp', 'device:Pi']);
    expect(left('left')).toEqual(['device:Board 10', 'device:Board 9']);
    expect(left('virtual')).toEqual(['device:Board 9']);
    expect(left('captures')).toEqual(['capture:7']);
  });

  it('are found by all words in any order, and by the name that a renamed device has of itself', () => {
    expect(findRows(devices, [capture], ['box', 'lamp']).map(({ key }) => key)).toEqual(['device:Lamp']);
    expect(findRows(devices, [capture], ['kitchen']).map(({ key }) => key)).toEqual(['capture:7']);
    expect(findRows(devices, [capture], ['lamp', 'kitchen'])).toEqual([]);
  });

  it('do not know the tools of a device that left, nor whether its frames could be read', () => {
    const row = rows.find(({ key }) => key === 'device:Board 10')!;
    expect(valueOf(row, 'tools')).toBeUndefined();
    expect(valueOf(row, 'invalid')).toBeUndefined();
  });
});
