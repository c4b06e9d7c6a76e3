/** Many virtual devices in a process of their own, told over IPC what to do. Each answers a call with its own name and the tool's. */
import type { Serializable } from 'node:child_process';
import { createConcurrentScheduler } from '../../../../../src-core/deviceSide/client/callScheduler.ts';
import { standardWire } from '../../../../../src-core/deviceSide/client/standardWire.ts';
import { McpTool } from '../../../../../src-core/deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../../src-core/deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../../src-core/deviceSide/mcp/propertyList.ts';
import { standardDialect } from '../../../../../src-core/deviceSide/mcp/standardDialect.ts';
import { createVirtualDevice } from '../../../../../src-core/features/devices/virtual/virtualDevice.ts';
import type { VirtualDevice } from '../../../../../src-core/features/devices/virtual/virtualDevice.ts';

/** What the process does with the devices `from` to `until`, every `step`th. `drop` takes turns: no word, or a close frame. */
export interface ManyDevicesOrder {
  do: 'connect' | 'drop';
  url: string;
  from: number;
  until: number;
  step: number;
  tools: number;
}

/** Device number `index` on the wire. */
export function deviceIdOf(index: number): string {
  const digits = index.toString(16).padStart(8, '0');
  return `02:00:${digits.match(/../g)?.join(':') ?? ''}`;
}

/** Handshakes at once: a listener's queue of connections is short. */
const atOnce = 64;
const devices = new Map<number, VirtualDevice>();

async function connect(index: number, { url, tools }: ManyDevicesOrder): Promise<void> {
  const deviceId = deviceIdOf(index);
  const names = Array.from({ length: tools }, (_, tool) => `self.part_${tool}.set`);
  const device = createVirtualDevice({
    url,
    deviceId,
    name: `device ${index}`,
    profile: {
      id: 'many',
      board: 'many',
      firmware: '1',
      dialect: standardDialect,
      wire: standardWire,
      createScheduler: createConcurrentScheduler,
      createTools: () =>
        names.map(
          (name) =>
            new McpTool({
              name,
              description: 'Sets a part of the device.',
              properties: new PropertyList([
                new Property('value', PropertyType.INTEGER, { minimum: 0, maximum: 1_000_000 }),
              ]),
              callback: ({ value }) => `${deviceId} ${name} ${String(value)}`,
            }),
        ),
    },
  });
  devices.set(index, device);
  await device.connect();
}

async function drop(index: number): Promise<void> {
  const device = devices.get(index);
  devices.delete(index);
  if (index % 4 < 2) device?.pullPlug();
  await device?.close();
}

async function obey(order: ManyDevicesOrder): Promise<void> {
  let next = order.from;
  const lane = async (): Promise<void> => {
    while (next < order.until) {
      const index = next;
      next += order.step;
      await (order.do === 'connect' ? connect(index, order) : drop(index));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

if (process.send !== undefined) {
  const tell = (message: Serializable): void => void process.send?.(message);
  process.on('message', (order: ManyDevicesOrder) => {
    obey(order).then(
      () => tell('done'),
      (error: unknown) => tell(String(error)),
    );
  });
  process.on('disconnect', () => process.exit(0));
  tell('done');
}
