import type { MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';

import { FakeFrame, type FakeElectron } from './fakeElectron.ts';
import type { FakeEnvironment } from './fakeEnvironments.ts';
import { FakeWorkbench, start } from './startedShell.ts';

/** Presses an item of the menu. */
function press(electron: FakeElectron, label: string): void {
  const items = (electron.menu as MenuItemConstructorOptions[]).flatMap(
    ({ submenu }) => (submenu as MenuItemConstructorOptions[] | undefined) ?? [],
  );
  const item = items.find((each) => each.label === label);
  if (item?.click === undefined) throw new Error(`The menu has no "${label}".`);
  (item.click as () => void)();
}

test('several windows on one workbench: each has its port, the last used one is focused, all close with it', async () => {
  const { electron, workbench, window } = await start();
  press(electron, 'New Window');
  const second = electron.windows[1]!;
  const { x, y } = window.bounds;
  expect(second.options).toMatchObject({ x: x + 28, y: y + 28, width: 1280, height: 800 });
  for (const { webContents } of [window, second]) {
    electron.ask({ sender: webContents, senderFrame: webContents.mainFrame }, { nonce: 'n'.repeat(32) });
  }
  expect(workbench.ports.map(({ open }) => open)).toEqual([true, true]);

  electron.app.emit('second-instance', {}, ['/electron', '/project'], '/');
  expect([window.focused, second.focused]).toEqual([0, 1]);
  window.emit('focus');
  electron.app.emit('second-instance', {}, ['/electron', '/project'], '/');
  expect([window.focused, second.focused]).toEqual([1, 1]);

  window.close();
  expect(workbench.ports.map(({ open }) => open)).toEqual([false, true]);
  electron.app.emit('second-instance', {}, ['/electron', '/project'], '/');
  expect(second.focused).toBe(2);
  electron.app.quit();
  press(electron, 'New Window');
  expect(electron.windows).toHaveLength(2);
  workbench.gate.resolve(undefined);
  expect(await electron.app.exited()).toBe(0);
});

test('menus and what the system draws follow the language and the theme of the settings', async () => {
  const { electron, workbench } = await start();
  const labels = (): unknown[] =>
    (electron.menu as MenuItemConstructorOptions[]).map(({ label, role }) => label ?? role);
  expect(labels()).toEqual(['File', 'editMenu', 'viewMenu', 'windowMenu', 'Help']);
  workbench.locale = 'zh';
  workbench.theme = 'dark';
  workbench.changed();
  expect(labels()).toEqual(['文件', 'editMenu', 'viewMenu', 'windowMenu', '帮助']);
  expect(electron.nativeTheme.themeSource).toBe('dark');
  press(electron, '显示快速引导');
  press(electron, '键盘快捷键');
  expect(workbench.shown).toEqual([
    { kind: 'help', topic: 'tour' },
    { kind: 'help', topic: 'shortcuts' },
  ]);
  electron.app.quit();
  workbench.theme = 'light';
  workbench.changed();
  expect(electron.nativeTheme.themeSource).toBe('dark');
});

test('opens dropped files by their paths; ignores other pages and messages', async () => {
  const { electron, workbench, window } = await start();
  const { webContents } = window;
  const drop = (message: unknown, senderFrame = webContents.mainFrame): void =>
    void electron.ipcMain.emit('toolwire:dropped', { sender: webContents, senderFrame }, message);
  drop(['/a.jsonl'], new FakeFrame('https://evil.example/'));
  drop('/b.jsonl');
  drop([7, 'relative.jsonl', `/${'x'.repeat(5_000)}`, '/c.jsonl']);
  await vi.waitFor(() => expect(workbench.shown).toEqual([{ kind: 'capture', captureId: '/c.jsonl' }]));
});

test.each<[string, FakeEnvironment]>([
  ['a page that has painted', 'linux'],
  ['Wayland, which paints no hidden window', 'wayland'],
  ['a page that cannot be loaded', 'failedLoad'],
  ['a page whose process crashes', 'crashOnLoad'],
])('the window is shown, once: %s', async (_what, environment) => {
  const { window, clock } = await start({ environment });
  let shows = 0;
  const show = window.show.bind(window);
  window.show = () => {
    shows += 1;
    show();
  };
  expect(window.shown).toBe(false);
  window.endLoad();
  expect(window.shown).toBe(true);
  clock.advance(10_000);
  expect(shows).toBe(1);
});

test('outside Linux a loaded page is not shown before its first paint', async () => {
  const { window, clock } = await start({ environment: 'win32Hidden' });
  window.endLoad();
  expect(window.shown).toBe(false);
  clock.advance(2_999);
  expect(window.shown).toBe(false);
  clock.advance(1);
  expect(window.shown).toBe(true);
});

test('a second start shows a window that nothing else has shown', async () => {
  const { electron, window } = await start({ environment: 'win32Hidden' });
  let shows = 0;
  const show = window.show.bind(window);
  window.show = () => {
    shows += 1;
    show();
  };
  electron.app.emit('second-instance', {}, ['/electron', '/project'], '/');
  expect(window).toMatchObject({ shown: true, focused: 1 });
  expect(shows).toBe(1);
});

test('a window that has been closed is not shown', async () => {
  const { window, clock } = await start({ environment: 'darwin' });
  window.close();
  clock.advance(10_000);
  window.emit('ready-to-show');
  expect(window.shown).toBe(false);
});

test('a maximised window is maximised when it is shown, whatever shows it', async () => {
  const workbench = new FakeWorkbench();
  workbench.ui['electron.bounds'] = { x: 1, y: 2, width: 1000, height: 700, maximized: true };
  const { window, clock } = await start({ workbench, environment: 'win32Hidden' });
  clock.advance(3_000);
  expect(window).toMatchObject({ shown: true, maximized: true });
});

test('on Linux a window has its icon from a file; the other systems take it from the package', async () => {
  expect((await start()).window.options.icon).toBe('/nowhere/icon.png');
  for (const environment of ['darwin', 'win32'] as const)
    expect((await start({ environment })).window.options).not.toHaveProperty('icon');
});

test('message boxes are modal to the window used last, if it can be seen', async () => {
  const { electron, workbench, window } = await start();
  const openBroken = async (count: number): Promise<unknown> => {
    electron.app.emit('second-instance', {}, ['/electron', '/project', 'broken.txt'], '/');
    await vi.waitFor(() => expect(electron.parents).toHaveLength(count));
    return electron.parents.at(-1);
  };
  window.endLoad();
  expect(await openBroken(1)).toBe(window);
  press(electron, 'New Window');
  const second = electron.windows[1]!;
  second.endLoad();
  expect(await openBroken(2)).toBe(second);
  expect(workbench.shown).toEqual([]);
  second.minimized = true;
  electron.app.emit('open-file', { preventDefault: () => undefined }, '/broken.txt');
  await vi.waitFor(() => expect(electron.parents).toEqual([window, second, undefined]));
});
