import { exec } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

import { connectToRunning } from '../../../src-core/rpc/runningWorkbench.ts';
import type { ServedAddresses } from '../../../src-core/cli/addresses.ts';
import { dataDirWith, runCli, sampleModule, startCli, type CliProcess } from './cliProcess.ts';

interface Served extends CliProcess {
  dir: string;
  addresses: ServedAddresses;
}

async function startServing(modules: Record<string, string> = {}): Promise<Served> {
  const dir = dataDirWith(modules);
  const started = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  const addresses = JSON.parse(await started.firstLine()) as ServedAddresses;
  return { ...started, dir, addresses };
}

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

test('--json prints one line once everything listens; the link lets one browser in; SIGTERM ends it with 0', async () => {
  const { child, ended, dir, addresses } = await startServing();
  expect(addresses).toMatchObject({
    pid: child.pid,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    dataDir: dir,
    modulesDir: join(dir, 'modules'),
    device: { listening: true, otaUrl: expect.stringMatching(/^http:/), webSocketUrl: expect.stringMatching(/^ws:/) },
    mcp: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
  });
  const entered = await fetch(addresses.link, { redirect: 'manual' });
  expect(entered.status).toBe(200);
  expect(entered.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await fetch(addresses.link, { redirect: 'manual' })).status).toBe(401);
  expect(statSync(join(dir, 'workbench.json')).mode & 0o777).toBe(0o600);

  child.kill('SIGTERM');
  const { code, out, err } = await ended;
  expect({ code, err, lines: out.trimEnd().split('\n').length }).toEqual({ code: 0, err: '', lines: 1 });
  expect(existsSync(join(dir, 'workbench.json'))).toBe(false);
  await expect(fetch(addresses.url)).rejects.toThrow();
});

test('tools and call talk to the workbench that runs', async () => {
  const counter = `let n = 0; export default { methods: { next: { description: 'Counts.', handler: () => ++n } } };`;
  const { dir } = await startServing({ 'counter.js': counter });
  expect((await runCli(['call', 'counter_next', '--data-dir', dir])).out).toBe('1\n');
  expect((await runCli(['call', 'counter_next', '--data-dir', dir])).out).toBe('2\n');
  expect((await runCli(['tools', '--data-dir', dir])).out).toContain('counter_next');
});

test('Ctrl+C cancels a call in the workbench that runs, which goes on', async () => {
  const { dir } = await startServing({ 'sample.js': sampleModule });
  const call = startCli(['call', 'sample_spin', '--data-dir', dir]);
  const other = startCli(['tools', '--data-dir', dir]);
  await other.ended;
  call.child.kill('SIGINT');
  expect((await call.ended).code).not.toBe(0);
  expect((await runCli(['call', 'sample_add', '--args', '{"a":1,"b":1}', '--data-dir', dir])).out).toBe('2\n');
});

test('serve on a used data directory prints a new link to the same workbench', async () => {
  const { dir, addresses } = await startServing();
  const { code, out, err } = await runCli(['serve', '--json', '--data-dir', dir]);
  expect(code).toBe(0);
  expect(err).toMatch(/already runs on this data directory/);
  const again = JSON.parse(out) as ServedAddresses;
  expect({ url: again.url, pid: again.pid }).toEqual({ url: addresses.url, pid: addresses.pid });
  expect((await fetch(again.link)).status).toBe(200);
});

test('serve --sign-out on the same data directory signs browsers out, and prints a link that works', async () => {
  const { dir, addresses } = await startServing();
  const { link } = addresses;
  const signedIn = await fetch(link);
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
  const status = async () => (await fetch(new URL('/', link), { headers: { cookie } })).status;
  expect(await status()).toBe(200);
  const { code, out, err } = await runCli(['serve', '--json', '--sign-out', '--no-open', '--data-dir', dir]);
  expect([code, err]).toEqual([0, expect.stringContaining('already runs on this data directory')]);
  expect(await status()).toBe(401);
  expect((await fetch((JSON.parse(out) as { link: string }).link)).status).toBe(200);
});

test('serve again accepts the ports that the workbench listens on, and refuses others', async () => {
  const { dir, addresses } = await startServing();
  const port = new URL(addresses.url).port;
  const devicePort = String(addresses.device.port);
  const again = (...ports: string[]) => runCli(['serve', '--json', ...ports, '--data-dir', dir]);
  expect((await again('--port', port, '--device-port', devicePort)).code).toBe(0);
  expect((await again('--port', '0', '--device-port', '0')).code).toBe(0);
  const other = String(await takenPort());
  expect(await again('--port', other)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(
      `A workbench already runs on this data directory. Its window is at port ${port}. End it and run this command again, or omit --port.`,
    ),
  });
  expect(await again('--device-port', other)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(
      `A workbench already runs on this data directory. It listens for devices on port ${devicePort}. End it and run this command again, or omit --device-port.`,
    ),
  });
});

