import { describe, expect, test } from 'vitest';

import { BUILTIN_LOCAL_TOOLS, createToolRegistryManager, ToolError } from '../../../src-core/converters.ts';
import type { DeviceCallOptions, JsonObject, ToolDefinition, ToolOutput } from '../../../src-core/converters.ts';
import { defineToolRegistry } from '../../../src-core/registry/defineTool.ts';
import { PlainConverter } from './plainConverter.ts';

const parameters = {
  type: 'object',
  properties: { level: { type: 'integer', minimum: 0, maximum: 100 } },
  required: ['level'],
};

/** A server's tool that gives back how it was called. */
function serverTool(answer: (args: JsonObject, options: DeviceCallOptions) => Promise<ToolOutput>): ToolDefinition {
  return {
    name: 'light.dim',
    description: 'Dims.',
    parameters,
    mcpClient: {
      callTool: (name, args, options = {}) => {
        expect(name).toBe('light.dim');
        return answer(args, options);
      },
    },
  };
}

describe('a converted tool', () => {
  test('of this program gets checked arguments, and its value is the answer', async () => {
    const converter = new PlainConverter();
    const tool = converter.convertLocalTool({
      name: 'get.weather',
      description: 'Weather.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      executor: async ({ city }) => Promise.resolve({ city, sunny: true }),
    });
    expect(tool).toMatchObject({ wireName: 'get_weather', description: 'Weather.' });
    expect(converter.names.fromWire('get_weather')).toBe('get.weather');
    const call = { callId: 'call-1' };
    expect(await tool.run({ city: 'Kyiv' }, call)).toMatchObject({
      requestId: 'call-1',
      toolName: 'local_get.weather',
      status: 'success',
      result: '{"city":"Kyiv","sunny":true}',
    });
    expect(await tool.run('{"city":"Lviv"}', call)).toMatchObject({ result: '{"city":"Lviv","sunny":true}' });
    for (const wrong of [{}, { city: 1 }, '', undefined, null, '[]', ['Kyiv'], 'Kyiv', '{"city":']) {
      expect(await tool.run(wrong, call)).toMatchObject({ status: 'error', error: { code: 'invalid-arguments' } });
    }
  });

  test('of an MCP server keeps every part, isError and the server’s own error', async () => {
    const content = [
      { type: 'text' as const, text: 'no' },
      { type: 'image' as const, data: 'AA==', mimeType: 'image/png' },
    ];
    const converter = new PlainConverter({ config: { timeout: 1_234 } });
    const failing = converter.convertMcpTool(
      serverTool(async ({ level }, { timeoutMs, signal, callId }) => {
        expect([level, timeoutMs, signal?.aborted, typeof callId]).toEqual([5, 1_234, false, 'string']);
        return Promise.resolve({ value: 'no', content, isError: true });
      }),
    );
    expect(await failing.run({ level: 5 }, {})).toMatchObject({
      status: 'error',
      result: 'no',
      content,
      error: { code: 'tool-error' },
    });
    const gone = converter.convertMcpTool(
      serverTool(async () => Promise.reject(new ToolError('disconnected', 'The server has left.'))),
    );
    expect(await gone.run({ level: 5 }, {})).toMatchObject({
      status: 'error',
      result: 'The server has left.',
      error: { code: 'disconnected' },
    });
  });

  test('is cancelled by its signal, also before it begins', async () => {
    const tool = new PlainConverter().convertMcpTool(
      serverTool(async (_args, { signal }) => {
        stop.abort();
        await new Promise<void>((resolve) => {
          if (signal?.aborted === true) resolve();
          signal?.addEventListener('abort', () => resolve());
        });
        throw new Error('stopped');
      }),
    );
    const stop = new AbortController();
    for (let call = 0; call < 2; call += 1) {
      const result = await tool.run({ level: 1 }, { signal: stop.signal });
      expect(result).toMatchObject({ status: 'error', error: { code: 'cancelled' } });
    }
  });

  test('that nothing can run is refused at once', () => {
    const converter = new PlainConverter();
    const definition = { name: 'x', description: '', parameters };
    expect(() => converter.convertLocalTool(definition)).toThrow('"x" cannot be run: its definition has no executor');
    expect(() => converter.convertDeviceTool(definition)).toThrow('no deviceClient');
    expect(() => converter.convertMcpTool(definition)).toThrow('no mcpClient');
    const local = { ...definition, executor: () => 1 };
    expect(() => converter.convertMcpTools([local])).toThrow('no mcpClient');
  });

  test('for people only is not among several, and refuses a model alone', async () => {
    const converter = new PlainConverter();
    const hidden: ToolDefinition = { ...BUILTIN_LOCAL_TOOLS[0]!, userOnly: true };
    expect(converter.convertLocalTools([hidden])).toEqual([]);
    const tool = converter.convertLocalTool(hidden);
    expect(await tool.run({}, {})).toMatchObject({ error: { code: 'not-agent-callable' } });
  });

  test("asks the program's callback before a dangerous call", async () => {
    const harmful: ToolDefinition = { ...BUILTIN_LOCAL_TOOLS[1]!, danger: 'Says which day it is.' };
    const refusing = new PlainConverter().convertLocalTool(harmful);
    expect(await refusing.run({}, {})).toMatchObject({ error: { code: 'confirmation-required' } });
    const asked: unknown[] = [];
    const asking = new PlainConverter({
      onBeforeExecute: (_request, { danger, caller }) => asked.push([danger, caller]) > 0,
    }).convertLocalTool(harmful);
    expect(await asking.run({}, {})).toMatchObject({ status: 'success' });
    expect(asked).toEqual([['Says which day it is.', 'model']]);
  });
});

