/** A page whose process has crashed comes back. */
import { expect, test, vi } from 'vitest';

import { FakeElectron } from './fakeElectron.ts';
import { FakeWorkbench, start } from './startedShell.ts';

// "killed" is also the OOM killer and the Task Manager.
test.each(['crashed', 'oom', 'killed', 'abnormal-exit', 'launch-failed'])(
  'after "%s" the page is reloaded',
  async (reason) => {
    const { window, clock, errors } = await start();
    window.webContents.crash(reason);
    clock.advance(0);
    expect(window.webContents.calls).toEqual(['reload']);
    expect(errors).toEqual([new Error(`The page's process ended: ${reason}, exit code 5.`)]);
  },
);

test('does not reload after "clean-exit"', async () => {
  const { window, clock, errors, electron } = await start();
  window.webContents.crash('clean-exit');
  clock.advance(0);
  expect(window.webContents.calls).toEqual([]);
  expect(electron.messageBoxes).toEqual([]);
  expect(errors).toEqual([]);
});

test('a second crash within a minute asks the user; Reload reloads', async () => {
  const { electron, window, clock } = await start();
  window.endLoad();
  window.webContents.crash();
  clock.advance(59_000);
  electron.answers.push(0);
  window.webContents.crash('oom');
  const [box] = electron.messageBoxes;
  expect(box).toMatchObject({ message: 'The window has crashed again', buttons: ['Reload', 'Quit'], cancelId: 0 });
  expect(box!.detail).toContain('TOOLWIRE_DISABLE_GPU=1');
  expect(electron.parents).toEqual([window]);
  await vi.waitFor(() => {
    clock.advance(0);
    expect(window.webContents.calls).toEqual(['reload', 'reload']);
  });
});

test('Quit quits', async () => {
  const workbench = new FakeWorkbench();
  workbench.gate.resolve(undefined);
  workbench.locale = 'zh';
  const { electron, window, clock } = await start({ workbench });
  window.webContents.crash();
  clock.advance(1_000);
  electron.answers.push(1);
  window.webContents.crash();
  expect(await electron.app.exited()).toBe(0);
  expect(electron.messageBoxes).toMatchObject([{ message: '窗口再次崩溃', buttons: ['重新加载', '退出'] }]);
});

test('a minute later it is reloaded without a question again', async () => {
  const { electron, window, clock } = await start();
  window.webContents.crash();
  clock.advance(60_000);
  window.webContents.crash();
  clock.advance(0);
  expect(window.webContents.calls).toEqual(['reload', 'reload']);
  expect(electron.messageBoxes).toEqual([]);
});

test('a window that has been closed, and one of an app that is quitting, are left alone', async () => {
  const darwin = new FakeElectron({ environment: 'darwin' });
  const closed = await start({ electron: darwin });
  closed.window.webContents.crash();
  closed.window.close();
  closed.clock.advance(0);
  expect(closed.window.webContents.calls).toEqual([]);

  const quitting = await start();
  quitting.electron.app.quit();
  quitting.window.webContents.crash();
  quitting.clock.advance(0);
  expect(quitting.window.webContents.calls).toEqual([]);
});
