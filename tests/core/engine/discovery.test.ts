import { describe, expect, test } from 'vitest';
import { createToolDiscoveryService } from '../../../src-core/engine/discovery.ts';
import { resolveToolEnabled } from '../../../src-core/engine/resolveToolEnabled.ts';
import type { ToolCallingProtocol, ToolDefinitionInput } from '../../../src-core/protocols/base.ts';
import { createProtocolRegistry } from '../../../src-core/protocols/registry.ts';
import { defaultToolCallConfig, type ToolCallConfig } from '../../../src-core/base/calls.ts';
import { createToolRegistryManager } from '../../../src-core/registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../../src-core/registry/types.ts';
import { makeTool } from '../registry/testTool.ts';
import { lineProtocol } from './lineProtocol.ts';

function setUp(...tools: ToolRegistry[]) {
  const written: ToolDefinitionInput[][] = [];
  const protocol: ToolCallingProtocol = {
    ...lineProtocol,
    generateToolDefinitions: (input) => (written.push(input), lineProtocol.generateToolDefinitions(input)),
  };
  const toolRegistryManager = createToolRegistryManager();
  for (const tool of tools) toolRegistryManager.register(tool);
  const protocols = createProtocolRegistry([protocol]);
  const discovery = createToolDiscoveryService({ toolRegistryManager, protocols });
  return { toolRegistryManager, protocols, protocol, discovery, written };
}

const config: ToolCallConfig = { ...defaultToolCallConfig, protocol: 'line' };
const lamp = makeTool('lamp', [{ name: 'on' }, { name: 'reset', agentCallable: false }]);
const clock = makeTool('clock', [{ name: 'time' }]);
const secret = makeTool('secret', [{ name: 'open', agentCallable: false }]);

describe('getDiscoveredMethods', () => {
  test('lists what is agent-callable, by tool, and leaves out tools with nothing to offer', () => {
    const { discovery } = setUp(lamp, secret, clock);
    expect(discovery.getDiscoveredMethods()).toEqual([
      { toolId: 'lamp', toolName: 'Tool lamp', source: lamp.source, methods: [lamp.getMetadata().methods[0]] },
      { toolId: 'clock', toolName: 'Tool clock', source: clock.source, methods: clock.getMetadata().methods },
    ]);
  });

  test('applies a custom filter', () => {
    const { discovery } = setUp(lamp, secret, clock);
    const names = (tools: { methods: { name: string }[] }[]) =>
      tools.map(({ methods }) => methods.map(({ name }) => name));
    expect(names(discovery.getDiscoveredMethods(() => true))).toEqual([['on', 'reset'], ['open'], ['time']]);
    expect(
      names(discovery.getDiscoveredMethods(({ agentCallable }, { id }) => !agentCallable && id === 'lamp')),
    ).toEqual([['reset']]);
  });

  test('a tool that failed is listed with its error', () => {
    const broken: ToolRegistry = {
      ...makeTool('mod', []),
      description: 'Mine.',
      getMetadata: () => ({ methods: [], error: 'Line 3.' }),
    };
    const { discovery } = setUp(broken);
    expect(discovery.getDiscoveredMethods()).toEqual([
      {
        toolId: 'mod',
        toolName: 'Tool mod',
        description: 'Mine.',
        source: broken.source,
        methods: [],
        error: 'Line 3.',
      },
    ]);
    expect(discovery.generatePrompt({ config })).toBe('');
  });

  test('always returns the tools that are registered now', () => {
    const { discovery, toolRegistryManager } = setUp();
    expect(discovery.getDiscoveredMethods()).toEqual([]);
    toolRegistryManager.register(clock);
    expect(discovery.getDiscoveredMethods()).toHaveLength(1);
    toolRegistryManager.unregister('clock');
    expect(discovery.getDiscoveredMethods()).toEqual([]);
  });
});

