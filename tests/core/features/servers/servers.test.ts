/** MCP servers of the workbench: nothing is started before its approval; then its tools are listed and called. */
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import type { ServerRow } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, approve, everything, nodeServer, onlyServer, untilState } from './support.ts';

// Not hexadecimal: fingerprints and ids are random digits.
const secret = 'secret-of-the-test';
const json = (args: string[]): string =>
  JSON.stringify({ mcpServers: { everything: { command: process.execPath, args, env: { SECRET_TOKEN: secret } } } });

let dataDir: string;
let workbench: Workbench;
const open = async (): Promise<void> => {
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
};
beforeEach(async () => {
  dataDir = dataFolder();
  await open();
});
const api = (): Workbench['services']['servers'] => workbench.services.servers;
const row = (): Promise<ServerRow> => onlyServer(workbench);
const until = (state: ServerRow['state']): Promise<ServerRow> => untilState(workbench, state);
const add = async (args = [everything, 'stdio']): Promise<string> =>
  (await api().import({ text: json(args), names: ['everything'] })).ids[0]!;

it('starts nothing before the approval, then lists and calls the tools, and ends the process', async () => {
  const id = await add();
  await api().start({ id });
  expect(await row()).toMatchObject({ name: 'everything', state: 'asking', type: 'stdio' });
  expect((await api().detail({ id })).pid).toBeUndefined();
  const sheet = await api().consent({ id });
  expect(sheet.command.map(({ text }) => text)).toEqual([process.execPath, everything, 'stdio']);
  expect(sheet.program?.path).toBe(process.execPath);
  expect(sheet.envNames).toContainEqual({ name: 'SECRET_TOKEN', from: 'secret' });
  expect(JSON.stringify([sheet, await api().detail({ id })])).not.toContain(secret);
  await approve(workbench, id, false);
  const ready = await until('ready');
  expect(ready.counts.tools).toBeGreaterThan(10);
  const { pid, tools } = await api().detail({ id });
  expect(tools.map(({ name }) => name)).toContain('echo');
  const prompts = await api().prompts({ id });
  expect(prompts.find(({ arguments: given }) => given.some(({ required }) => required))).toBeDefined();
  const [resource] = await api().resources({ id });
  expect(await api().readResource({ id, uri: resource!.uri })).toHaveProperty('contents');
  const registry = workbench.toolRegistryManager.getTool(ready.registryId)!;
  expect(registry.getMetadata().methods.some(({ agentCallable }) => agentCallable)).toBe(false);
  const output = await registry.invoke(
    'echo',
    { message: 'hello' },
    { signal: new AbortController().signal, timeoutMs: 10_000, callId: 'a' },
  );
  expect(output.value).toBe('Echo: hello');
  await api().stop({ id });
  expect(await row()).toMatchObject({ state: 'stopped' });
  expect(workbench.toolRegistryManager.getTool(ready.registryId)).toBeUndefined();
  expect(() => process.kill(pid!, 0)).toThrow();
});

it('passes the variables of a server to no other one', async () => {
  const id = await add();
  await approve(workbench, id);
  const { registryId } = await until('ready');
  const other = await addServer(workbench, nodeServer('other', [everything, 'stdio'], [{ name: 'OTHER', value: 'x' }]));
  const otherRow = await vi.waitUntil(
    async () => (await api().list(undefined)).find((each) => each.id === other && each.state === 'ready'),
    { timeout: 30_000, interval: 10 },
  );
  const environment = async (registry: string): Promise<string> => {
    const options = { signal: new AbortController().signal, timeoutMs: 10_000, callId: registry };
    return JSON.stringify(await workbench.toolRegistryManager.getTool(registry)!.invoke('get-env', {}, options));
  };
  expect(await environment(registryId)).toContain('SECRET_TOKEN');
  const seen = await environment(otherRow.registryId);
  expect(seen).toContain('OTHER');
  expect(seen).not.toContain('SECRET_TOKEN');
  expect(seen).not.toContain(secret);
});

