import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import { ensureBuilt, isBuilt } from '../../electron/launch/ensureBuilt.ts';
import { downloadForbidden, findBinary, whyNoWindow } from '../../electron/launch/findElectron.ts';

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

test.each(outputs)('builds if dist/%s is missing', (name) => {
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
  await expect.poll(() => existsSync(started)).toBe(true);
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

/** An electron package whose program is installed. */
function installed(): string {
  const dir = folder();
  write(join(dir, 'path.txt'), 'electron');
  write(join(dir, 'dist', 'electron'));
  return dir;
}

test('an installed Electron is found; without path.txt its folder is incomplete', () => {
  const packageDir = installed();
  expect(findBinary({ env: {}, platform: 'linux', packageDir })).toBe(join(packageDir, 'dist/electron'));
  rmSync(join(packageDir, 'path.txt'));
  expect(findBinary({ env: {}, platform: 'linux', packageDir })).toBeUndefined();
});

test.each([
  ['linux', 'electron'],
  ['win32', 'electron.exe'],
  ['darwin', 'Electron.app/Contents/MacOS/Electron'],
] as const)('on %s, ELECTRON_OVERRIDE_DIST_PATH is a folder with %s', (platform, program) => {
  const dir = folder();
  write(join(dir, program));
  const env = { ELECTRON_OVERRIDE_DIST_PATH: dir };
  expect(findBinary({ env, platform, packageDir: folder() })).toBe(join(dir, program));
});

test('a setting that forbids the download is named', () => {
  expect(downloadForbidden({})).toBeUndefined();
  expect(downloadForbidden({ ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' })?.reason).toMatch(/\/nonexistent/);
  expect(downloadForbidden({ ELECTRON_SKIP_BINARY_DOWNLOAD: '1' })?.remedy).toMatch(/npx install-electron --no/);
});

test('without a display, and as root, there is no window', () => {
  const platform = 'linux';
  expect(whyNoWindow({ platform, env: {}, isRoot: false })?.reason).toMatch(/no display/);
  expect(whyNoWindow({ platform, env: { WAYLAND_DISPLAY: 'w' }, isRoot: true })).toEqual({
    reason: 'Electron does not run as root',
    remedy: expect.stringMatching(/run npm start as another user/) as string,
  });
  expect(whyNoWindow({ platform, env: { DISPLAY: ':0' }, isRoot: false })).toBeUndefined();
  expect(whyNoWindow({ platform: 'darwin', env: {}, isRoot: false })).toBeUndefined();
});

test.each(['--no-open', 'toolwire.json'])('npm start refuses the argument %s and starts nothing', async (argument) => {
  const dataDir = join(folder(), 'data');
  const env = { ...process.env, TOOLWIRE_DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['electron/launch.ts', argument, '--data-dir', 'x'], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, errors] = [text(child.stdout), text(child.stderr)];
  expect(await once(child, 'exit')).toEqual([2, null]);
  expect(await out).toBe('');
  expect(await errors).toBe(
    `npm start takes no options, but got "${argument}". To choose the data directory, set TOOLWIRE_DATA_DIR. ` +
      'For other options, run "npm run serve -- OPTIONS"; "npm run serve -- --help" lists them.\n',
  );
  expect(existsSync(dataDir)).toBe(false);
});

test('without a display, npm start prints one line with the link, serves, and ends with Ctrl+C', async () => {
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
  const link = /^There is no display .*\. Open the workbench in a browser: (http:\S+) {3}\(opens once\)\n$/.exec(
    String(line),
  )![1]!;
  expect((await fetch(link)).status).toBe(200);
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  expect((await out).trimEnd().split('\n')).toHaveLength(1);
  expect((await errors).replace(/^Building .*\n/, '').replace(/^Port \d+ is in use.*\n/gm, '')).toBe('');
}, 120_000);
