/** What a page's palette asks of its window, and that the menus have nothing that the palette has not. */
import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';

import { commandList } from '../../renderer/window/commands/commandList.ts';
import type { WindowCommand } from '../../src-core/contract/types.ts';
import { windowChannel } from '../../electron/windowCommands.ts';
import { FakeFrame } from './fakeElectron.ts';
import { start } from './startedShell.ts';

test('zooms, and does with the window what its menus do', async () => {
  const { electron, window } = await start();
  const { webContents } = window;
  const ask = (command: unknown, senderFrame = webContents.mainFrame): boolean =>
    electron.ipcMain.emit(windowChannel, { sender: webContents, senderFrame }, command);
  ask('zoomIn');
  ask('zoomIn');
  expect(webContents.zoomLevel).toBe(1);
  ask('zoomOut');
  expect(webContents.zoomLevel).toBe(0.5);
  for (let times = 0; times < 40; times++) ask('zoomIn');
  expect(webContents.zoomLevel).toBe(8.8);
  ask('zoomReset');
  expect(webContents.zoomLevel).toBe(0);
  ask('fullScreen');
  expect(window.full).toBe(true);
  ask('minimize');
  expect(window.minimized).toBe(true);
  ask('reload');
  ask('devTools');
  expect(webContents.calls).toEqual(['reload', 'toggleDevTools']);

  // A frame of somebody else, and what is not listed, are passed over.
  ask('zoomIn', new FakeFrame('https://example.com/'));
  for (const command of ['constructor', 'toString', 7, null, { command: 'quit' }]) ask(command);
  expect(webContents.zoomLevel).toBe(0);

  ask('newWindow');
  expect(electron.windows).toHaveLength(2);
  ask('closeWindow');
  ask('zoomIn');
  expect(webContents.zoomLevel).toBe(0);
});

test('looks for updates if a copy has them, and says so if not', async () => {
  const { electron, window } = await start();
  const { webContents } = window;
  const event = { sender: webContents, senderFrame: webContents.mainFrame };
  electron.ipcMain.emit(windowChannel, event, 'checkForUpdates');
  electron.ipcMain.emit(windowChannel, event, 'checkOnStart');
  await expect.poll(() => electron.messageBoxes.length).toBe(2);
});

/** What Electron puts under its roles (electronjs.org/docs/latest/api/menu-item#roles). */
const roles: Record<string, readonly string[]> = {
  viewMenu: ['reload', 'forceReload', 'toggleDevTools', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'],
  windowMenu: ['minimize', 'zoom', 'close'],
  editMenu: ['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectAll'],
};

/** The command of the palette for each item; a text says why there is none. */
const commandOf: Record<string, WindowCommand | 'firstCall' | 'shortcuts' | 'settings.licences' | `(${string})`> = {
  reload: 'reload',
  forceReload: '(the page comes from the package: a reload is the same)',
  toggleDevTools: 'devTools',
  resetZoom: 'zoomReset',
  zoomIn: 'zoomIn',
  zoomOut: 'zoomOut',
  togglefullscreen: 'fullScreen',
  minimize: 'minimize',
  zoom: '(the system’s, on macOS alone)',
  close: 'closeWindow',
  quit: 'quit',
  ...Object.fromEntries((roles['editMenu'] ?? []).map((role) => [role, '(of the text at the cursor)' as const])),
  'New Window': 'newWindow',
  'Show the Quick Tour': 'firstCall',
  'Keyboard Shortcuts': 'shortcuts',
  'Settings, Licences and Version': 'settings.licences',
  'Check for Updates…': 'checkForUpdates',
  'Check for Updates on Start': 'checkOnStart',
};

test.each(['linux', 'darwin'] as const)('every item of the menus is in the palette (%s)', async (platform) => {
  const { electron } = await start({
    environment: platform,
    loadUpdater: () => Promise.reject(new Error('no network')),
  });
  const items = (electron.menu as MenuItemConstructorOptions[])
    .filter(({ role }) => role !== 'appMenu')
    .flatMap(({ role, submenu }) =>
      submenu === undefined
        ? (roles[role ?? ''] ?? [`role ${role}`])
        : (submenu as MenuItemConstructorOptions[]).flatMap((item) =>
            item.type === 'separator' ? [] : [item.role ?? item.label ?? ''],
          ),
    );
  expect(items.length).toBeGreaterThan(15);
  const ids = commandList.map(({ id }): string => id);
  const missing = items.filter(
    (item) => !(commandOf[item]?.startsWith('(') ?? false) && !ids.includes(commandOf[item] ?? ''),
  );
  expect(missing).toEqual([]);
});