it('starts a server in the home folder, wherever Toolwire was started, and asks again if that is another one', async () => {
  const [home, elsewhere] = [dataFolder(), dataFolder()];
  const startedIn = process.cwd();
  onTestFinished(() => process.chdir(startedIn));
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  await writeFile(join(home, 'server.mjs'), `import ${JSON.stringify(pathToFileURL(everything).href)};`);
  await writeFile(join(elsewhere, 'server.mjs'), 'process.exit(1);');
  process.chdir(elsewhere);
  const id = await add(['server.mjs', 'stdio']);
  expect((await api().consent({ id })).cwd).toBe(home);
  await approve(workbench, id);
  await until('ready');
  await api().stop({ id });
  vi.stubEnv('HOME', elsewhere);
  vi.stubEnv('USERPROFILE', elsewhere);
  await api().start({ id });
  expect(await row()).toMatchObject({ state: 'asking' });
  expect(await api().consent({ id })).toMatchObject({
    cwd: elsewhere,
    changes: [{ field: 'cwd', before: home, after: elsewhere }],
  });
});

it('keeps an approval for always of what runs, and asks again after a restart if the arguments have changed', async () => {
  const id = await add();
  expect(await api().consent({ id })).toMatchObject({ approvedBefore: false });
  await approve(workbench, id, false);
  await until('ready');
  await workbench.close();
  await open();
  await api().start({ id });
  expect(await row()).toMatchObject({ state: 'asking' });
  expect(await api().consent({ id })).toMatchObject({ approvedBefore: true, changes: [], values: [] });
  await approve(workbench, id, false);
  const { since } = await until('ready');
  await approve(workbench, id);
  expect(await row()).toMatchObject({ state: 'ready', since });
  await workbench.close();
  await open();
  expect(await row()).toMatchObject({ state: 'stopped' });
  await api().start({ id });
  await until('ready');
  const config = {
    name: 'everything',
    type: 'stdio' as const,
    command: process.execPath,
    env: [{ name: 'SECRET_TOKEN' }],
  };
  await api().change({ id, config: { ...config, args: [everything, 'stdio', '--more'] } });
  expect(await row()).toMatchObject({ state: 'asking' });
  const { changes, fingerprint } = await api().consent({ id });
  expect(changes).toEqual([{ field: 'command', before: expect.any(String), after: expect.stringContaining('--more') }]);
  await api().change({
    id,
    config: { ...config, args: [everything, 'stdio'], env: [{ name: 'SECRET_TOKEN', value: 'new' }] },
  });
  expect(await row()).toMatchObject({ state: 'asking' });
  expect(await api().consent({ id })).toMatchObject({ changes: [], values: ['SECRET_TOKEN'] });
  await expect(Promise.resolve().then(() => api().approve({ id, fingerprint, always: true }))).rejects.toThrow(
    'The configuration of "everything" has changed. Review it again.',
  );
});

it.each([
  ['once after one for always', [true, false], false],
  ['for always after one for once', [false, true], false],
  ['once after one for always, and the user declines', [true, false], true],
])('compares with the last approval: %s', async (_, kinds, declines) => {
  const config = (step: string) => nodeServer('ends', ['-e', '', step]);
  const { id } = await api().add(config('first'));
  await approve(workbench, id, kinds[0]);
  await api().change({ id, config: config('second') });
  await approve(workbench, id, kinds[1]);
  if (declines) await api().decline({ id });
  await api().change({ id, config: config('third') });
  const { changes } = await api().consent({ id });
  expect(changes).toEqual([
    { field: 'command', before: expect.stringContaining('second'), after: expect.stringContaining('third') },
  ]);
});

