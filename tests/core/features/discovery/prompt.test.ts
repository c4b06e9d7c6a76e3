import { expect, test } from 'vitest';

import type { ChatProtocol } from '../../../../src-core/contract/chat.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';

test('the VCP prompt leaves out a method whose required parameter VCP cannot pass; JSON and native offer it', async () => {
  const { services, toolRegistryManager } = await openWorkbench();
  const read = {
    name: 'read',
    description: '',
    agentCallable: true,
    inputSchema: { type: 'object', properties: { 城市: { type: 'string' } }, required: ['城市'] },
    handler: () => 'sun',
  };
  const source = { kind: 'module' as const, id: 'sky', label: 'Sky' };
  toolRegistryManager.register(defineToolRegistry({ id: 'sky', name: 'Sky', source, methods: [read] }));
  const offers = async (protocol: ChatProtocol): Promise<boolean[]> => {
    const { text, tools, byTool } = await services.tools.prompt({ protocol });
    const isInText = `${text}${JSON.stringify(tools)}`.includes('sky');
    return [isInText, byTool.some(({ toolId }) => toolId === 'sky')];
  };
  expect(await offers('vcp')).toEqual([false, false]);
  expect(await offers('json')).toEqual([true, true]);
  expect(await offers('native')).toEqual([true, true]);
  // What it would be is shown beside the reason.
  expect(services.tools.texts({ toolId: 'sky', methodName: 'read' })).toMatchObject({
    prompt: expect.stringContaining('城市'),
    uncarried: ['城市'],
  });
});
