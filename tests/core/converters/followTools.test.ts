import { expect, test } from 'vitest';

import {
  BUILTIN_LOCAL_TOOLS,
  createToolRegistryManager,
  followDeviceTools,
  followRegisteredTools,
} from '../../../src-core/converters.ts';
import type { DeviceToolClientBase, ToolDefinition } from '../../../src-core/converters.ts';
import { createTimeTool } from '../../../src-core/registry/builtin/time.ts';
import { PlainAgent, PlainConverter } from './plainConverter.ts';

/** What one update needs to be through. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an agent has to begin first, answers one turn at a time, and keeps tools that came early', async () => {
  const agent = new PlainAgent();
  const tools = new PlainConverter().convertLocalTools(BUILTIN_LOCAL_TOOLS);
  await agent.updateTools(tools);
  await expect(agent.chat('Hi')).rejects.toThrow('call initialize first');
  await agent.initialize({ tools: [], systemPrompt: '' });
  const first = agent.chat('Hi');
  await Promise.all([
    expect(agent.chat('Hi')).rejects.toThrow('busy'),
    expect(agent.initialize({ tools: [], systemPrompt: '' })).rejects.toThrow('busy'),
  ]);
  expect(await first).toBe('Hi get_time get_date');
  await agent.removeTools(['get_time', 'nothing']);
  expect(agent.toolNames).toEqual(['get_date']);
  await expect(agent.chat('Hi', { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(await agent.chat('Hi')).toBe('Hi get_date');
});

test('a new list of a device replaces only the tools of that device', async () => {
  const [agent, converter] = [new PlainAgent(), new PlainConverter()];
  await agent.updateTools(converter.convertLocalTools(BUILTIN_LOCAL_TOOLS));
  let hear: ((tools: ToolDefinition[]) => void) | undefined;
  const stop = followDeviceTools({
    provider: agent,
    converter,
    deviceId: 'd',
    devices: {
      setDeviceToolsCallback: (_id, callback) => {
        hear = callback;
        return () => (hear = undefined);
      },
    },
  });
  const deviceClient = {} as DeviceToolClientBase;
  const list = (...names: string[]): ToolDefinition[] =>
    names.map((name) => ({ name, description: '', parameters: { type: 'object' }, deviceClient }));
  hear?.(list('a.b', 'c'));
  hear?.(list('c', 'd'));
  await settled();
  expect(agent.toolNames).toEqual(['get_time', 'get_date', 'c', 'd']);
  hear?.(list('c'));
  hear?.([]);
  await settled();
  expect(agent.toolNames).toEqual(['get_time', 'get_date']);
  stop();
  expect(hear).toBeUndefined();
});

test('a list that cannot be converted is reported, and changes nothing', async () => {
  const [agent, converter] = [new PlainAgent(), new PlainConverter()];
  const errors: string[] = [];
  let hear: ((tools: ToolDefinition[]) => void) | undefined;
  followDeviceTools({
    provider: agent,
    converter,
    deviceId: 'd',
    devices: {
      setDeviceToolsCallback: (_id, callback) => {
        hear = callback;
        return () => {};
      },
    },
    onError: (error, where) => errors.push(`${where}: ${String(error)}`),
  });
  hear?.([{ name: 'x', description: '', parameters: {} }]);
  await settled();
  expect(errors).toEqual([expect.stringContaining('has no deviceClient')]);
  expect(agent.toolNames).toEqual([]);
});

test('what is registered is followed until told otherwise', async () => {
  const [agent, converter, toolRegistryManager] = [new PlainAgent(), new PlainConverter(), createToolRegistryManager()];
  const unregister = toolRegistryManager.register(createTimeTool());
  const stop = followRegisteredTools({ provider: agent, converter, toolRegistryManager });
  expect(agent.toolNames).toEqual(['clock_get_time', 'clock_get_date']);
  unregister();
  await settled();
  expect(agent.toolNames).toEqual([]);
  toolRegistryManager.register(createTimeTool());
  stop();
  await settled();
  expect(agent.toolNames).toEqual([]);
});