describe('several tools', () => {
  const named = (...names: string[]): ToolDefinition[] =>
    names.map((name) => ({ ...BUILTIN_LOCAL_TOOLS[0]!, name, executor: () => name }));

  test('have names of their own that stay, whenever they are converted', async () => {
    const converter = new PlainConverter();
    const first = converter.convertLocalTools(named('a.b', 'a_b'));
    expect(first[1]?.wireName).toBe('a_b');
    expect(first[0]?.wireName).toMatch(/^a_b_[0-9a-f]{8}$/);
    const again = converter.convertLocalTools(named('a/b', 'c.d', 'a.b'));
    expect(again[2]?.wireName).toBe(first[0]?.wireName);
    expect(again[1]?.wireName).toBe('c_d');
    expect(new Set([...first, ...again].map(({ wireName }) => wireName)).size).toBe(4);
    for (const tool of [...first, ...again]) {
      expect((await tool.run({}, {})).result).toBe(converter.names.fromWire(tool.wireName));
    }
  });

  test('the last of two tools with one name wins', async () => {
    const [one, two] = named('same', 'same');
    const tools = new PlainConverter().convertLocalTools([one!, { ...two!, executor: () => 'second' }]);
    expect(tools).toHaveLength(1);
    expect((await tools[0]!.run({}, {})).result).toBe('second');
  });

  test('that are registered come by their qualified names, if a model may call them', async () => {
    const toolRegistryManager = createToolRegistryManager();
    const registry = (id: string, agentCallable = true): void => {
      const source = { kind: 'module' as const, id, label: id };
      const method = { name: 'say.it', description: 'Says.', agentCallable, inputSchema: { type: 'object' } };
      toolRegistryManager.register(
        defineToolRegistry({ id, name: id, source, methods: [{ ...method, handler: () => id }] }),
      );
    };
    registry('one');
    registry('two');
    registry('hidden', false);
    registry('off');
    const converter = new PlainConverter({ config: { toolToggles: { off: false } } });
    const tools = converter.convertRegisteredTools(toolRegistryManager);
    expect(tools.map(({ wireName }) => wireName)).toEqual(['one_say_it', 'two_say_it']);
    expect((await tools[1]!.run({}, {})).result).toBe('two');
    toolRegistryManager.unregister('two');
    expect(await tools[1]!.run({}, {})).toMatchObject({ status: 'error', error: { code: 'disconnected' } });
  });
});
