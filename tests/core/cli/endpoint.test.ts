/** Endpoints of xiaozhi agents, from the terminal of a running workbench. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import type { EndpointInfo, EndpointTool } from '../../../src-core/contract/types.ts';
import { startEndpointBroker } from '../../fakes/endpointBroker.ts';
import { hostScopeOf } from '../../../src-core/cli/mcpChosenTools.ts';
import { clientOf } from '../../../src-core/cli/connect.ts';
import type { Terminal } from '../../../src-core/cli/terminal.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';
import { openWorkbench } from '../workbench/openWorkbench.ts';

const missing = (names: string): string =>
  `toolwire: --tools: no tools with these names can be served now: ${names}. "toolwire endpoint tools" lists the names.\n`;

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
    '--source',
    'builtin:clock',
  );
  expect(added).toMatchObject({ code: 0, err: '' });
  expect(broker.connections).toBe(0);
  // The tools of a server or a device may come later.
  const tools = ['--tools', 'clock_get_time,nonsense'];
  expect(await toolwire('endpoint', 'change', 'Kitchen', ...tools)).toEqual({
    code: 0,
    out: '',
    err: `${missing('nonsense')}Kitchen is changed.\n`,
  });
  expect(await toolwire('endpoint', 'add', broker.toolUrl('b'), '--name', 'Other', ...tools)).toMatchObject({
    code: 0,
    err: missing('nonsense'),
  });
  expect((await toolwire('endpoint', 'remove', 'Other')).code).toBe(0);
  expect((await toolwire('endpoint', 'change', 'Kitchen', '--source', 'builtin:clock')).err).toBe(
    'Kitchen is changed.\n',
  );

  const serving = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await serving.firstLine();
  const listed = async (): Promise<EndpointInfo | undefined> =>
    (JSON.parse((await toolwire('endpoint', 'list', '--json')).out) as EndpointInfo[])[0];
  await expect.poll(listed).toMatchObject({ id: added.out.trim(), label: 'Kitchen', state: 'connected' });
  const served = JSON.parse((await toolwire('endpoint', 'tools', '--json')).out) as EndpointTool[];
  const [time] = served.filter(({ source }) => source === 'builtin:clock');
  expect(time?.name).toMatch(/^clock_/);
  const caller = await broker.call('a');
  expect(JSON.stringify(await caller.request(1, 'tools/list'))).toContain(`"${time?.name}"`);

  const { out } = await toolwire('endpoint', 'list');
  expect(out).toContain('Kitchen  Ready  ');
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
  expect(await toolwire('endpoint', 'list')).toEqual({ code: 0, out: '', err: 'There are no endpoints yet.\n' });
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
  expect((await toolwire('endpoint', 'list')).out).toContain('  no tools  ');
  for (const { id } of rows) {
    const [, fingerprint = ''] = /--approve (\w{64})/.exec((await toolwire('servers', 'start', id)).err) ?? [];
    expect((await toolwire('servers', 'start', id, '--approve', fingerprint, '--always')).code).toBe(0);
  }
  const listed = async () => (JSON.parse((await toolwire('endpoint', 'list', '--json')).out) as EndpointInfo[])[0];
  await expect.poll(async () => (await listed())?.toolCount).toBeGreaterThan(10);
  await expect.poll(listed).toMatchObject({ state: 'connected' });
  const caller = await broker.call('a');
  const { result } = (await caller.request('l', 'tools/list')) as { result: { tools: { name: string }[] } };
  const names = result.tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['everything_echo', 'thinking_sequentialthinking']));
  const started = JSON.parse((await toolwire('servers', 'list', '--json')).out) as { counts: { tools: number } }[];
  expect(names).toHaveLength(started.reduce((sum, { counts }) => sum + counts.tools, 0));
  const answer = await caller.request('c', 'tools/call', {
    name: 'everything_echo',
    arguments: { message: 'hello' },
  });
  expect(JSON.stringify(answer)).toContain('Echo: hello');
  // Another server of a kept name is not taken for it, and a wrong address keeps nothing.
  const other = join(dir, 'other.json');
  writeFileSync(other, JSON.stringify({ mcpServers: { everything: { ...entry('everything'), args: ['other.js'] } } }));
  const refused = await toolwire('endpoint', 'add', broker.toolUrl('b'), '--config', other);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('with a configuration that differs from the one in') as string,
  });
  writeFileSync(other, JSON.stringify({ mcpServers: { another: entry('everything') } }));
  expect((await toolwire('endpoint', 'add', 'https://wrong.example/', '--config', other)).code).toBe(2);
  expect(JSON.parse((await toolwire('endpoint', 'list', '--json')).out)).toHaveLength(1);
  expect(JSON.parse((await toolwire('servers', 'list', '--json')).out)).toHaveLength(2);
  // A selection that is refused in the end leaves nothing either, and the refusal is what is reported.
  const sources = Array.from({ length: 1_000 }, (_, at) => ['--source', `device:d${at}`]).flat();
  const tooMany = await toolwire('endpoint', 'add', broker.toolUrl('b'), ...sources, '--config', other);
  expect(tooMany).toMatchObject({ code: 1, err: expect.stringMatching(/chosen[^]*1000/) as string });
  expect(tooMany.err).not.toContain('Nothing is started.');
  expect(JSON.parse((await toolwire('endpoint', 'list', '--json')).out)).toHaveLength(1);
  expect(JSON.parse((await toolwire('servers', 'list', '--json')).out)).toHaveLength(2);
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
    err: expect.stringContaining('needs --all, --source, --tools or --config') as string,
  });
  expect(await toolwire('endpoint', 'add', '-', '--all')).toMatchObject({
    code: 2,
    err: expect.stringContaining('The address of the endpoint is empty.') as string,
  });
  const wrong = await toolwire('endpoint', 'add', 'https://example.com/?token=secret-1', '--all');
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('must begin with ws:// or wss://');
  expect(wrong.err).not.toContain('secret-1');
  for (const source of ['nonsense', 'mcp:nonsense'])
    expect(await toolwire('endpoint', 'add', 'wss://example.com/?token=secret-1', '--source', source)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(`"${source}"`) as string,
    });
  expect((await toolwire('endpoint', 'list', '--json')).out.trim()).toBe('[]');
  expect(await toolwire('endpoint', 'connect', 'nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no endpoint "nobody".') as string,
  });
});

test('a source is found by its name, its id or a part of it; what is not there is named', async () => {
  const workbench = await openWorkbench({ shell: 'browser' });
  const { client, close } = clientOf(workbench);
  onTestFinished(close);
  const text = JSON.stringify({ mcpServers: { fs: { command: 'node', args: ['fs.js'] } } });
  const { ids } = await client.servers.import({ text, names: ['fs'] });
  const source = `mcp:${ids[0]}`;
  let notes = '';
  const terminal = { note: (text: string) => void (notes += text) } as Terminal;
  const sourcesOf = async (...sources: string[]) => {
    const scope = await hostScopeOf({ client, terminal }, { all: false, sources, tools: [] });
    return scope !== 'all' && scope.kind === 'chosen' ? scope.chosen.sources : undefined;
  };
  const given = ['fs', 'mcp:fs', source, source.slice(0, 12), 'mcp-fs', 'builtin:clock', 'device:not,here,yet'];
  expect(await sourcesOf(...given)).toEqual([...Array<string>(5).fill(source), 'builtin:clock', 'device:not,here,yet']);
  expect(notes).toContain(`${source} has no tools to serve yet`);
  expect(notes).toMatch(/^toolwire: fs has no tools to serve yet/m);
  expect(notes).toContain('device:not,here,yet has no tools');
  expect(notes).not.toContain('builtin:clock');
  await expect(sourcesOf('server:fs')).rejects.toThrow('there is no MCP server or device "server:fs"');
  notes = '';
  const [known] = await client.hosts.tools({ scope: 'all' });
  const tools = [known?.name ?? '', 'nonsense'];
  await hostScopeOf({ client, terminal }, { all: false, sources: [], tools });
  expect(notes).toBe(missing('nonsense'));
});

test('a selection is written as flags; an empty one is refused, because it would mean everything', async () => {
  const scope = { kind: 'chosen' as const, chosen: { all: false, sources: [], tools: [] } };
  const workbench = await openWorkbench({ shell: 'browser' });
  for (const { text } of workbench.services.hosts.connectTexts({ scope }).filter(({ text }) => text.includes('mcp')))
    expect(text.includes('--tools') || text.includes('/mcp')).toBe(true);
  const sources = ['device:a,b', 'mcp:c'];
  const some = { kind: 'chosen' as const, chosen: { all: false, sources, tools: ['x', 'y'] } };
  const texts = workbench.services.hosts.connectTexts({ scope: some });
  const json = texts.find(({ program, transport }) => program === 'claude-desktop' && transport === 'stdio');
  const { args } = (JSON.parse(json?.text ?? '') as { mcpServers: { toolwire: { args: string[] } } }).mcpServers
    .toolwire;
  const chosen = ['--source', 'device:a,b', '--source', 'mcp:c', '--tools', 'x,y'];
  expect(args.slice(args.indexOf('mcp') + 1).slice(0, 6)).toEqual(chosen);
  // The server is there in all folders.
  const commands = texts.filter(({ program, language }) => program === 'claude-code' && language === 'shell');
  expect(commands.map(({ text }) => text.startsWith('claude mcp add --scope user '))).toEqual([true, true]);
  for (const flag of ['--tools', '--source'])
    expect(await runCli(['mcp', flag, ''])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${flag} is empty.`),
    });
});