describe('generatePrompt', () => {
  test('offers what is agent-callable and enabled, in the protocol of the configuration', () => {
    const { discovery } = setUp(lamp, clock);
    expect(discovery.generatePrompt({ config })).toBe('offer lamp_on\noffer clock_time');
    expect(discovery.generatePrompt({ config: { ...config, toolToggles: { lamp: false } } })).toBe('offer clock_time');
    expect(
      discovery.generatePrompt({ config: { ...config, defaultToolEnabled: false, toolToggles: { lamp: true } } }),
    ).toBe('offer lamp_on');
  });

  test('is empty if calling is off or nothing is on offer, without troubling the protocol', () => {
    const { discovery, written } = setUp(lamp);
    expect(discovery.generatePrompt({ config: { ...config, enabled: false } })).toBe('');
    expect(discovery.generatePrompt({ config: { ...config, defaultToolEnabled: false } })).toBe('');
    expect(written).toEqual([]);
  });

  test('an unknown protocol is an error that lists the known', () => {
    const { discovery } = setUp(lamp);
    expect(() => discovery.generatePrompt({ config: { ...config, protocol: 'xml' } })).toThrow(
      'No protocol is registered as "xml". Use one of: line.',
    );
  });

  test('is written once for the same protocol, agent and configuration', () => {
    const { discovery, written } = setUp(lamp, clock);
    const toggles = { a: true, b: false };
    discovery.generatePrompt({ config: { ...config, toolToggles: toggles }, agentId: 'x' });
    discovery.generatePrompt({ config: { ...config, toolToggles: { b: false, a: true }, timeout: 1 }, agentId: 'x' });
    expect(written).toHaveLength(1);
    discovery.generatePrompt({ config: { ...config, toolToggles: toggles }, agentId: 'y' });
    discovery.generatePrompt({ config: { ...config, toolToggles: { ...toggles, b: true } }, agentId: 'x' });
    expect(written).toHaveLength(3);
  });

  test('is written anew when a tool comes, changes or goes, and when told so', () => {
    const { discovery, toolRegistryManager, written } = setUp(lamp);
    const counts = [
      () => toolRegistryManager.register(clock),
      () => toolRegistryManager.notifyChanged('clock'),
      () => toolRegistryManager.unregister('clock'),
      () => discovery.invalidateCache(),
      () => undefined,
    ].map((change) => {
      change();
      discovery.generatePrompt({ config });
      return written.length;
    });
    expect(counts).toEqual([1, 2, 3, 4, 4]);
    expect(written[2]).toHaveLength(1);
  });

  test('a protocol that is replaced under its id writes its own', () => {
    const { discovery, protocols } = setUp(lamp);
    const first = createProtocolRegistry();
    expect(first.ids()).toEqual([]);
    discovery.generatePrompt({ config });
    const other: ToolCallingProtocol = { ...lineProtocol, id: 'other', generateToolDefinitions: () => 'other text' };
    const unregister = protocols.register(other);
    expect(discovery.generatePrompt({ config: { ...config, protocol: 'other' } })).toBe('other text');
    unregister();
    protocols.register({ ...other, generateToolDefinitions: () => 'new text' });
    expect(discovery.generatePrompt({ config: { ...config, protocol: 'other' } })).toBe('new text');
  });

  test('keeps a bounded number of prompts, those used last', () => {
    const { discovery, written } = setUp(lamp);
    for (let i = 0; i < 150; i += 1) {
      discovery.generatePrompt({ config, agentId: 'first' });
      discovery.generatePrompt({ config, agentId: `agent ${i}` });
    }
    expect(written).toHaveLength(151);
    discovery.generatePrompt({ config, agentId: 'agent 149' });
    expect(written).toHaveLength(151);
    discovery.generatePrompt({ config, agentId: 'agent 0' });
    expect(written).toHaveLength(152);
  });

  test('after close it no longer follows the tools', () => {
    const { discovery, toolRegistryManager, written } = setUp(lamp);
    discovery.generatePrompt({ config });
    discovery.close();
    toolRegistryManager.register(clock);
    discovery.generatePrompt({ config });
    expect(written).toHaveLength(1);
  });
});

test('toggles come before the default, and only their own', () => {
  expect(resolveToolEnabled('a', { toolToggles: { a: false }, defaultToolEnabled: true })).toBe(false);
  expect(resolveToolEnabled('a', { toolToggles: { a: true }, defaultToolEnabled: false })).toBe(true);
  expect(resolveToolEnabled('b', { toolToggles: { a: true }, defaultToolEnabled: false })).toBe(false);
  expect(resolveToolEnabled('toString', { toolToggles: {}, defaultToolEnabled: false })).toBe(false);
});

describe('the registry of protocols', () => {
  test('an id is given once and not empty', () => {
    const protocols = createProtocolRegistry([lineProtocol]);
    expect(protocols.get('line')).toBe(lineProtocol);
    expect(protocols.get('vcp')).toBeUndefined();
    expect(() => protocols.register(lineProtocol)).toThrow('A protocol with the id "line" is registered already.');
    expect(() => protocols.register({ ...lineProtocol, id: '' })).toThrow('A protocol needs an id.');
  });

  test('the returned function takes out only what it registered', () => {
    const protocols = createProtocolRegistry();
    const unregister = protocols.register(lineProtocol);
    unregister();
    protocols.register(lineProtocol);
    expect(protocols.ids()).toEqual(['line']);
    const second = { ...lineProtocol };
    const other = createProtocolRegistry();
    const takeOut = other.register(lineProtocol);
    takeOut();
    other.register(second);
    takeOut();
    expect(other.get('line')).toBe(second);
  });
});
