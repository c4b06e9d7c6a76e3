import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import { ensureBuilt, isBuilt } from '../../electron/launch/ensureBuilt.ts';
import { findElectron } from '../../electron/launch/findElectron.ts';
import { runElectron } from '../../electron/launch/runElectron.ts';

const outputs = ['cli.js', 'electron/main.js', 'preload/preload.cjs', 'renderer/index.html'];

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-launch-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function write(path: string, content = '', seconds = 1000): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, seconds, seconds);
}

/** A project whose sources are all older than its build. */
function project(): string {
  const root = folder();
  for (const name of ['vite.config.ts', 'package.json', 'src-core/a/b.ts', 'electron/main.ts', 'renderer/App.vue'])
    write(join(root, name));
  for (const dir of ['src-core/a', 'src-core', 'electron', 'renderer']) utimesSync(join(root, dir), 1000, 1000);
  for (const name of outputs) write(join(root, 'dist', name), '', 2000);
  return root;
}

test('a build newer than every source is used', () => {
  expect(isBuilt(project())).toBe(true);
});

test.each(outputs)('without dist/%s it is built', (name) => {
  const root = project();
  rmSync(join(root, 'dist', name));
  expect(isBuilt(root)).toBe(false);
});

test.each(['src-core/a/b.ts', 'renderer/App.vue', 'package.json'])('after a change of %s it is built', (name) => {
  const root = project();
  utimesSync(join(root, name), 3000, 3000);
  expect(isBuilt(root)).toBe(false);
});

test('after a source was removed it is built', () => {
  const root = project();
  rmSync(join(root, 'src-core/a/b.ts'));
  expect(isBuilt(root)).toBe(false);
});

test('Ctrl+C during the build ends it, with nothing more to say', async () => {
  const root = project();
  const started = join(root, 'started');
  rmSync(join(root, 'dist/cli.js'));
  const script = `require('fs').writeFileSync(${JSON.stringify(started)}, ''); setInterval(() => process.stdout.write('.'), 50)`;
  write(join(root, 'build.cjs'), script);
  write(join(root, 'package.json'), JSON.stringify({ scripts: { 'build:app': 'exec node build.cjs' } }));
  const ended = new AbortController();
  const notes: string[] = [];
  const terminal = { ended: ended.signal, note: (text: string) => void notes.push(text) };
  const building = ensureBuilt({ terminal, root });
  await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true);
  ended.abort();
  expect(await building).toBe(false);
  expect(notes).toEqual([expect.stringMatching(/^Building/)]);
});

test('a build that fails says why', async () => {
  const root = project();
  rmSync(join(root, 'dist/cli.js'));
  write(join(root, 'package.json'), JSON.stringify({ scripts: { 'build:app': 'echo no such luck; exit 1' } }));
  const notes: string[] = [];
  const terminal = { ended: new AbortController().signal, note: (text: string) => void notes.push(text) };
  expect(await ensureBuilt({ terminal, root })).toBe(false);
  expect(notes.at(-1)).toMatch(/no such luck[^]*build failed/);
});

function find(packageDir: string, env: Record<string, string> = {}, ended = new AbortController().signal) {
  return findElectron({ env: { DISPLAY: ':0', ...env }, platform: 'linux', ended, packageDir, isRoot: false });
}

/** An electron package whose binary is there. */
function installed(): string {
  const dir = folder();
  write(join(dir, 'path.txt'), 'electron');
  write(join(dir, 'dist', 'electron'));
  return dir;
}

test('a binary that is there is taken, without a download', async () => {
  const dir = installed();
  write(join(dir, 'install.js'), `require('fs').writeFileSync(__dirname + '/asked', '')`);
  expect(await find(dir)).toEqual({ binary: join(dir, 'dist', 'electron') });
  expect(existsSync(join(dir, 'asked'))).toBe(false);
});

