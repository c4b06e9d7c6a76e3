/** Endpoints of xiaozhi agents, from the terminal of a running workbench. */
import { expect, onTestFinished, test } from 'vitest';

import type { EndpointInfo, EndpointTool } from '../../../src-core/contract/types.ts';
import { startEndpointBroker } from '../../fakes/endpointBroker.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';

test('an endpoint is added, serves the chosen tools, and is removed', async () => {
  const broker = await startEndpointBroker();
  onTestFinished(broker.close);
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  // Without a running workbench it is only kept.
  const added = await toolwire(
    'endpoint',
    'add',
    broker.toolUrl('a'),
    '--name',
    'Kitchen',
    '--sources',
    'builtin:clock',
  );
  expect(added).toMatchObject({ code: 0, err: '' });
  expect(broker.connections).toBe(0);

  const serving = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await serving.firstLine();
  const listed = async (): Promise<EndpointInfo | undefined> =>
    (JSON.parse((await toolwire('endpoint', 'list', '--json')).out) as EndpointInfo[])[0];
  await expect.poll(listed).toMatchObject({ id: added.out.trim(), label: 'Kitchen', state: 'connected' });
  const tools = JSON.parse((await toolwire('endpoint', 'tools', '--json')).out) as EndpointTool[];
  const [time] = tools.filter(({ source }) => source === 'builtin:clock');
  expect(time?.name).toMatch(/^clock_/);
  const caller = await broker.call('a');
  expect(JSON.stringify(await caller.request(1, 'tools/list'))).toContain(`"${time?.name}"`);

  const { out } = await toolwire('endpoint', 'list');
  expect(out).toContain('Kitchen  connected  ');
  expect(out).not.toContain(new URL(broker.toolUrl('a')).search);
  expect(await toolwire('endpoint', 'disconnect', 'Kitchen')).toEqual({
    code: 0,
    out: '',
    err: 'Kitchen is disconnected.\n',
  });
  await expect.poll(listed).toMatchObject({ state: 'off' });
  expect((await toolwire('endpoint', 'connect', 'Kitchen')).code).toBe(0);
  await expect.poll(listed).toMatchObject({ state: 'connected' });
  expect((await toolwire('endpoint', 'remove', 'Kitchen')).code).toBe(0);
  expect(await toolwire('endpoint', 'list')).toEqual({ code: 0, out: '', err: 'There is no endpoint yet.\n' });
});

test('wrong input is refused, and the address is not repeated', async () => {
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  expect(await toolwire('endpoint', 'add', 'wss://example.com/?token=secret-1')).toMatchObject({
    code: 2,
    err: expect.stringContaining('needs --all, --sources or --tools') as string,
  });
  const wrong = await toolwire('endpoint', 'add', 'https://example.com/?token=secret-1', '--all');
  expect(wrong.code).toBe(1);
  expect(wrong.err).toContain('must begin with ws:// or wss://');
  expect(wrong.err).not.toContain('secret-1');
  expect(await toolwire('endpoint', 'connect', 'nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no endpoint "nobody".') as string,
  });
});
