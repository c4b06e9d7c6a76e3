/** What `npm start` opens: the window, or the browser with a reason. A script runs in Electron's place. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { start, type StartOptions } from '../../electron/launch/start.ts';
import type { NoWindow } from '../../electron/launch/serveInstead.ts';
import { electronPackage, electronZip, startMirror } from './electronMirror.ts';
import { testFolder, writeFiles } from './testFiles.ts';
import { testTerminal, type TestTerminal } from './testTerminal.ts';

/** Starts on a Linux desktop; the browser workbench is a promise that the test resolves. */
function begin(terminal: TestTerminal, parts: Partial<StartOptions> = {}) {
  const reasons: NoWindow[] = [];
  const served = Promise.withResolvers<number>();
  const exitCode = start({
    terminal,
    platform: 'linux',
    isRoot: false,
    packageDir: '/nonexistent',
    serve({ reason, remedy }) {
      reasons.push({ reason, ...(remedy && { remedy }) });
      return served.promise;
    },
    ...parts,
  });
  return { exitCode, reasons, served };
}

/** Electron from elsewhere, without path.txt, as distributions install it. */
function standIn(body: string): TestTerminal {
  const dir = testFolder();
  writeFiles(dir, { electron: `#!/bin/sh\n${body}\n` });
  chmodSync(join(dir, 'electron'), 0o755);
  return testTerminal({ env: { ELECTRON_OVERRIDE_DIST_PATH: dir } });
}

function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe.skipIf(process.platform === 'win32')('with a shell script for Electron', () => {
  test('Electron in ELECTRON_OVERRIDE_DIST_PATH runs, and its exit code is ours', async () => {
    const { exitCode, reasons } = begin(standIn('exit 3'));
    expect(await exitCode).toBe(3);
    expect(reasons).toEqual([]);
  });

  test('if Electron dies at its start, the browser opens', async () => {
    const terminal = standIn('echo FATAL: no >&2; kill -TRAP $$');
    const { exitCode, reasons, served } = begin(terminal);
    served.resolve(0);
    expect(await exitCode).toBe(0);
    expect(terminal.notes).toBe('FATAL: no\n');
    expect(reasons).toMatchObject([{ reason: 'Electron ended with SIGTRAP right after its start' }]);
  });

  test('if the sandbox does not start, the browser opens with the command that repairs it', async () => {
    const { exitCode, reasons, served } = begin(standIn("echo 'FATAL: No usable sandbox!' >&2; kill -TRAP $$"));
    served.resolve(0);
    expect(await exitCode).toBe(0);
    expect(reasons).toMatchObject([{ remedy: expect.stringContaining('sudo chmod 4755') }]);
  });

  test('Electron is downloaded with progress, then its window opens', async () => {
    const { packageDir } = electronPackage();
    await startMirror((response) => response.setHeader('Content-Length', electronZip.length).end(electronZip));
    const terminal = testTerminal();
    const { exitCode, reasons } = begin(terminal, { packageDir });
    expect(await exitCode).toBe(3);
    expect(terminal.notes).toMatch(/^Installing Electron.*\nDownloading Electron: .*\(100 %\)\n$/);
    expect(reasons).toEqual([]);
  });

  test('if the download fails, the browser opens with the reason', async () => {
    const { packageDir } = electronPackage();
    await startMirror((response) => response.writeHead(404).end());
    const { exitCode, reasons, served } = begin(testTerminal(), { packageDir });
    served.resolve(0);
    expect(await exitCode).toBe(0);
    expect(reasons).toMatchObject([{ reason: expect.stringContaining('404'), remedy: expect.any(String) }]);
  });

  /** A start whose download has taken 20 seconds: the browser is open. */
  async function beginSlowly() {
    const { packageDir, downloads } = electronPackage();
    let finish = (): void => undefined;
    let fail = (): void => undefined;
    const mirror = await startMirror((response) => {
      finish = () => void response.end(electronZip.subarray(50));
      fail = () => void response.destroy();
      response.setHeader('Content-Length', electronZip.length).write(electronZip.subarray(0, 50));
    });
    holdTimers();
    const terminal = testTerminal({ interactive: true });
    const { exitCode, reasons, served } = begin(terminal, { packageDir });
    await expect.poll(() => terminal.notes).toContain('Downloading');
    expect(reasons).toEqual([]);
    vi.advanceTimersByTime(20_000);
    await expect.poll(() => reasons).toEqual([{ reason: 'Electron is still being installed' }]);
    // What is printed next begins on a line of its own.
    expect(terminal.notes.endsWith('\n')).toBe(true);
    return { downloads, mirror, terminal, exitCode, served, finish: () => finish(), fail: () => fail() };
  }

  test('a download of over 20 s continues while the browser is open, and says when the window can open', async () => {
    const { terminal, exitCode, served, finish } = await beginSlowly();
    finish();
    await expect.poll(() => terminal.notes).toMatch(/\(100 %\)\nElectron is installed\..*npm start/);
    served.resolve(0);
    expect(await exitCode).toBe(0);
  });

  test('if such a download fails, the terminal says so', async () => {
    const { terminal, exitCode, served, fail } = await beginSlowly();
    fail();
    await expect.poll(() => terminal.notes).toMatch(/Electron could not be installed .*\n[^]*ELECTRON_MIRROR/);
    served.resolve(0);
    expect(await exitCode).toBe(0);
  });

  test('Ctrl+C ends the download and the browser workbench', async () => {
    const { terminal, exitCode, served, mirror, downloads } = await beginSlowly();
    const before = terminal.notes;
    terminal.end();
    served.resolve(0);
    expect(await exitCode).toBe(0);
    await expect.poll(() => mirror.brokenOff).toBe(1);
    expect(terminal.notes).toBe(before);
    expect(downloads()).toEqual([]);
  });

  test('if the workbench cannot be served, the download ends with it', async () => {
    const { exitCode, served, mirror, downloads } = await beginSlowly();
    served.reject(new Error('no such folder'));
    await expect(exitCode).rejects.toThrow('no such folder');
    await expect.poll(() => mirror.brokenOff).toBe(1);
    expect(downloads()).toEqual([]);
  });

  test('Ctrl+C in the first seconds of the download ends npm start: nothing is served', async () => {
    const { packageDir, downloads } = electronPackage();
    await startMirror((response) => response.write(electronZip.subarray(0, 50)));
    const terminal = testTerminal();
    const { exitCode, reasons } = begin(terminal, { packageDir });
    await expect.poll(() => downloads()).toHaveLength(1);
    terminal.end();
    expect(await exitCode).toBe(0);
    expect(reasons).toEqual([]);
    expect(downloads()).toEqual([]);
  });
});