test('a binary that is missing is downloaded by Electron’s own script', async () => {
  const dir = folder();
  write(
    join(dir, 'install.js'),
    `const fs = require('fs'); fs.mkdirSync(__dirname + '/dist');
     fs.writeFileSync(__dirname + '/dist/electron', ''); fs.writeFileSync(__dirname + '/path.txt', 'electron');`,
  );
  expect(await find(dir)).toEqual({ binary: join(dir, 'dist', 'electron') });
});

test.each([
  ['fails', 'process.exit(1)'],
  ['says it worked and gave nothing', ''],
])('a download that %s is the reason for the browser', async (_how, script) => {
  const dir = folder();
  write(join(dir, 'install.js'), script);
  expect(await find(dir)).toEqual({ reason: "Electron's binary is not here and could not be downloaded" });
});

test('a download that hangs ends with Ctrl+C', async () => {
  const dir = folder();
  const started = join(dir, 'started');
  write(
    join(dir, 'install.js'),
    `require('fs').writeFileSync(${JSON.stringify(started)}, ''); setInterval(() => {}, 1000)`,
  );
  const ended = new AbortController();
  const found = find(dir, {}, ended.signal);
  await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true);
  ended.abort();
  expect(await found).toMatchObject({ reason: expect.any(String) });
});

test.each(['ELECTRON_OVERRIDE_DIST_PATH', 'ELECTRON_SKIP_BINARY_DOWNLOAD'])(
  'with %s nothing is downloaded',
  async (name) => {
    const dir = folder();
    write(join(dir, 'install.js'), `require('fs').writeFileSync(__dirname + '/asked', '')`);
    expect(await find(dir, { [name]: '/nonexistent' })).toMatchObject({ reason: expect.any(String) });
    expect(existsSync(join(dir, 'asked'))).toBe(false);
  },
);

test('without a screen, and as root, there is no window, whatever is installed', async () => {
  const common = { platform: 'linux', ended: new AbortController().signal, packageDir: installed() } as const;
  expect(await findElectron({ ...common, env: {}, isRoot: false })).toEqual({
    reason: "There is no screen here for Electron's window",
  });
  expect(await findElectron({ ...common, env: { WAYLAND_DISPLAY: 'w' }, isRoot: true })).toEqual({
    reason: 'Electron does not run as root',
  });
  expect(await findElectron({ ...common, platform: 'darwin', env: {}, isRoot: false })).toHaveProperty('binary');
});

test('the app’s exit code is ours; a signal to us ends the app', async () => {
  const dir = folder();
  const script = (name: string, body: string): string => {
    write(join(dir, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(dir, name), 0o755);
    return join(dir, name);
  };
  expect(await runElectron({ binary: script('three', 'exit 3'), ended: new AbortController().signal })).toBe(3);
  const ended = new AbortController();
  const started = join(dir, 'started');
  const running = runElectron({ binary: script('wait', `touch ${started}; exec sleep 60`), ended: ended.signal });
  await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true);
  ended.abort();
  expect(await running).toBe(0);
});

test('without a screen, npm start prints one line with the link, serves, and ends with Ctrl+C', async () => {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    CI: '1',
    TOOLWIRE_DATA_DIR: folder(),
    ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent',
  };
  delete env['DISPLAY'];
  delete env['WAYLAND_DISPLAY'];
  const child = spawn(process.execPath, ['electron/launch.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, errors] = [text(child.stdout), text(child.stderr)];
  const exit = once(child, 'exit');
  const [line] = (await Promise.race([once(child.stdout, 'data'), after(100_000, undefined, { ref: false })])) as [
    Buffer,
  ];
  const link = /^There is no screen .*: serving the workbench in your browser instead: (http:\S+)\n$/.exec(
    String(line),
  )![1]!;
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  expect((await out).trimEnd().split('\n')).toHaveLength(1);
  expect((await errors).replace(/^Building .*\n/, '').replace(/^Port \d+ is in use.*\n/gm, '')).toBe('');
}, 120_000);
