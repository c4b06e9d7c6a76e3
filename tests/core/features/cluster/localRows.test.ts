/** What a node says of its own devices. */
import { expect, onTestFinished, test } from 'vitest';

import type { DeviceInfo } from '../../../../src-core/contract/deviceInfo.ts';
import { LocalRows } from '../../../../src-core/features/cluster/localRows.ts';
import type { Delta, Row } from '../../../../src-core/features/cluster/messages.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { makeTool } from '../../registry/testTool.ts';
import { handClock } from '../calls/runs/handClock.ts';

test('sends the tools of a device whose row was without them for a while', () => {
  const clock = handClock();
  const toolRegistryManager = createToolRegistryManager();
  toolRegistryManager.register(makeTool('lamp', [{ name: 'add', handler: () => 'done' }]));
  const info = { id: 'lamp', deviceId: 'lamp', name: 'Lamp', state: 'ready', health: 'ready', doctor: { steps: [] } };
  const rows: Row[] = [];
  const pages: object[] = [];
  const receivers = new Map<string, (message: object) => void>();
  let isGivenUp = false;
  let touch: (id: string) => void = () => undefined;
  const local = new LocalRows({
    bus: {
      maxBytes: 1_000_000,
      subscribe(subject: string, onMessage: (message: object) => void) {
        receivers.set(subject, onMessage);
        return () => undefined;
      },
      publish: (_: string, data: { set?: Row[] }) => rows.push(...(data.set ?? [])),
    },
    node: 'n',
    claims: { touched: () => undefined, of: () => undefined, isGivenUp: () => isGivenUp },
    pacing: { send: (_: string, sent: object[]) => pages.push(...sent) },
    clock,
    toolRegistryManager,
    devices: () => [info],
    device: () => info,
    registryId: () => 'lamp',
    followDevices(listener: typeof touch) {
      touch = listener;
      return () => undefined;
    },
    asksFirst: () => ({ dangerousTools: [], always: false }),
  } as unknown as ConstructorParameters<typeof LocalRows>[0]);
  onTestFinished(() => local.close());
  for (const givenUp of [false, true, false]) {
    isGivenUp = givenUp;
    touch('lamp');
    clock.move(32);
  }
  const hashes = rows.map(({ tools }) => tools?.hash);
  expect(hashes).toEqual([hashes[0], undefined, hashes[0]]);
  receivers.get('n.n.tools')!({ data: { v: 1, hash: hashes[0] }, reply: 'r' });
  expect(pages).toMatchObject([{ methods: [{ name: 'add' }], isLast: true }]);
});

test('the devices that are gone are published in messages that the broker takes', () => {
  const clock = handClock();
  const devices = new Map(
    Array.from({ length: 5_000 }, (_, at) => {
      const id = `02:74:77:${at.toString(16).padStart(30, '0')}`;
      return [
        id,
        { id, deviceId: id, name: id, state: 'ready', health: 'ready', doctor: { steps: [] } } as unknown as DeviceInfo,
      ];
    }),
  );
  const ids = [...devices.keys()];
  let touch: (id: string) => void = () => undefined;
  const sent: Delta[] = [];
  const rows = new LocalRows({
    bus: { maxBytes: 131_072, subscribe: () => () => undefined, publish: (_: string, data: Delta) => sent.push(data) },
    node: 'a',
    clock,
    toolRegistryManager: createToolRegistryManager(),
    claims: { touched: () => undefined, of: () => undefined, isGivenUp: () => false },
    devices: () => [...devices.values()],
    device: (id: string) => devices.get(id),
    registryId: () => undefined,
    followDevices: (listener: typeof touch) => {
      touch = listener;
      return () => undefined;
    },
    asksFirst: () => ({ dangerousTools: [], always: false }),
  } as unknown as ConstructorParameters<typeof LocalRows>[0]);
  onTestFinished(() => rows.close());
  clock.move(32);
  sent.length = 0;
  const first = rows.seq;
  devices.clear();
  for (const id of ids) touch(id);
  clock.move(32);
  expect(sent.flatMap(({ gone }) => gone)).toEqual(ids);
  expect(sent.map(({ seq }) => seq)).toEqual(sent.map((_, at) => first + 1 + at));
  expect(Math.max(...sent.map((data) => JSON.stringify(data).length))).toBeLessThanOrEqual(131_072);
});