test('what a killed workbench left behind does not mislead', async () => {
  const { child, ended, dir } = await startServing({ 'sample.js': sampleModule });
  child.kill('SIGKILL');
  await ended;
  expect(existsSync(join(dir, 'workbench.json'))).toBe(true);
  expect((await runCli(['call', 'sample_add', '--args', '{"a":1,"b":1}', '--data-dir', dir])).out).toBe('2\n');
});

test('prints every address without --json', async () => {
  const started = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dataDirWith()]);
  await started.firstLine();
  started.child.kill('SIGINT');
  const { code, out } = await started.ended;
  expect(code).toBe(0);
  expect(out).toMatch(/Window {3}http:\/\/127\.0\.0\.1:\d+\/\?token=/);
  expect(out).toMatch(/Devices {2}http:.*\/xiaozhi\/ota\//);
});

test.each(['--port', '--device-port'])('%s that is taken and was named is an error', async (flag) => {
  const port = await takenPort();
  const others = flag === '--port' ? ['--device-port', '0'] : ['--port', '0'];
  const { code, out, err } = await runCli(['serve', flag, String(port), ...others, '--data-dir', dataDirWith()]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is used by`));
});

test('a virtual device from the terminal appears, answers a call, and goes with Ctrl+C', async () => {
  const { dir } = await startServing();
  const device = startCli(['device', '--name', 'Desk', '--data-dir', dir]);
  expect(await device.firstLine()).toMatch(/is connected to http:.*Ctrl\+C disconnects it/);
  const names = async (): Promise<string[]> => {
    const { out } = await runCli(['tools', '--json', '--data-dir', dir]);
    return (JSON.parse(out) as { methods: { qualifiedName: string }[] }[]).flatMap(({ methods }) =>
      methods.map(({ qualifiedName }) => qualifiedName),
    );
  };
  await expect.poll(names).toContainEqual(expect.stringMatching(/set_volume$/));
  const volume = (await names()).find((name) => name.endsWith('set_volume'))!;
  expect(await runCli(['call', volume, '--args', '{"volume":50}', '--data-dir', dir])).toMatchObject({
    code: 0,
    out: 'true\n',
  });
  device.child.kill('SIGINT');
  expect(await device.ended).toMatchObject({ code: 0, err: '' });
  await expect.poll(names).not.toContain(volume);
});

test('a device whose workbench ends says so and ends with 1', async () => {
  const { child, addresses } = await startServing();
  const device = startCli(['device', '--url', addresses.device.webSocketUrl]);
  await device.firstLine();
  child.kill('SIGTERM');
  expect(await device.ended).toMatchObject({ code: 1, err: expect.stringMatching(/The device was disconnected/) });
});

test('a call whose workbench ends says that it may have run, and ends with 4', async () => {
  const dir = dataDirWith({
    'wait.js': `import { writeFileSync } from 'node:fs';
      export default { methods: { run: { description: 'Waits.', handler() {
        writeFileSync(new URL('../started', import.meta.url), ''); return new Promise(() => {}); } } } };`,
  });
  const served = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await served.firstLine();
  const call = runCli(['call', 'wait_run', '--data-dir', dir]);
  await expect.poll(() => existsSync(join(dir, 'started'))).toBe(true);
  served.child.kill('SIGKILL');
  expect(await call).toEqual({
    code: 4,
    out: '',
    err: 'toolwire: The connection to the workbench ended before its answer came. The call may have run.\n',
  });
});

test('toolwire device reports that no workbench runs', async () => {
  const port = await takenPort();
  const { code, err } = await runCli([
    'device',
    '--url',
    `http://127.0.0.1:${port}/xiaozhi/ota/`,
    '--data-dir',
    dataDirWith(),
  ]);
  expect(code).toBe(1);
  expect(err).toMatch(/^toolwire: /);
});

test('a workbench that is not started as toolwire names a command that runs in any terminal', async () => {
  const { dir } = await startServing();
  const { client, close } = (await connectToRunning(dir))!;
  onTestFinished(close);
  const { command = '' } = await client.workbench.info();
  const { stdout } = await promisify(exec)(`${command} --version`);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});
