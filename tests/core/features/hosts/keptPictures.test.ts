import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';

import type { HostScope } from '../../../../src-core/contract/hosts.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';

async function connect({ services }: Workbench, scope: HostScope): Promise<Client> {
  const client = new Client({ name: 'test-host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const { token } = services.hosts.create({ name: 'My host', scope });
  const path = scope === 'all' ? '' : `/device/${scope.id}`;
  await client.connect(
    new StreamableHTTPClientTransport(new URL(services.hosts.state().url + path), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

test('a picture over 1 MB is read as a resource, but not by a host that may use another device only', async () => {
  const workbench = await openWorkbench({ shell: 'browser' });
  const data = 'A'.repeat(1024 * 1024 + 4);
  for (const id of ['kitchen', 'bedroom'])
    workbench.toolRegistryManager.register({
      id,
      name: id,
      source: { kind: 'device', id, label: id },
      getMetadata: () => ({
        methods: [{ name: 'photo', description: '', agentCallable: true, inputSchema: { type: 'object' } }],
      }),
      invoke: () => Promise.resolve({ value: '', content: [{ type: 'image', data, mimeType: 'image/png' }] }),
    });
  const kitchen = await connect(workbench, { kind: 'device', id: 'kitchen' });
  const bedroom = await connect(workbench, { kind: 'device', id: 'bedroom' });
  const { content } = await kitchen.callTool({ name: 'photo' });
  const link = content.find(({ type }) => type === 'resource_link') as { uri: string } | undefined;
  const uri = link?.uri ?? '';
  expect(await kitchen.readResource({ uri })).toMatchObject({ contents: [{ uri, mimeType: 'image/png', blob: data }] });
  expect((await bedroom.listResources()).resources).toEqual([]);
  await expect(bedroom.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
});
