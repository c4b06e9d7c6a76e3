/** The download of Electron from a mirror on the loopback interface, unpacked by Electron's own install.js. */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

import { findBinary } from '../../electron/launch/findElectron.ts';
import type { Received } from '../../electron/launch/downloadProgress.ts';
import { electronArch, installElectron } from '../../electron/launch/installElectron.ts';
import { electronPackage, electronZip, startMirror } from './electronMirror.ts';
import { writeFiles } from './testFiles.ts';

function install(packageDir: string, signal = new AbortController().signal) {
  const received: Received[] = [];
  const onProgress = (progress: Received): void => void received.push({ ...progress });
  return { received, installing: installElectron({ platform: 'linux', packageDir, signal, onProgress }) };
}

/** From here on, only `vi.advanceTimersByTime` makes a timer of this process fire. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const installedIn = (packageDir: string): string | undefined => findBinary({ env: {}, platform: 'linux', packageDir });

test('Electron is downloaded, checked, unpacked, and found', async () => {
  const { packageDir, downloads } = electronPackage();
  const mirror = await startMirror((response) => {
    response.setHeader('Content-Length', electronZip.length).end(electronZip);
  });
  const { installing, received } = install(packageDir);
  expect(await installing).toBe('installed');
  const binary = join(packageDir, 'dist/electron');
  expect(installedIn(packageDir)).toBe(binary);
  expect(received.at(-1)).toMatchObject({ transferred: electronZip.length, total: electronZip.length });
  // Only the cached file.
  expect(downloads()).toHaveLength(1);

  // The cached file serves the next working copy.
  rmSync(join(packageDir, 'dist'), { recursive: true });
  rmSync(join(packageDir, 'path.txt'));
  expect(await install(packageDir).installing).toBe('installed');
  expect(installedIn(packageDir)).toBe(binary);
  expect(mirror.requests).toBe(1);
});

test('a slow download has no total limit', async () => {
  const { packageDir } = electronPackage();
  const pieces = [electronZip.subarray(0, 50), electronZip.subarray(50, 100), electronZip.subarray(100)];
  let next = (): void => undefined;
  await startMirror((response) => {
    next = () => void response.write(pieces.shift());
    response.setHeader('Content-Length', electronZip.length).flushHeaders();
    next();
  });
  holdTimers();
  const { installing, received } = install(packageDir);
  await expect.poll(() => received.at(-1)?.transferred).toBe(50);
  vi.advanceTimersByTime(59_000);
  next();
  await expect.poll(() => received.at(-1)?.transferred).toBe(100);
  vi.advanceTimersByTime(59_000);
  next();
  expect(await installing).toBe('installed');
  expect(installedIn(packageDir)).toBeDefined();
});

test.each([
  ['in the middle of the file', 50],
  ['before its first byte', 0],
])('a download that stalls for 60 s %s ends with a reason and a remedy', async (_where, bytes) => {
  const { packageDir, downloads } = electronPackage();
  const mirror = await startMirror((response) => {
    if (bytes > 0) response.setHeader('Content-Length', electronZip.length).write(electronZip.subarray(0, bytes));
  });
  holdTimers();
  const { installing, received } = install(packageDir);
  await expect.poll(() => (bytes > 0 ? received.at(-1)?.transferred : mirror.requests)).toBe(bytes || 1);
  vi.advanceTimersByTime(60_000);
  expect(await installing).toEqual({
    reason: 'Electron could not be installed (nothing arrived for 60 s)',
    remedy: expect.stringMatching(/npx install-electron --no[^]*ELECTRON_MIRROR/),
  });
  await expect.poll(() => mirror.brokenOff).toBe(1);
  expect(downloads()).toEqual([]);
  expect(installedIn(packageDir)).toBeUndefined();
});

test('Ctrl+C ends the download, with nothing left of it', async () => {
  const { packageDir, downloads } = electronPackage();
  const mirror = await startMirror((response) => {
    response.setHeader('Content-Length', electronZip.length).write(electronZip.subarray(0, 50));
  });
  const ended = new AbortController();
  const { installing, received } = install(packageDir, ended.signal);
  await expect.poll(() => received.at(-1)?.transferred).toBe(50);
  expect(downloads()).toHaveLength(1);
  ended.abort();
  expect(await installing).toHaveProperty('reason');
  await expect.poll(() => mirror.brokenOff).toBe(1);
  expect(downloads()).toEqual([]);
});

test('Ctrl+C ends the process that unpacks', async () => {
  const { packageDir } = electronPackage();
  await startMirror((response) => response.end(electronZip));
  const pidFile = join(packageDir, 'pid');
  const script = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
  writeFiles(packageDir, { 'install.js': script });
  const ended = new AbortController();
  const { installing } = install(packageDir, ended.signal);
  await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toBeTruthy();
  ended.abort();
  expect(await installing).toHaveProperty('reason');
  expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH');
});

test('a file with another checksum is refused and not kept', async () => {
  const { packageDir, downloads } = electronPackage();
  const changed = Buffer.from(electronZip);
  changed[40]! ^= 1;
  await startMirror((response) => response.end(changed));
  expect(await install(packageDir).installing).toMatchObject({
    reason: expect.stringMatching(/did not match expected checksum/),
  });
  expect(downloads()).toEqual([]);
  expect(installedIn(packageDir)).toBeUndefined();
});

test('a file that ends early is refused and not kept', async () => {
  const { packageDir, downloads } = electronPackage();
  await startMirror((response) => {
    response.setHeader('Content-Length', electronZip.length);
    response.write(electronZip.subarray(0, 50), () => response.destroy());
  });
  expect(await install(packageDir).installing).toMatchObject({ reason: expect.stringMatching(/closed|reset/i) });
  expect(downloads()).toEqual([]);
});

test('a mirror without the file, or that redirects to a signed address, is named without the signature', async () => {
  const { packageDir } = electronPackage();
  const mirror = await startMirror((response) => {
    if (mirror.requests === 1) response.writeHead(302, { Location: '/file?signature=secret' }).end();
    else response.writeHead(404).end();
  });
  const failure = (await install(packageDir).installing) as { reason: string };
  expect(failure.reason).toBe(
    `Electron could not be installed (Response code 404 (Not Found) for http://127.0.0.1:${mirror.port}/file)`,
  );
});

test('a mirror that does not listen is a reason at once', async () => {
  const { packageDir } = electronPackage();
  const closed = createServer();
  await once(closed.listen(0, '127.0.0.1'), 'listening');
  const { port } = closed.address() as AddressInfo;
  await once(closed.close(), 'close');
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${port}/`);
  expect(await install(packageDir).installing).toMatchObject({
    reason: `Electron could not be installed (connect ECONNREFUSED 127.0.0.1:${port})`,
  });
});

test('if install.js fails, its error is the reason', async () => {
  const { packageDir } = electronPackage();
  await startMirror((response) => response.end(electronZip));
  writeFiles(packageDir, { 'install.js': `console.error(new Error('disk is full').stack); process.exit(1)` });
  expect(await install(packageDir).installing).toMatchObject({
    reason: 'Electron could not be installed (Error: disk is full)',
  });
});

test.each<[string, NodeJS.Platform, Record<string, string>, boolean, string]>([
  ['x64 Node under Rosetta', 'darwin', {}, true, 'arm64'],
  ['x64 Node on an Intel Mac', 'darwin', {}, false, 'x64'],
  ['an explicit npm_config_arch', 'darwin', { npm_config_arch: 'x64' }, true, 'x64'],
  ['ELECTRON_INSTALL_ARCH', 'linux', { ELECTRON_INSTALL_ARCH: 'arm64' }, false, 'arm64'],
  ['another system', 'win32', {}, true, 'x64'],
])('the processor is the one that install.js chooses: %s', (_what, platform, env, translated, arch) => {
  expect(electronArch({ env, platform, nodeArch: 'x64', isTranslated: () => translated })).toBe(arch);
});
