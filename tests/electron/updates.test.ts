import { expect, test, vi } from 'vitest';

import { shellTexts } from '../../electron/texts.ts';
import { Updates, type UpdaterPart } from '../../electron/updates.ts';
import { FakeElectron } from './fakeElectron.ts';

/** electron-updater without a network: what its documentation says of the four members we use. */
class FakeUpdater implements UpdaterPart {
  autoDownload = true;
  readonly steps: string[] = [];
  newest: string | null = '2.0.0';
  failsAt: 'check' | 'download' | undefined;

  checkForUpdates = (): ReturnType<UpdaterPart['checkForUpdates']> => {
    this.steps.push(`check, downloads by itself: ${this.autoDownload}`);
    if (this.failsAt === 'check') return Promise.reject(new Error('net::ERR_INTERNET_DISCONNECTED\n  at headers…'));
    return Promise.resolve(
      this.newest === null
        ? null
        : { isUpdateAvailable: this.newest !== '1.2.3', updateInfo: { version: this.newest } },
    );
  };
  downloadUpdate = (): Promise<unknown> => {
    this.steps.push('download');
    return this.failsAt === 'download' ? Promise.reject(new Error('sha512 checksum mismatch')) : Promise.resolve([]);
  };
  quitAndInstall = (): void => void this.steps.push('install');
  fail: (error: Error) => void = () => undefined;
  on = (_event: 'error', listener: (error: Error) => void): void => void (this.fail = listener);
}

function setup(change: { updater?: FakeUpdater | null; locale?: 'en' | 'zh' } = {}): {
  updates: Updates;
  updater: FakeUpdater;
  electron: FakeElectron;
  errors: unknown[];
  boxes: () => string[];
} {
  const updater = change.updater ?? new FakeUpdater();
  const electron = new FakeElectron();
  const errors: unknown[] = [];
  const updates = new Updates({
    loadUpdater: change.updater === null ? undefined : () => Promise.resolve(updater),
    showMessage: electron.dialog.showMessageBox,
    texts: () => shellTexts(change.locale ?? 'en', ''),
    version: '1.2.3',
    beforeInstall: () => {
      updater.steps.push('workbench closed');
      return Promise.resolve();
    },
    restart: () => void updater.steps.push('start anew'),
    onError: (error) => errors.push(error),
  });
  return { updates, updater, electron, errors, boxes: () => electron.messageBoxes.map(({ message }) => message) };
}

test('nothing is downloaded or installed without a yes to each; the workbench closes first', async () => {
  const { updates, updater, electron, boxes } = setup();
  electron.answers.push(0, 0);
  await updates.check();
  expect(updater.steps).toEqual(['check, downloads by itself: false', 'download', 'workbench closed', 'install']);
  expect(boxes()).toEqual(['Toolwire 2.0.0 is available', 'Toolwire 2.0.0 is ready']);
});

test('where the installer does not start, the app does: its engine has ended by then', async () => {
  const { updates, updater, electron, errors, boxes } = setup();
  electron.answers.push(0, 0, 0);
  await updates.check();
  updater.fail(new Error('spawn EACCES'));
  updater.fail(new Error('spawn EACCES'));
  await vi.waitFor(() => expect(updater.steps.at(-1)).toBe('start anew'));
  expect(boxes()).toEqual(['Toolwire 2.0.0 is available', 'Toolwire 2.0.0 is ready', 'The update did not work']);
  expect(electron.messageBoxes.at(-1)!.detail).toMatch(/^spawn EACCES\n\nToolwire starts again/);
  expect([errors.length, updater.steps.filter((step) => step === 'start anew').length]).toEqual([1, 1]);
});

test.each([
  ['a no to the download', [1], 1],
  ['a no to the restart', [0, 1], 2],
])('%s ends it there', async (_what, answers, steps) => {
  const { updates, updater, electron } = setup();
  electron.answers.push(...answers);
  await updates.check();
  expect(updater.steps).toHaveLength(steps);
});

test.each(['1.2.3', null])(
  'reports that %s is the newest to the user, and nothing for a check on start',
  async (newest) => {
    const { updates, updater, boxes } = setup();
    updater.newest = newest;
    await updates.check({ quiet: true });
    expect(boxes()).toEqual([]);
    await updates.check();
    expect(boxes()).toEqual(['Toolwire 1.2.3 is the newest version']);
  },
);

test.each(['check', 'download'] as const)('reports a %s that fails, and changes nothing', async (failsAt) => {
  const { updates, updater, electron, errors } = setup({ locale: 'zh' });
  updater.failsAt = failsAt;
  electron.answers.push(...(failsAt === 'download' ? [0] : []));
  await updates.check();
  const box = electron.messageBoxes.at(-1)!;
  expect(box.message).toBe('更新失败');
  expect(box.detail).toMatch(
    failsAt === 'check' ? /^net::ERR_INTERNET_DISCONNECTED\n\n未进行/ : /^sha512 checksum mismatch\n\n/,
  );
  expect(errors).toHaveLength(1);
  expect(updater.steps).not.toContain('install');
});

test('a failure on start is reported, without a box', async () => {
  const { updates, updater, errors, boxes } = setup();
  updater.failsAt = 'check';
  await updates.check({ quiet: true });
  expect(boxes()).toEqual([]);
  expect(errors).toHaveLength(1);
});

test('a copy that was not released says that it does not update itself', async () => {
  const { updates, updater, boxes } = setup({ updater: null });
  await updates.check({ quiet: true });
  await updates.check();
  expect(boxes()).toEqual(['This copy does not update itself']);
  expect(updater.steps).toEqual([]);
});

test('one check at a time', async () => {
  const { updates, updater } = setup();
  await Promise.all([updates.check(), updates.check()]);
  expect(updater.steps).toHaveLength(1);
});
