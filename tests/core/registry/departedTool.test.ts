/** Why a tool is gone: its device or client left, and how long ago. */
import { expect, test } from 'vitest';

import { executeSingleRequest } from '../../../src-core/engine/executor.ts';
import { departedToolError } from '../../../src-core/registry/departedTool.ts';
import { createToolRegistryManager } from '../../../src-core/registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../../src-core/registry/types.ts';
import type { ToolSource } from '../../../src-core/base/toolTypes.ts';

function registry(id: string, kind: ToolSource['kind'], label = id): ToolRegistry {
  return {
    id,
    name: label,
    source: { kind, id, label },
    getMetadata: () => ({
      methods: [{ name: 'get', description: '', agentCallable: true, inputSchema: { type: 'object' } }],
    }),
    invoke: () => Promise.resolve({ value: 'done' }),
  };
}

const call = (toolRegistryManager: ReturnType<typeof createToolRegistryManager>, toolName: string, command?: string) =>
  executeSingleRequest(
    { toolName, args: {}, ...(command !== undefined && { command }) },
    { toolRegistryManager, caller: 'user' },
  );

test.each([
  ['lamp_get', undefined],
  ['lamp', 'get'],
  ['lamp_a_method_it_never_had', undefined],
])('a device that left is named: %s %s', async (toolName, command) => {
  const manager = createToolRegistryManager();
  manager.register(registry('lamp', 'device', 'Kitchen lamp'))();
  expect((await call(manager, toolName, command)).error).toMatchObject({
    code: 'disconnected',
    message: expect.stringMatching(
      /^"Kitchen lamp" disconnected just now, and its tools with it\. If it does not reconnect automatically, press its button/,
    ) as string,
    details: { device: 'Kitchen lamp', leftMs: expect.any(Number) as number },
  });
});

test.each([
  [0, 'just now'],
  [5_900, '5 s ago'],
  [119_999, '119 s ago'],
  [120_000, '2 min ago'],
  [7_200_000, '2 h ago'],
])('%i ms later it left %s', (ms, ago) => {
  const source = { kind: 'gateway', id: 'page', label: 'Page' } as const;
  const error = departedToolError([{ id: 'page', source, leftAt: 1_000 }], 'page_get', 1_000 + ms);
  expect(error?.message).toBe(
    `"Page" disconnected ${ago}, and its tools with it. Its tools return when it reconnects.`,
  );
});

test('a device of another node of the cluster needs no button', () => {
  const source = { kind: 'device', id: '02:00:00:aa:bb:cc@aaaaaaaaaaaaaaaa', label: 'Lamp' } as const;
  const error = departedToolError([{ id: 'lamp', source, leftAt: 0 }], 'lamp_get', 5_000);
  expect(error?.message).toBe(
    '"Lamp" disconnected 5 s ago, and its tools with it. It belongs to another node: its tools return when that node and the device are connected again.',
  );
});

test('a device whose node was lost is not said to have disconnected', async () => {
  const manager = createToolRegistryManager();
  manager.register(registry('lamp', 'device', 'Lamp'));
  manager.unregister('lamp', { lostNode: 'lab-1' });
  expect((await call(manager, 'lamp_get')).error).toMatchObject({
    code: 'disconnected',
    message:
      '"Lamp" cannot be reached: the connection to its node "lab-1" was lost just now. Its tools return when it is connected again.',
    details: { leftMs: expect.any(Number) as number, node: 'refused' },
  });
  const source = { kind: 'device', id: 'lamp', label: 'Lamp' } as const;
  const error = departedToolError([{ id: 'lamp', source, leftAt: 0, lostNode: 'lab-1' }], 'lamp_get', 6_000);
  expect(error?.message).toMatch(/^"Lamp" cannot be reached: the connection to its node "lab-1" was lost 6 s ago\. /);
});

test('an MCP server is named, with what starts it again', () => {
  const source = { kind: 'mcp', id: 's', label: 'Weather' } as const;
  const error = departedToolError([{ id: 'weather', source, leftAt: 0 }], 'weather_now', 5_000);
  expect(error?.message).toBe(
    '"Weather" disconnected 5 s ago, and its tools with it. If it does not restart automatically, start it in Servers. If you removed it, restore it from the trash.',
  );
  expect(error?.info.details).toEqual({ device: 'Weather', leftMs: 5_000, kind: 'mcp', sourceId: 's' });
});

test('a module whose file was deleted is named, with what brings it back', () => {
  const source = { kind: 'module', id: 'dice.js', label: 'dice.js' } as const;
  const error = departedToolError([{ id: 'dice', source, leftAt: 0 }], 'dice_roll', 5_000);
  expect(error?.message).toBe(
    'The module file "dice.js" was deleted, moved or renamed 5 s ago. Its tools return as soon as the file is back.',
  );
  expect(error?.info.details).toEqual({ device: 'dice.js', leftMs: 5_000, kind: 'module', sourceId: 'dice.js' });
});

test('one that came back is called; a built-in tool that was removed, and a name that begins alike, are unknown', async () => {
  const manager = createToolRegistryManager();
  manager.register(registry('lamp', 'device'))();
  manager.register(registry('lamp', 'device'));
  expect(await call(manager, 'lamp_get')).toMatchObject({ status: 'success', result: 'done' });
  manager.register(registry('dice', 'builtin'))();
  manager.register(registry('fan', 'device'))();
  expect((await call(manager, 'dice_get')).error?.code).toBe('unknown-tool');
  expect((await call(manager, 'fan2_get')).error?.code).toBe('unknown-tool');
  expect(manager.departed().map(({ id }) => id)).toEqual(['fan', 'dice']);
});

test('the last 256 are kept', () => {
  const manager = createToolRegistryManager();
  for (let index = 0; index < 300; index += 1) manager.register(registry(`d${index}`, 'device'))();
  expect(manager.departed()).toHaveLength(256);
  expect(manager.departed()[0]?.id).toBe('d299');
});
