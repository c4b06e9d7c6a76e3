import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createToolRegistryManager,
  maximumToolIdLength,
  type ToolRegistryEvent,
} from '../../../src-core/registry/toolRegistryManager.ts';
import { makeTool } from './testTool.ts';

function setUp() {
  const errors: { error: unknown; where: string }[] = [];
  const toolRegistryManager = createToolRegistryManager({ onError: (error, where) => errors.push({ error, where }) });
  const events: string[] = [];
  const listen = (name: string) => (event: ToolRegistryEvent) => void events.push(`${name} ${event.type} ${event.id}`);
  return { toolRegistryManager, errors, events, listen };
}

describe('registering', () => {
  test('tools are found by id, in the order in which they came, until they go', () => {
    const { toolRegistryManager } = setUp();
    const [a, b] = [makeTool('a', []), makeTool('b', [])];
    toolRegistryManager.register(b);
    toolRegistryManager.register(a);
    expect(toolRegistryManager.getAllTools()).toEqual([b, a]);
    expect(toolRegistryManager.getTool('a')).toBe(a);
    expect(toolRegistryManager.unregister('b')).toBe(true);
    expect(toolRegistryManager.unregister('b')).toBe(false);
    expect(toolRegistryManager.getTool('b')).toBeUndefined();
    expect(toolRegistryManager.getAllTools()).toEqual([a]);
  });

  test('a taken id is refused, and the error says by whom it is taken', () => {
    const { toolRegistryManager, events, listen } = setUp();
    const first = makeTool('lamp', [], 'Desk lamp');
    toolRegistryManager.register(first);
    toolRegistryManager.onChange(listen('x'));
    expect(() => toolRegistryManager.register(makeTool('lamp', []))).toThrow(/"lamp" is taken by builtin "Desk lamp"/);
    expect(toolRegistryManager.getTool('lamp')).toBe(first);
    expect(events).toEqual([]);
  });

  test.each(['', '   ', 'x'.repeat(maximumToolIdLength + 1)])('the id %j is refused', (id) => {
    const { toolRegistryManager } = setUp();
    expect(() => toolRegistryManager.register(makeTool(id, []))).toThrow(/tool id is text of 1 to 200 characters/);
    expect(toolRegistryManager.getAllTools()).toEqual([]);
  });

  test('the returned function takes out only what it registered, once', () => {
    const { toolRegistryManager, events, listen } = setUp();
    const unregister = toolRegistryManager.register(makeTool('a', []));
    unregister();
    const second = makeTool('a', []);
    toolRegistryManager.register(second);
    toolRegistryManager.onChange(listen('x'));
    unregister();
    expect(toolRegistryManager.getTool('a')).toBe(second);
    expect(events).toEqual([]);
  });

  test('ids like __proto__ are ids like any other', () => {
    const { toolRegistryManager } = setUp();
    expect(toolRegistryManager.getTool('__proto__')).toBeUndefined();
    const tool = makeTool('__proto__', []);
    toolRegistryManager.register(tool);
    expect(toolRegistryManager.getTool('__proto__')).toBe(tool);
  });
});

describe('events', () => {
  test('every event reaches every listener and raises the revision by one', () => {
    const { toolRegistryManager, events, listen } = setUp();
    const stop = toolRegistryManager.onChange(listen('one'));
    toolRegistryManager.onChange(listen('two'));
    const before = toolRegistryManager.revision;
    const unregister = toolRegistryManager.register(makeTool('a', []));
    expect(toolRegistryManager.notifyChanged('a')).toBe(true);
    stop();
    unregister();
    expect(events).toEqual([
      ...['one registered a', 'two registered a', 'one changed a', 'two changed a'],
      'two unregistered a',
    ]);
    expect(toolRegistryManager.revision).toBe(before + 3);
  });

  test('a change of an unregistered tool emits no event', () => {
    const { toolRegistryManager, events, listen } = setUp();
    toolRegistryManager.onChange(listen('x'));
    expect(toolRegistryManager.notifyChanged('gone')).toBe(false);
    expect(events).toEqual([]);
    expect(toolRegistryManager.revision).toBe(0);
  });

  test('an error in a listener is reported and does not affect the others', () => {
    const { toolRegistryManager, errors, events, listen } = setUp();
    const broken = new Error('broken listener');
    toolRegistryManager.onChange(() => {
      throw broken;
    });
    toolRegistryManager.onChange(listen('x'));
    toolRegistryManager.register(makeTool('a', []));
    expect(events).toEqual(['x registered a']);
    expect(errors).toEqual([{ error: broken, where: 'a listener to the tool registry, at "registered" of "a"' }]);
  });

  test('changes made by a listener are told after the present event, in the same order to all', () => {
    const { toolRegistryManager, events, listen } = setUp();
    toolRegistryManager.onChange((event) => {
      if (event.type === 'registered' && event.id === 'a') {
        toolRegistryManager.register(makeTool('b', []));
        toolRegistryManager.unregister('a');
      }
    });
    toolRegistryManager.onChange(listen('x'));
    toolRegistryManager.register(makeTool('a', []));
    expect(events).toEqual(['x registered a', 'x registered b', 'x unregistered a']);
  });

  test('one function may listen twice, and each subscription ends by itself', () => {
    const { toolRegistryManager, events, listen } = setUp();
    const listener = listen('x');
    const stop = toolRegistryManager.onChange(listener);
    toolRegistryManager.onChange(listener);
    toolRegistryManager.register(makeTool('a', []));
    stop();
    toolRegistryManager.register(makeTool('b', []));
    expect(events).toEqual(['x registered a', 'x registered a', 'x registered b']);
  });
});

test('without onError a broken listener becomes a Node warning', async () => {
  const toolRegistryManager = createToolRegistryManager();
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  toolRegistryManager.onChange(() => {
    throw new Error('broken listener');
  });
  toolRegistryManager.register(makeTool('a', []));
  const warning = { name: 'ToolwireWarning', message: expect.stringContaining('broken listener') };
  // Node warns once of what it calls experimental, whichever file runs then.
  await expect.poll(() => warnings).toContainEqual(expect.objectContaining(warning));
});
