import { expect, onTestFinished, test } from 'vitest';

import { startEndpointBroker } from '../../../fakes/endpointBroker.ts';
import { addDevice, openWorkbench, until } from '../../workbench/openWorkbench.ts';

test('a board of the workbench is called through an endpoint, and the call is in the history', async () => {
  const broker = await startEndpointBroker();
  onTestFinished(broker.close);
  const workbench = await openWorkbench({ shell: 'browser' });
  const { endpoint, calls } = workbench.services;
  const device = await addDevice(workbench);
  const chosen = { all: false, sources: [`device:${device.id}`], tools: [] };
  await endpoint.add({ url: broker.toolUrl('agent'), label: 'Agent', chosen, enabled: true });
  await until(workbench, () => endpoint.list()[0]?.state === 'connected');
  const caller = await broker.call('agent');
  const { result } = (await caller.request(1, 'tools/list')) as { result: { tools: { name: string }[] } };
  const status = result.tools.find(({ name }) => name.endsWith('_get_device_status'))?.name ?? '';
  expect(status).not.toBe('');
  expect(result.tools.some(({ name }) => name.startsWith('time'))).toBe(false);
  const answer = await caller.request('x', 'tools/call', { name: status, arguments: {}, serialNumber: 'S' });
  expect(answer).toMatchObject({ id: 'x', result: { isError: false } });
  expect(JSON.stringify(answer)).toContain('audio_speaker');
  const made = await calls.history({ limit: 10 });
  expect(made.map(({ qualifiedName, origin }) => [qualifiedName.includes('get_device_status'), origin])).toContainEqual(
    [true, 'host'],
  );
});