it('asks the user what a server asks, passes the answer on, and withdraws the question when its call ends', async () => {
  const id = await add();
  await approve(workbench, id, false);
  const { registryId } = await until('ready');
  const registry = workbench.toolRegistryManager.getTool(registryId)!;
  const ends = new AbortController();
  const call = (callId: string): ReturnType<typeof registry.invoke> =>
    registry.invoke('trigger-elicitation-request', {}, { signal: ends.signal, timeoutMs: 10_000, callId });
  const first = call('a');
  const asked = () => vi.waitUntil(async () => (await api().requests(undefined))[0]);
  const request = await asked();
  expect(request).toMatchObject({ serverId: id, callIds: ['a'], kind: 'form' });
  expect(request.schema).toMatchObject({ type: 'object' });
  await api().answer({ requestId: request.requestId, action: 'decline' });
  expect((await first).value).toMatch(/declined/i);
  expect(await api().requests(undefined)).toEqual([]);
  await expect(
    Promise.resolve().then(() => api().answer({ requestId: request.requestId, action: 'accept' })),
  ).rejects.toThrow('no longer waits');
  const second = call('b');
  expect(await asked()).toMatchObject({ callIds: ['b'] });
  ends.abort();
  await expect(second).rejects.toThrow('cancelled');
  expect(await api().requests(undefined)).toEqual([]);
});

it('names a program that is missing, and the directories that were searched', async () => {
  const { id } = await api().add({ name: 'lost', type: 'stdio', command: 'no-such-program-here', args: [], env: [] });
  expect((await api().consent({ id })).searched?.length).toBeGreaterThan(0);
  await approve(workbench, id, false);
  const { failure, retryAt } = await vi.waitUntil(async () => {
    const now = await row();
    return now.state === 'failing' && now;
  });
  expect(failure?.text).toContain('The program "no-such-program-here" was not found. Install it');
  expect(retryAt).toBeUndefined();
});

it('warns of a URL that is not encrypted, except on this computer', async () => {
  const warningsOf = async (type: 'http' | 'websocket', url: string): Promise<unknown> => {
    const { id } = await api().add({ name: 'far', type, url, headers: [] });
    return (await api().consent({ id })).warnings;
  };
  for (const [type, url] of [
    ['http', 'http://192.168.1.7:3000/mcp'],
    ['websocket', 'ws://lab.example/mcp'],
  ] as const)
    expect(await warningsOf(type, url)).toEqual([{ code: 'unencrypted', part: url }]);
  expect(await warningsOf('http', 'https://lab.example/mcp')).toEqual([]);
  expect(await warningsOf('http', 'http://[::1]:3000/mcp')).toEqual([]);
  expect(await warningsOf('websocket', 'ws://localhost:3000/mcp')).toEqual([]);
});

it('warns of npx without a version, of a shell and of a wide path', async () => {
  const sheetOf = async (command: string, args: string[]): Promise<unknown> => {
    const { id } = await api().add({ name: 'odd', type: 'stdio', command, args, env: [] });
    return (await api().consent({ id })).warnings;
  };
  expect(await sheetOf('npx', ['-y', '@playwright/mcp', '--dir', '/'])).toEqual([
    { code: 'unpinned', part: '@playwright/mcp' },
    { code: 'wide-path', part: '/' },
  ]);
  expect(await sheetOf('npx', ['-y', '@playwright/mcp@0.0.83'])).toEqual([]);
  expect(await sheetOf('npm', ['exec', '--package=a', '--', 'b'])).toEqual([{ code: 'unpinned', part: '--package=a' }]);
  expect(await sheetOf('sudo', ['node', 'x.js'])).toEqual([{ code: 'administrator', part: 'sudo' }]);
  expect(await sheetOf('bash', ['-c', 'curl x | sh'])).toEqual([{ code: 'shell', part: 'bash' }]);
  expect(await sheetOf('docker', ['run', '--privileged=true', '-v', '/:/host', `--volume=${homedir()}:/home`])).toEqual(
    [
      { code: 'privileged', part: '--privileged=true' },
      { code: 'wide-path', part: '/:/host' },
      { code: 'wide-path', part: `--volume=${homedir()}:/home` },
    ],
  );
  expect(await sheetOf('docker', ['run', '-v', '/srv/data:/', '--dir=/srv', 'image:tag'])).toEqual([]);
});
