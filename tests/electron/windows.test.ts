import type { MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';

import { FakeFrame, type FakeElectron } from './fakeElectron.ts';
import { start } from './startedShell.ts';

/** Presses an item of the menu. */
function press(electron: FakeElectron, label: string): void {
  const items = (electron.menu as MenuItemConstructorOptions[]).flatMap(
    ({ submenu }) => (submenu as MenuItemConstructorOptions[] | undefined) ?? [],
  );
  const item = items.find((each) => each.label === label);
  if (item?.click === undefined) throw new Error(`The menu has no "${label}".`);
  (item.click as () => void)();
}

test('several windows on one workbench: each has its port, the one used last comes to the front, none outlives it', async () => {
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
  press(electron, '带我完成第一次调用');
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

test('what is dropped on a window of ours is opened by its path; other pages and other words are passed over', async () => {
  const { electron, workbench, window } = await start();
  const { webContents } = window;
  const drop = (message: unknown, senderFrame = webContents.mainFrame): void =>
    void electron.ipcMain.emit('toolwire:dropped', { sender: webContents, senderFrame }, message);
  drop(['/a.jsonl'], new FakeFrame('https://evil.example/'));
  drop('/b.jsonl');
  drop([7, 'relative.jsonl', `/${'x'.repeat(5_000)}`, '/c.jsonl']);
  await vi.waitFor(() => expect(workbench.shown).toEqual([{ kind: 'capture', captureId: '/c.jsonl' }]));
});
