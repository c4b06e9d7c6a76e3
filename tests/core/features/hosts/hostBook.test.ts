/** What is kept of the calls of hosts. */
import { expect, it } from 'vitest';

import { ToolError } from '../../../../src-core/base/errors.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { connectHost } from './connectHost.ts';

it('keeps the short facts of a failed call, without secrets', async () => {
  const workbench = await openWorkbench();
  const method = { name: 'on', description: 'On.', agentCallable: true, inputSchema: { type: 'object' } };
  const details = { lost: 'process', server: 'lab', apiKey: 'k-4711', stderr: ['No key.'], data: 'x'.repeat(400) };
  workbench.toolRegistryManager.register({
    id: 'lab',
    name: 'lab',
    source: { kind: 'device', id: 'lab', label: 'lab' },
    getMetadata: () => ({ methods: [method] }),
    invoke: () => Promise.reject(new ToolError('disconnected', 'It ended.', { details })),
  });
  const client = await connectHost(workbench);
  const { tools } = await client.listTools();
  await client.callTool({ name: tools.find(({ name }) => name.endsWith('_on'))?.name ?? '' });
  const { hosts } = workbench.services;
  const [call] = hosts.calls({ id: hosts.state().hosts[0]?.id ?? '' });
  expect(call?.error).toEqual({
    code: 'disconnected',
    message: 'It ended.',
    details: { lost: 'process', server: 'lab', apiKey: '***' },
  });
});
