/** What is set before the app is ready. */
import { load } from 'js-yaml';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

import { FakeElectron } from './fakeElectron.ts';
import { FakeWorkbench, start } from './startedShell.ts';
import { testFolder } from './testFiles.ts';

test('puts Chromium’s profile into its own folder of the data directory, before taking the lock', async () => {
  const { electron, dataDir } = await start();
  expect(electron.app.paths['userData']).toBe(join(dataDir, 'chromium'));
  expect(existsSync(join(dataDir, 'chromium'))).toBe(true);
  expect(electron.app.calls[0]).toBe('setPath userData');
});

test('a data directory that is relative to the current folder is made absolute, as Electron demands', async () => {
  const folder = testFolder();
  const { electron } = await start({ dataDir: relative('.', folder) });
  expect(electron.app.paths['userData']).toBe(join(folder, 'chromium'));
});

test('two data directories run side by side; a second start on one of them ends', async () => {
  const locks = new Set<string>();
  const [one, two] = [testFolder(), testFolder()];
  const windowsOn = async (dataDir: string): Promise<number> =>
    (await start({ electron: new FakeElectron({ locks }), dataDir })).electron.windows.length;
  expect(await windowsOn(one)).toBe(1);
  expect(await windowsOn(two)).toBe(1);
  expect(await windowsOn(one)).toBe(0);
});

/** Starts on a data directory whose profile cannot be used, and quits. Returns the temporary profile. */
async function startAndQuit(change: Parameters<typeof start>[0], message: string): Promise<string> {
  const workbench = new FakeWorkbench();
  workbench.gate.resolve(undefined);
  const { electron, dataDir, errors } = await start({ ...change, workbench });
  expect(electron.windows).toHaveLength(1);
  expect(errors).toEqual([
    new Error(
      `${join(dataDir, 'chromium')} cannot be used. Chromium uses a temporary folder until Toolwire quits.`,
      expect.anything(),
    ),
  ]);
  expect((errors[0] as Error).cause).toHaveProperty('message', expect.stringContaining(message));
  const profile = electron.app.paths['userData']!;
  expect(profile.startsWith(join(tmpdir(), 'toolwire-chromium-'))).toBe(true);
  expect(existsSync(profile)).toBe(true);
  electron.app.quit();
  expect(await electron.app.exited()).toBe(0);
  expect(existsSync(profile)).toBe(false);
  return profile;
}

test('if the profile cannot be created, the app starts with a temporary one', async () => {
  const dataDir = testFolder();
  writeFileSync(join(dataDir, 'chromium'), '');
  await startAndQuit({ dataDir }, 'EEXIST');
});

// A folder in which not even root can create files.
test.skipIf(process.platform !== 'linux')('so it does on a read-only profile', async () => {
  const dataDir = testFolder();
  symlinkSync('/proc/self', join(dataDir, 'chromium'));
  await startAndQuit({ dataDir }, 'symlink');
});

test('a lock that fails is not mistaken for a second instance: each start has a temporary profile', async () => {
  const dataDir = testFolder();
  const first = await startAndQuit({ dataDir, environment: 'failedLock' }, 'The instance lock cannot be created.');
  // What Chromium has left of its own attempt.
  symlinkSync(`host-${process.pid}`, join(dataDir, 'chromium', 'SingletonLock'));
  const second = await startAndQuit({ dataDir, environment: 'failedLock' }, 'The instance lock cannot be created.');
  expect(second).not.toBe(first);
});

test('if no folder can be written, a box says so and the app ends with 1', async () => {
  const dataDir = testFolder();
  writeFileSync(join(dataDir, 'chromium'), '');
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, join(dataDir, 'none'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { electron, errors } = await start({ dataDir });
  expect(electron.errorBoxes).toEqual([expect.stringContaining(join(dataDir, 'none'))]);
  expect(errors).toHaveLength(2);
  expect([electron.app.exitCode, electron.windows]).toEqual([1, []]);
});

test('without --no-sandbox every process is sandboxed', async () => {
  const { electron } = await start();
  expect(electron.app.calls).toContain('enableSandbox');
  expect([...electron.app.commandLine.switches]).toEqual([]);
});

test('with --no-sandbox, as an AppImage without user namespaces, the switch stays and the GPU goes without, too', async () => {
  const { electron, window } = await start({ environment: 'noSandbox' });
  expect(electron.app.calls).not.toContain('enableSandbox');
  expect([...electron.app.commandLine.switches]).toEqual(['no-sandbox', 'disable-gpu-sandbox']);
  expect(window.options.webPreferences).toMatchObject({ sandbox: true, contextIsolation: true });
});

test('a package on Windows has the identity of its shortcut, which electron-builder.yml names', async () => {
  const { appId } = load(readFileSync('electron-builder.yml', 'utf8')) as { appId: string };
  const electron = new FakeElectron({ environment: 'win32' });
  electron.app.isPackaged = true;
  await start({ electron, argv: ['toolwire.exe'] });
  const { calls } = electron.app;
  expect(calls).toContain(`setAppUserModelId ${appId}`);
  expect(calls.indexOf(`setAppUserModelId ${appId}`)).toBeLessThan(calls.indexOf('whenReady'));

  const unpackaged = await start({ environment: 'win32' });
  expect(unpackaged.electron.app.calls).toContain(`setAppUserModelId ${process.execPath}`);
  const linux = await start();
  expect(linux.electron.app.calls.join()).not.toContain('setAppUserModelId');
});

test('TOOLWIRE_DISABLE_GPU=1 turns hardware acceleration off before the app is ready', async () => {
  const { electron } = await start({ env: { TOOLWIRE_DISABLE_GPU: '1' } });
  const { calls } = electron.app;
  expect(calls.indexOf('disableHardwareAcceleration')).toBeGreaterThan(0);
  expect(calls.indexOf('disableHardwareAcceleration')).toBeLessThan(calls.indexOf('whenReady'));
  const usual = await start();
  expect(usual.electron.app.calls).not.toContain('disableHardwareAcceleration');
});

test('a process of Chromium that crashes is reported; one that ends, or is ended as idle, is not', async () => {
  const { electron, errors } = await start();
  electron.app.emit('child-process-gone', {}, { type: 'Utility', reason: 'clean-exit', exitCode: 0 });
  const work = { type: 'Utility', name: 'Toolwire work' };
  electron.app.emit('child-process-gone', {}, { ...work, reason: 'killed', exitCode: 15 });
  electron.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 139 });
  expect(errors).toEqual([new Error('The process "GPU" ended: crashed, exit code 139.')]);
  electron.app.emit('child-process-gone', {}, { ...work, reason: 'oom', exitCode: 6 });
  expect(errors[1]).toEqual(new Error('The process "Utility" ended: oom, exit code 6.'));
});
