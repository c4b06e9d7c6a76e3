/** Endpoints of xiaozhi agents, from the terminal of a running workbench. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import type { EndpointInfo, EndpointTool } from '../../../src-core/contract/types.ts';
import { startEndpointBroker } from '../../fakes/endpointBroker.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';
import { openWorkbench } from '../workbench/openWorkbench.ts';

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

test('a configuration of mcp_pipe is imported, and its servers are served over one socket', async () => {
  const broker = await startEndpointBroker();
  onTestFinished(broker.close);
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  const config = join(dir, 'mcp_config.json');
  const entry = (name: string) => ({
    type: 'stdio',
    command: process.execPath,
    args: [join(process.cwd(), `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)],
  });
  const mcpServers = { everything: entry('everything'), thinking: entry('sequential-thinking') };
  writeFileSync(config, JSON.stringify({ mcpServers }));
  const serving = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await serving.firstLine();
  const added = await toolwire('endpoint', 'add', broker.toolUrl('a'), '--config', config);
  expect(added).toMatchObject({ code: 0, err: expect.stringContaining('Nothing is started.') as string });
  const rows = JSON.parse((await toolwire('servers', 'list', '--json')).out) as { id: string; state: string }[];
  expect(rows.map(({ state }) => state)).toEqual(['asking', 'asking']);
  for (const { id } of rows) {
    const [, fingerprint = ''] = /--approve (\w{64})/.exec((await toolwire('servers', 'start', id)).err) ?? [];
    expect((await toolwire('servers', 'start', id, '--approve', fingerprint, '--always')).code).toBe(0);
  }
  const listed = async () => (JSON.parse((await toolwire('endpoint', 'list', '--json')).out) as EndpointInfo[])[0];
  await expect.poll(async () => (await listed())?.toolCount).toBeGreaterThan(10);
  await expect.poll(listed).toMatchObject({ state: 'connected' });
  const caller = await broker.call('a');
  const list = JSON.stringify(await caller.request('l', 'tools/list'));
  expect(list).toContain('"mcp_everything_echo"');
  expect(list).toContain('"mcp_thinking_sequentialthinking"');
  const answer = await caller.request('c', 'tools/call', {
    name: 'mcp_everything_echo',
    arguments: { message: 'hello' },
  });
  expect(JSON.stringify(answer)).toContain('Echo: hello');
  // A second endpoint with the same file takes the servers that are kept.
  expect((await toolwire('endpoint', 'add', broker.toolUrl('b'), '--config', config)).code).toBe(0);
  expect(JSON.parse((await toolwire('servers', 'list', '--json')).out)).toHaveLength(2);
});

test('a configuration without a server is refused, and no endpoint is kept', async () => {
  const dir = dataDirWith();
  const config = join(dir, 'empty.json');
  writeFileSync(config, '{"mcpServers": {}}');
  const added = await runCli(['endpoint', 'add', 'wss://example.com/?token=s', '--config', config, '--data-dir', dir]);
  expect(added).toMatchObject({ code: 1, err: expect.stringContaining('has no MCP server') as string });
  expect((await runCli(['endpoint', 'list', '--data-dir', dir])).out).toBe('');
});

test('wrong input is refused, and the address is not repeated', async () => {
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  expect(await toolwire('endpoint', 'add', 'wss://example.com/?token=secret-1')).toMatchObject({
    code: 2,
    err: expect.stringContaining('needs --all, --sources, --tools or --config') as string,
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

test('an empty selection is refused, because it would mean everything', async () => {
  const scope = { kind: 'chosen' as const, chosen: { all: false, sources: [], tools: [] } };
  const workbench = await openWorkbench({ shell: 'browser' });
  for (const { text } of workbench.services.hosts.connectTexts({ scope }).filter(({ text }) => text.includes('mcp')))
    expect(text.includes('--tools') || text.includes('/mcp')).toBe(true);
  for (const flag of ['--tools', '--sources'])
    expect(await runCli(['mcp', flag, ''])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${flag} is empty.`),
    });
});
