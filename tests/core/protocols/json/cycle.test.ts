import { expect, test } from 'vitest';
import { createToolCalling } from '../../../../src-core/engine/toolCalling.ts';
import { formatResultsForContext, processToolCallCycle } from '../../../../src-core/engine/engine.ts';
import { createJsonProtocol } from '../../../../src-core/protocols/json/jsonProtocol.ts';
import { createProtocolRegistry } from '../../../../src-core/protocols/registry.ts';
import { createVcpProtocol } from '../../../../src-core/protocols/vcp/vcpProtocol.ts';
import { createDirectoryTreeTool } from '../../../../src-core/registry/builtin/directoryTree.ts';
import { defaultToolCallConfig } from '../../../../src-core/base/calls.ts';
import { setUp } from '../../engine/execution.ts';

const volume = { properties: { volume: { type: 'integer', maximum: 100 } }, required: ['volume'] };
const config = { ...defaultToolCallConfig, protocol: 'json' };

function makeLab() {
  const method = { name: 'self.set_volume', inputSchema: volume, handler: (args: object) => args };
  return setUp([method], createDirectoryTreeTool({ getRoot: () => import.meta.dirname }));
}

test('one turn of the cycle with JSON calls: parse, convert, run, feed back', async () => {
  const { options } = makeLab();
  const protocol = createJsonProtocol();
  const reply = [
    'I set it.',
    '<tool_call>{"id":"c1","name":"lab_self.set_volume","arguments":{"volume":50}}</tool_call>',
    '<tool_call>{"id":"c2","name":"lab_self.set_volume","arguments":"{\\"volume\\":500}"}</tool_call>',
    '```json\n{"id":"c3","name":"lab_set_volume","arguments":{}}\n```',
  ].join('\n');
  const { parsedRequests, executionResults } = await processToolCallCycle(reply, { ...options, protocol, config });
  expect(parsedRequests.map(({ requestId, toolName, args }) => [requestId, toolName, args])).toEqual([
    ['c1', 'lab_self.set_volume', { volume: '50' }],
    ['c2', 'lab_self.set_volume', { volume: '500' }],
    ['c3', 'lab_set_volume', {}],
  ]);
  expect(executionResults).toMatchObject([
    { requestId: 'c1', toolName: 'lab_self.set_volume', status: 'success', result: '{"volume":50}' },
    { requestId: 'c2', status: 'error', error: { code: 'invalid-arguments', issues: [{ remedy: 100 }] } },
    { requestId: 'c3', status: 'error', error: { code: 'unknown-method', candidates: ['lab_self.set_volume'] } },
  ]);
  const [first] = formatResultsForContext(executionResults, protocol).split('\n</tool_response>');
  expect(first).toBe(
    '<tool_response>\n{"id":"c1","name":"lab_self.set_volume","status":"success","result":"{\\"volume\\":50}"}',
  );
});

test('the same tools through the same interface, by either protocol', async () => {
  const { toolRegistryManager } = makeLab();
  const protocols = createProtocolRegistry([createVcpProtocol(), createJsonProtocol()]);
  const toolCalling = createToolCalling({ toolRegistryManager, protocols });
  for (const protocol of ['vcp', 'json']) {
    const prompt = toolCalling.generateToolsPrompt({ ...config, protocol });
    expect(prompt).toContain('self.set_volume');
    const turn = await toolCalling.processCycle(prompt, { ...config, protocol });
    expect(turn.executionResults[0]).toMatchObject({ status: 'success', result: '{"volume":1}' });
    const fedBack = toolCalling.formatCycleResults(turn.executionResults, protocol);
    expect(await toolCalling.processCycle(fedBack, { ...config, protocol })).toMatchObject({ hasToolRequests: false });
  }
  toolCalling.close();
});
