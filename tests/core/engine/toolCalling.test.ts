import { describe, expect, test } from 'vitest';
import { formatResultsForContext, processToolCallCycle } from '../../../src-core/engine/engine.ts';
import { createToolCalling } from '../../../src-core/engine/toolCalling.ts';
import { createProtocolRegistry } from '../../../src-core/protocols/registry.ts';
import { defaultToolCallConfig, type ToolCallConfig } from '../../../src-core/base/calls.ts';
import { createToolRegistryManager } from '../../../src-core/registry/toolRegistryManager.ts';
import { makeTool } from '../registry/testTool.ts';
import { setUp } from './execution.ts';
import { lineProtocol } from './lineProtocol.ts';

const config: ToolCallConfig = { ...defaultToolCallConfig, protocol: 'line' };
const volume = { properties: { volume: { type: 'integer', maximum: 100 } }, required: ['volume'] };
const reply = 'I set it.\ncall r1 lab_set volume=50\ncall r2 lab_set volume=500\nDone.';

function makeLab() {
  const lab = setUp([{ name: 'set', inputSchema: volume, handler: ({ volume: given }) => given }]);
  const { toolRegistryManager, options } = lab;
  const toolCalling = createToolCalling({ toolRegistryManager, protocols: createProtocolRegistry([lineProtocol]) });
  const cycle = (more: Partial<ToolCallConfig> = {}, text = reply) =>
    processToolCallCycle(text, { ...options, protocol: lineProtocol, config: { ...config, ...more } });
  return { ...lab, toolCalling, cycle };
}

describe('processToolCallCycle', () => {
  test('parses and executes', async () => {
    const { cycle, ended } = makeLab();
    const { hasToolRequests, parsedRequests, executionResults } = await cycle();
    expect(hasToolRequests).toBe(true);
    expect(parsedRequests.map(({ requestId }) => requestId)).toEqual(['r1', 'r2']);
    expect(executionResults).toMatchObject([
      { requestId: 'r1', status: 'success', result: '50' },
      { requestId: 'r2', status: 'error', error: { code: 'invalid-arguments', issues: [{ remedy: 100 }] } },
    ]);
    expect(ended.map(({ caller }) => caller)).toEqual(['model', 'model']);
  });

  test('without calls there is nothing to do', async () => {
    expect(await makeLab().cycle({}, 'Just talk.')).toEqual({
      hasToolRequests: false,
      parsedRequests: [],
      executionResults: [],
    });
  });

  test('switched off, the text is not even parsed', async () => {
    const { cycle, ended } = makeLab();
    expect(await cycle({ enabled: false })).toEqual({
      hasToolRequests: false,
      parsedRequests: [],
      executionResults: [],
    });
    expect(ended).toEqual([]);
  });

  test('in manual mode calls are parsed and not executed', async () => {
    const { cycle, ended } = makeLab();
    const { hasToolRequests, parsedRequests, executionResults } = await cycle({ mode: 'manual' });
    expect([hasToolRequests, parsedRequests.length, executionResults]).toEqual([true, 2, []]);
    expect(ended).toEqual([]);
  });

  test('a protocol that throws stops nothing, and is reported', async () => {
    const { options, errors } = makeLab();
    const protocol = {
      ...lineProtocol,
      parseToolRequests: () => {
        throw new Error('bad text');
      },
    };
    expect(await processToolCallCycle(reply, { ...options, protocol, config })).toMatchObject({
      hasToolRequests: false,
    });
    expect(errors).toEqual(['the protocol "line", at parsing: Error: bad text']);
  });
});

test('formats results by the protocol; no results are an empty text', async () => {
  const { executionResults } = await makeLab().cycle();
  expect(formatResultsForContext(executionResults, lineProtocol)).toMatch(
    /^result r1 success 50\nresult r2 error The arguments/,
  );
  expect(formatResultsForContext([], lineProtocol)).toBe('');
});

describe('createToolCalling', () => {
  test('runs a whole cycle from text to results', async () => {
    const { toolCalling } = makeLab();
    expect(toolCalling.generateToolsPrompt(config)).toBe('offer lab_set');
    const { executionResults } = await toolCalling.processCycle('call r1 lab_set volume=5', config);
    expect(toolCalling.formatCycleResults(executionResults, 'line')).toBe('result r1 success 5');
    expect(toolCalling.getDiscoveredMethods()).toMatchObject([{ toolId: 'lab', methods: [{ name: 'set' }] }]);
    expect(toolCalling.getDiscoveredMethods(() => false)).toEqual([]);
    expect(toolCalling.resolveProtocol('line')).toBe(lineProtocol);
    toolCalling.close();
  });

  test('passes the question and the options on', async () => {
    const { toolCalling } = makeLab();
    const ask = { ...config, requireConfirmation: true };
    const refused = await toolCalling.processCycle(reply, ask, () => false);
    expect(refused.executionResults.map(({ error }) => error?.code)).toEqual(['not-authorized', 'not-authorized']);
    const cancelled = await toolCalling.processCycle(reply, config, undefined, { signal: AbortSignal.abort() });
    expect(cancelled.executionResults.map(({ error }) => error?.code)).toEqual(['cancelled', 'invalid-arguments']);
  });

  test('does nothing while it is disabled', () => {
    const { toolCalling } = makeLab();
    expect(toolCalling.hasToolCallingEnabled(config)).toBe(true);
    expect(toolCalling.hasToolCallingEnabled({ ...config, enabled: false })).toBe(false);
    expect(toolCalling.hasToolCallingEnabled(undefined)).toBe(false);
  });

  test('an unknown protocol is an error everywhere', async () => {
    const { toolCalling } = makeLab();
    const unknown = { code: 'unknown-protocol', info: { candidates: ['line'] } };
    await expect(toolCalling.processCycle(reply, { ...config, protocol: 'xml' })).rejects.toMatchObject(unknown);
    expect(() => toolCalling.formatCycleResults([], 'xml')).toThrow('No protocol is registered as "xml".');
    // Without an id the default is meant, which is not registered here.
    expect(() => toolCalling.formatCycleResults([])).toThrow('No protocol is registered as "vcp".');
  });

  test('invalidateDiscoveryCache reads metadata that changed without an event', async () => {
    const toolRegistryManager = createToolRegistryManager();
    const before = makeTool('lab', [{ name: 'old' }]);
    const after = makeTool('lab', [{ name: 'fresh', handler: () => 'done' }]);
    let current = before;
    toolRegistryManager.register({
      ...before,
      getMetadata: () => current.getMetadata(),
      invoke: (...call) => current.invoke(...call),
    });
    const toolCalling = createToolCalling({ toolRegistryManager, protocols: createProtocolRegistry([lineProtocol]) });
    const names = (): string[] =>
      toolCalling.getDiscoveredMethods().flatMap(({ methods }) => methods.map(({ name }) => name));
    expect(toolCalling.generateToolsPrompt(config)).toContain('old');

    current = after;
    expect(names()).toEqual(['old']);
    toolCalling.invalidateDiscoveryCache();
    expect(names()).toEqual(['fresh']);
    expect(toolCalling.generateToolsPrompt(config)).toContain('fresh');
    expect(toolCalling.generateToolsPrompt(config)).not.toContain('old');
    const { executionResults } = await toolCalling.processCycle('call r1 lab_fresh', config);
    expect(executionResults).toMatchObject([{ status: 'success', result: 'done' }]);
    toolCalling.close();
  });
});
