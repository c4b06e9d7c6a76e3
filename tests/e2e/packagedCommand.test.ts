/** The command `toolwire` of a package: the scripts that electron-builder packs, run for real. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import { writeAppImageCommand } from '../../electron/appImageCommand.ts';
import { connectToRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { testFolder } from '../electron/testFiles.ts';
import { packedApp } from './packedApp.ts';

/** The tools that a host which starts this program gets, and how a terminal runs `toolwire` according to its workbench. */
async function serve(command: string, args: string[] = [], env: Record<string, string> = {}) {
  const dataDir = testFolder();
  const client = new Client({ name: 'host', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args, 'mcp', '--data-dir', dataDir],
      env: { ...getDefaultEnvironment(), ...env },
    }),
  );
  const { tools } = await client.listTools();
  const running = await connectToRunning(dataDir);
  onTestFinished(() => running!.close());
  const { parser, workbench } = running!.client;
  // A large text is read in a process of its own, which is Electron as Node, too.
  const text = 'The lamp is on. '.repeat(2_000);
  expect(await parser.parse({ text })).toMatchObject({ length: text.length, calls: [] });
  return { names: tools.map(({ name }) => name), command: (await workbench.info()).command };
}

describe.skipIf(process.platform === 'win32')('in a package with Node in place of Electron', () => {
  test('the script serves a host, also through a link, and its work has processes of its own', async () => {
    const { app, program, archive } = await packedApp();
    const script = join(app, 'resources/bin/toolwire');
    const link = join(testFolder(), 'toolwire');
    symlinkSync(script, link);
    const { names, command } = await serve(link);
    expect(names).toContain('clock_get_time');
    expect(command).toBe(script);
    // As hosts on Windows start it.
    const direct = await serve(program, [join(archive, 'dist/cli.js')], { ELECTRON_RUN_AS_NODE: '1' });
    expect(direct.names).toEqual(names);
  });

  test('the browser that it starts does not run as Node', async () => {
    const { app } = await packedApp();
    const dir = testFolder();
    writeFileSync(join(dir, 'xdg-open'), `#!/bin/sh\nenv > "${dir}/part" && mv "${dir}/part" "${dir}/env"\n`, {
      mode: 0o755,
    });
    const PATH = [dir, process.env['PATH']].join(delimiter);
    const child = spawn(
      join(app, 'resources/bin/toolwire'),
      ['serve', '--port', '0', '--device-port', '0', '--data-dir', testFolder()],
      { stdio: 'ignore', env: { ...process.env, CI: '', DISPLAY: ':0', PATH } },
    );
    const ended = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => existsSync(join(dir, 'env'))).toBe(true);
    expect(readFileSync(join(dir, 'env'), 'utf8')).toContain('DISPLAY=:0');
    expect(readFileSync(join(dir, 'env'), 'utf8')).not.toContain('ELECTRON_RUN_AS_NODE');
    child.kill();
    expect(await ended).toEqual([0, null]);
  });

  test('it uses the proxy of the environment, as the app does', async () => {
    const { app } = await packedApp();
    const asked = Promise.withResolvers<string | undefined>();
    const proxy = createServer(({ url }, response) => {
      asked.resolve(url);
      response.end();
    });
    proxy.listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const child = spawn(join(app, 'resources/bin/toolwire'), ['device', '--url', 'http://ota.invalid/'], {
      stdio: 'ignore',
      env: { ...process.env, HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await asked.promise).toBe('http://ota.invalid/');
  });

  test('an AppImage is started by its own file, also if it would turn the sandbox off', async () => {
    const { generateAppRunScript } = createRequire(createRequire(import.meta.url).resolve('electron-builder'))(
      'app-builder-lib/out/targets/appimage/appImageUtil.js',
    ) as { generateAppRunScript(config: object): string };
    const dir = testFolder();
    const appImage = join(dir, 'Tool wire-1.0.0.AppImage');
    const dataDir = join(dir, 'data');
    // The runtime of an AppImage mounts it, and starts AppRun.
    const { app: mount } = await packedApp(join(testFolder(), 'mount'));
    writeFileSync(join(mount, 'AppRun'), generateAppRunScript({ ExecutableName: 'toolwire', ProductName: 'Toolwire' }));
    writeFileSync(appImage, `#!/bin/sh\nexport APPIMAGE="${appImage}" APPDIR="${mount}"\nexec "$APPDIR/AppRun" "$@"\n`);
    // As on Ubuntu: no user namespaces.
    writeFileSync(join(dir, 'unshare'), '#!/bin/sh\nexit 1\n');
    for (const file of [appImage, join(mount, 'AppRun'), join(dir, 'unshare')]) chmodSync(file, 0o755);
    const script = join(dataDir, 'bin/toolwire');
    writeAppImageCommand(script, appImage);

    const PATH = [dir, process.env['PATH']].join(delimiter);
    const { names, command } = await serve(script, [], { PATH, TOOLWIRE_DATA_DIR: dataDir });
    expect(names).toContain('clock_get_time');
    expect(command).toBe(script);
    const plain = spawnSync(appImage, ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, PATH, ELECTRON_RUN_AS_NODE: '1' },
    });
    expect(plain.stderr).toContain('bad option: --no-sandbox');
  });
});
