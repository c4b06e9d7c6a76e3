import { expect, test } from 'vitest';

import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { connectHost, newToken } from './connectHost.ts';

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
  const connect = (id: string) =>
    connectHost(workbench, { token: newToken(workbench, { kind: 'device', id }).token, path: `/device/${id}` });
  const [kitchen, bedroom] = [await connect('kitchen'), await connect('bedroom')];
  const { content } = await kitchen.callTool({ name: 'photo' });
  const link = content.find(({ type }) => type === 'resource_link') as { uri: string } | undefined;
  const uri = link?.uri ?? '';
  expect(await kitchen.readResource({ uri })).toMatchObject({ contents: [{ uri, mimeType: 'image/png', blob: data }] });
  expect((await bedroom.listResources()).resources.map((each) => each.uri)).toEqual([
    'toolwire://device/bedroom/info',
    'toolwire://device/bedroom/log',
  ]);
  await expect(bedroom.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
});
