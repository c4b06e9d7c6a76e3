/** From "quit" to the end of the process: the question, the workbench, and a system that shuts down. */
import { expect, test } from 'vitest';

import type { UpdaterPart } from '../../electron/updates.ts';
import type { LiveWork } from '../../src-core/contract/types.ts';
import { FakeElectron } from './fakeElectron.ts';
import type { FakeEnvironment } from './fakeEnvironments.ts';
import { FakeWorkbench, start } from './startedShell.ts';

const nothing: LiveWork = { devices: 0, series: 0, calls: 0 };

/** A shell whose workbench closes at once, with something that quitting would interrupt. */
async function startLive(
  live: Partial<LiveWork>,
  change: { locale?: 'en' | 'zh'; environment?: FakeEnvironment; answers?: number[] } = {},
): ReturnType<typeof start> {
  const { locale = 'en', environment = 'linux', answers = [] } = change;
  const workbench = new FakeWorkbench();
  workbench.gate.resolve(undefined);
  workbench.locale = locale;
  workbench.liveWork = { ...nothing, ...live };
  const electron = new FakeElectron({ environment });
  electron.answers.push(...answers);
  return start({ workbench, electron });
}

/** Answers are promises: what follows from them comes a few turns later. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.each<[Partial<LiveWork>, string, string]>([
  [{ devices: 1 }, '1 device is connected. Quit anyway?', '已连接 1 台设备。仍要退出吗？'],
  [
    { devices: 2, series: 1 },
    '2 devices are connected and 1 series is running. Quit anyway?',
    '已连接 2 台设备，1 组重复调用正在进行。仍要退出吗？',
  ],
  [
    { devices: 1, series: 2, calls: 1 },
    '1 device is connected, 2 series are running, and 1 call is running. Quit anyway?',
    '已连接 1 台设备，2 组重复调用正在进行，1 次调用正在进行。仍要退出吗？',
  ],
  [{ calls: 3 }, '3 calls are running. Quit anyway?', '3 次调用正在进行。仍要退出吗？'],
])('%o is asked about', async (live, english, chinese) => {
  for (const [locale, message, buttons] of [
    ['en', english, ['Quit', 'Cancel']],
    ['zh', chinese, ['退出', '取消']],
  ] as const) {
    const { electron, workbench } = await startLive(live, { locale });
    electron.app.quit();
    expect(electron.messageBoxes).toMatchObject([{ message, buttons, defaultId: 1, cancelId: 1 }]);
    await settled();
    expect(workbench.closes).toBe(0);
    expect(electron.app.exitCode).toBeUndefined();
  }
});

test('Quit: a yes closes the workbench and ends the app, a no leaves both, and the next Quit asks again', async () => {
  const { electron, workbench, window } = await startLive({ calls: 1 }, { answers: [1, 0] });
  window.endLoad();
  electron.app.quit();
  await settled();
  expect([workbench.closes, window.open]).toEqual([0, true]);
  electron.app.quit();
  expect(await electron.app.exited()).toBe(0);
  expect([workbench.closes, window.open, electron.messageBoxes.length]).toEqual([1, false, 2]);
  expect(electron.parents).toEqual([window, window]);
});

test('the last window stays open until the user has said yes', async () => {
  const { electron, window } = await startLive({ devices: 1 }, { answers: [1, 0] });
  window.close();
  await settled();
  expect([window.open, electron.messageBoxes.length]).toEqual([true, 1]);
  window.close();
  expect(await electron.app.exited()).toBe(0);
  expect([window.open, electron.messageBoxes.length]).toEqual([false, 2]);
});

test('a window is asked about once, however often it is closed meanwhile', async () => {
  const { electron, window } = await startLive({ devices: 1 });
  const answer = Promise.withResolvers<{ response: number }>();
  electron.dialog.showMessageBox = (options) => {
    electron.messageBoxes.push(options);
    return answer.promise;
  };
  window.close();
  window.close();
  electron.app.quit();
  expect([window.open, electron.messageBoxes.length]).toEqual([true, 1]);
  answer.resolve({ response: 0 });
  expect(await electron.app.exited()).toBe(0);
});

test('one of several windows closes without a question', async () => {
  const { electron, window } = await startLive({ devices: 1 });
  electron.ipcMain.emit(
    'toolwire:window',
    { sender: window.webContents, senderFrame: window.webContents.mainFrame },
    'newWindow',
  );
  window.close();
  expect([window.open, electron.messageBoxes.length]).toEqual([false, 0]);
  electron.windows[1]!.close();
  expect([electron.windows[1]!.open, electron.messageBoxes.length]).toEqual([true, 1]);
});

test('a no after all windows have gone at the same moment opens one again', async () => {
  const { electron, window } = await startLive({ devices: 1 });
  window.removeAllListeners('close');
  window.close();
  expect(electron.messageBoxes).toHaveLength(1);
  expect(electron.parents).toEqual([undefined]);
  await settled();
  expect(electron.windows.map(({ open }) => open)).toEqual([false, true]);
});

test('on macOS the last window closes without a question, and Quit asks', async () => {
  const { electron, window } = await startLive({ devices: 1 }, { environment: 'darwin', answers: [0] });
  window.close();
  expect([window.open, electron.messageBoxes.length]).toEqual([false, 0]);
  electron.app.quit();
  expect(electron.messageBoxes).toHaveLength(1);
  expect(await electron.app.exited()).toBe(0);
});

test('nothing that runs: no question', async () => {
  const { electron, window } = await startLive({});
  window.close();
  expect(await electron.app.exited()).toBe(0);
  expect(electron.messageBoxes).toEqual([]);
});

test.each<[FakeEnvironment, boolean]>([
  ['darwin', true],
  ['linux', true],
  // Windows does not wait.
  ['win32', false],
])(
  '%s: at a shutdown of the system the app asks nothing and exits once the workbench has closed',
  async (environment, delayed) => {
    const electron = new FakeElectron({ environment });
    const workbench = new FakeWorkbench();
    workbench.liveWork = { devices: 1, series: 1, calls: 0 };
    await start({ workbench, electron });
    expect(electron.shutDownSystem()).toBe(delayed);
    // macOS and the window manager may ask as well.
    electron.app.quit();
    await settled();
    expect([workbench.closes, electron.app.exitCode]).toEqual([1, undefined]);
    workbench.gate.resolve(undefined);
    expect(await electron.app.exited()).toBe(0);
    expect(electron.messageBoxes).toEqual([]);
  },
);

test('a shutdown of the system waits 5 s at most', async () => {
  const { electron, clock } = await start({ environment: 'darwin' });
  expect(electron.shutDownSystem()).toBe(true);
  clock.advance(5_000);
  expect(await electron.app.exited()).toBe(0);
});

test('a shutdown of Windows that another app cancels closes nothing', async () => {
  const { electron, workbench } = await startLive({ devices: 1 }, { environment: 'cancelledShutdown' });
  expect(electron.shutDownSystem()).toBe(false);
  await settled();
  expect([workbench.closes, electron.app.exitCode]).toEqual([0, undefined]);
  // The app still asks before it quits.
  electron.app.quit();
  expect(electron.messageBoxes).toHaveLength(1);
});

test('a signal closes the workbench and ends the app without a question', async () => {
  const { electron, workbench, signal } = await startLive({ devices: 1 });
  signal();
  expect(await electron.app.exited()).toBe(0);
  expect([workbench.closes, electron.messageBoxes.length]).toEqual([1, 0]);
});

test('a workbench that does not close keeps the app for 5 s, and that is reported', async () => {
  const { electron, workbench, clock, errors } = await start();
  electron.app.quit();
  clock.advance(4_999);
  await settled();
  expect([workbench.closes, electron.app.exitCode]).toEqual([1, undefined]);
  clock.advance(1);
  expect(await electron.app.exited()).toBe(0);
  expect(errors).toEqual([new Error('The workbench did not close within 5 s. Toolwire quits without waiting for it.')]);
});

test('a workbench that fails to close does not keep the app', async () => {
  const { electron, workbench, errors } = await start();
  electron.app.quit();
  workbench.gate.reject(new Error('stuck'));
  expect(await electron.app.exited()).toBe(0);
  expect(errors).toEqual([new Error('stuck')]);
});

test('while a series runs the computer stays awake', async () => {
  const { electron, workbench } = await start();
  const blocked = (): string[] => {
    workbench.callsChanged();
    return [...electron.blockers.values()];
  };
  workbench.liveWork = { ...nothing, calls: 1 };
  expect(blocked()).toEqual([]);
  workbench.liveWork = { ...nothing, series: 1, calls: 2 };
  expect(blocked()).toEqual(['prevent-app-suspension']);
  workbench.liveWork = { ...nothing, series: 2 };
  expect(blocked()).toEqual(['prevent-app-suspension']);
  workbench.liveWork = nothing;
  expect(blocked()).toEqual([]);
});

test('after the computer has slept, the devices’ connections are checked', async () => {
  const { electron, workbench } = await start();
  electron.powerMonitor.emit('resume');
  expect(workbench.checks).toBe(1);
});

test('an app that restarts for an update asks nothing more: the user has agreed to the restart', async () => {
  const workbench = new FakeWorkbench();
  workbench.gate.resolve(undefined);
  workbench.liveWork = { ...nothing, devices: 1 };
  workbench.ui['electron.checkForUpdates'] = true;
  const electron = new FakeElectron();
  electron.answers.push(0, 0);
  const loadUpdater = (): Promise<UpdaterPart> =>
    Promise.resolve({
      autoDownload: false,
      checkForUpdates: () => Promise.resolve({ isUpdateAvailable: true, updateInfo: { version: '2.0.0' } }),
      downloadUpdate: () => Promise.resolve([]),
      // As electron-updater does: the windows first, then the app.
      quitAndInstall: () => {
        electron.windows.forEach((window) => window.close());
        electron.app.quit();
      },
      on: () => undefined,
    });
  await start({ electron, workbench, loadUpdater });
  expect(await electron.app.exited()).toBe(0);
  expect(electron.messageBoxes.map(({ message }) => message)).toEqual([
    'Toolwire 2.0.0 is available',
    'Toolwire 2.0.0 is ready',
  ]);
});
