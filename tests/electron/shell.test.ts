import type { MenuItemConstructorOptions } from 'electron';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';

import { pageUrl } from '../../electron/appScheme.ts';
import type { UpdaterPart } from '../../electron/updates.ts';
import type { JsonValue } from '../../src-core/base/json.ts';
import { FakeElectron } from './fakeElectron.ts';
import { FakeWorkbench, start } from './startedShell.ts';

test('before the app is ready: sandboxes every process and registers app:// as a secure scheme', async () => {
  const { electron } = await start();
  expect(electron.app.calls.slice(0, 4)).toEqual([
    'setPath userData',
    'enableSandbox',
    'registerSchemesAsPrivileged',
    'whenReady',
  ]);
  expect(electron.privileged).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    { scheme: 'mcp-app', privileges: { standard: true, secure: true } },
  ]);
});

test('the window: isolated, sandboxed, without Node, of our page, shown once it has painted', async () => {
  const { electron, window } = await start();
  expect(window.options.webPreferences).toEqual({
    preload: '/nowhere/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  });
  expect(window.options).toMatchObject({ show: false, minWidth: 960, minHeight: 600, backgroundColor: '#15181d' });
  expect(window.webContents.mainFrame.url).toBe(pageUrl);
  expect(window.shown).toBe(false);
  window.emit('ready-to-show');
  expect(window.shown).toBe(true);
  expect(electron.handlers.has('app')).toBe(true);
  expect(JSON.stringify(electron.menu)).toContain('editMenu');
});

test.each(['will-navigate', 'will-attach-webview'])('%s is prevented', async (event) => {
  const { window } = await start();
  expect(window.webContents.isPrevented(event)).toBe(true);
});

test.each([
  ['https://example.com/a?b#c', ['https://example.com/a?b#c']],
  ['https://EXAMPLE.com', ['https://example.com/']],
  ['http://localhost:8080/sign-in?state=1', ['http://localhost:8080/sign-in?state=1']],
  ['http://127.0.0.1:3000/form', ['http://127.0.0.1:3000/form']],
  ['https://example.com/'.padEnd(8_192, 'x'), ['https://example.com/'.padEnd(8_192, 'x')]],
  ['https://example.com/'.padEnd(8_193, 'x'), []],
  [`https://example.com/${'é'.repeat(3_000)}`, []],
  ['http://user:secret@localhost/', []],
  ['https://user:secret@example.com/', []],
  ['file:///etc/passwd', []],
  ['javascript:alert(1)', []],
  ['ms-calculator:', []],
  ['app://toolwire/index.html', []],
  ['not a url', []],
])('a new window for %s is denied; only a link to a web page opens, in the browser', async (url, opened) => {
  const { electron, window } = await start();
  expect(window.webContents.openHandler!({ url })).toEqual({ action: 'deny' });
  expect(electron.opened).toEqual(opened);
});

test('WebRTC reaches no host over UDP, which the policy of an MCP App would not prevent', async () => {
  const { window } = await start();
  expect(window.webContents.webRtcPolicy).toBe('disable_non_proxied_udp');
});

test('a browser that cannot be opened is reported', async () => {
  const electron = new FakeElectron();
  electron.shell.openExternal = () => Promise.reject(new Error('no browser'));
  const { window, errors } = await start({ electron });
  window.webContents.openHandler!({ url: 'https://example.com/' });
  await vi.waitFor(() => expect(errors).toEqual([new Error('no browser')]));
});

test('permissions: the clipboard, notifications and the microphone for our page, and nothing else', async () => {
  const { electron } = await start();
  const request = (
    permission: string,
    requestingUrl: string,
    { mediaTypes = [], isMainFrame = true }: { mediaTypes?: string[]; isMainFrame?: boolean } = {},
  ): boolean => {
    let granted: boolean | undefined;
    const details = { requestingUrl, isMainFrame, mediaTypes };
    electron.permissions[0]!(null, permission, (answer) => (granted = answer), details);
    return granted!;
  };
  const isMainFrame = true;
  expect(request('clipboard-sanitized-write', pageUrl)).toBe(true);
  expect(request('clipboard-sanitized-write', 'https://evil.example/')).toBe(false);
  expect(request('clipboard-read', pageUrl)).toBe(true);
  expect(request('clipboard-read', 'https://evil.example/')).toBe(false);
  expect(request('clipboard-read', pageUrl, { isMainFrame: false })).toBe(false);
  expect(electron.permissionCheck!(null, 'clipboard-read', 'app://toolwire', { isMainFrame })).toBe(true);
  expect(electron.permissionCheck!(null, 'clipboard-read', 'app://toolwire', { isMainFrame: false })).toBe(false);
  expect(request('notifications', pageUrl)).toBe(true);
  expect(request('notifications', 'https://evil.example/')).toBe(false);
  for (const permission of ['media', 'geolocation', 'openExternal', 'fullscreen', 'usb', 'unknown']) {
    expect(request(permission, pageUrl)).toBe(false);
    expect(electron.permissionCheck!(null, permission, 'app://toolwire', { isMainFrame })).toBe(false);
  }
  expect(electron.permissionCheck!(null, 'clipboard-sanitized-write', 'app://toolwire', { isMainFrame })).toBe(true);
  expect(electron.permissionCheck!(null, 'clipboard-sanitized-write', 'app://toolwire.evil', { isMainFrame })).toBe(
    false,
  );
  expect(request('media', pageUrl, { mediaTypes: ['audio'] })).toBe(true);
  expect(request('media', pageUrl, { mediaTypes: ['audio', 'video'] })).toBe(false);
  expect(request('media', 'https://example.com/', { mediaTypes: ['audio'] })).toBe(false);
  expect(electron.permissionCheck!(null, 'media', 'app://toolwire', { isMainFrame, mediaType: 'audio' })).toBe(true);
  expect(electron.permissionCheck!(null, 'media', 'app://toolwire', { isMainFrame, mediaType: 'video' })).toBe(false);
  expect(electron.devicePermission!()).toBe(false);
});

test.each([
  ['app://toolwire/assets/x.js', false],
  ['devtools://devtools/bundled/x.js', false],
  ['data:image/png;base64,AA', false],
  ['blob:app://toolwire/3f1c', false],
  ['https://example.com/x.js', true],
  ['http://127.0.0.1:4310/', true],
  ['file:///etc/passwd', true],
  ['app://other/x.js', true],
  ['blob:https://example.com/3f1c', true],
  ['ws://127.0.0.1:4311/', true],
])('the request for %s is cancelled: %s', async (url, cancelled) => {
  const { electron } = await start();
  let answer: { cancel: boolean } | undefined;
  electron.beforeRequest!({ url }, (response) => (answer = response));
  expect(answer).toEqual({ cancel: cancelled });
});

test('a second instance ends at once and shows the window of the first', async () => {
  const locks = new Set<string>();
  const { electron, window, dataDir } = await start({ electron: new FakeElectron({ locks }) });
  const second = await start({ electron: new FakeElectron({ locks }), dataDir });
  expect(second.electron.app.calls).toEqual(['setPath userData', 'quit']);
  expect(second.electron.windows).toEqual([]);

  window.minimized = true;
  electron.app.emit('second-instance', {}, ['/electron', '/project'], '/');
  expect(window).toMatchObject({ minimized: false, focused: 1 });
});

test('a second start while the app is closing starts it again afterwards, with its file', async () => {
  const { electron, workbench, window } = await start();
  electron.app.quit();
  electron.app.emit('second-instance', {}, ['/opt/toolwire', '--flag', 'b.jsonl', 'toolwire://pane/devices'], '/data');
  expect(electron.app.calls.at(-1)).toBe(
    `relaunch ${process.execPath} --flag ${resolve('/data/b.jsonl')} toolwire://pane/devices`,
  );
  expect([window.focused, workbench.shown]).toEqual([0, []]);
  workbench.gate.resolve(undefined);
  expect(await electron.app.exited()).toBe(0);
});

test('an error before the workbench is created is reported and shown, too', async () => {
  const electron = new FakeElectron();
  electron.protocol.handle = () => {
    throw new Error('the scheme is taken');
  };
  const { errors } = await start({ electron });
  expect(errors).toEqual([new Error('the scheme is taken')]);
  expect(electron.errorBoxes).toEqual(['Toolwire could not start: the scheme is taken']);
  expect(electron.app.exitCode).toBe(1);
});

test('a workbench that cannot start is said in a box, and the app ends with 1', async () => {
  const { electron } = await start({ fails: new Error('toolwire.db cannot be opened') });
  expect(electron.errorBoxes).toEqual(['Toolwire could not start: toolwire.db cannot be opened']);
  expect(electron.app.exitCode).toBe(1);
  expect(electron.windows).toEqual([]);
});

test('the window’s port is served, and closes with the window; the app then waits for the workbench', async () => {
  const { electron, workbench, window } = await start();
  const { webContents } = window;
  electron.ask({ sender: webContents, senderFrame: webContents.mainFrame }, { nonce: 'n'.repeat(32) });
  expect(workbench.ports.map(({ open }) => open)).toEqual([true]);
  window.close();
  expect(workbench.ports.map(({ open }) => open)).toEqual([false]);
  expect(electron.app.calls.at(-1)).toBe('quit');
  expect(workbench.closes).toBe(1);
  expect(electron.app.exitCode).toBeUndefined();
  workbench.gate.resolve(undefined);
  expect(await electron.app.exited()).toBe(0);
});

test('on macOS the app stays without a window and opens one again', async () => {
  const { electron, window } = await start({ environment: 'darwin' });
  window.close();
  expect(electron.app.calls).not.toContain('quit');
  electron.app.emit('activate');
  electron.app.emit('activate');
  expect(electron.windows).toHaveLength(2);
});

test('the window’s place is remembered at quit, and a close after that writes nothing', async () => {
  const { electron, workbench, window, errors } = await start();
  window.bounds = { x: 100, y: 50, width: 1000, height: 700 };
  window.maximized = true;
  electron.app.quit();
  window.close();
  expect(workbench.ui['electron.bounds']).toEqual({ x: 100, y: 50, width: 1000, height: 700, maximized: true });
  expect(errors).toEqual([]);
});

test.each<[string, JsonValue, object]>([
  ['a sensible place', { x: 100, y: 50, width: 1000, height: 700 }, { x: 100, y: 50, width: 1000, height: 700 }],
  ['one that is too small', { x: 1, y: 2, width: 10, height: 10 }, { x: 1, y: 2, width: 960, height: 600 }],
  ['one on a screen that is gone', { x: 5000, y: 50, width: 1000, height: 700 }, { width: 1000, height: 700 }],
  ['nonsense', { x: 'left', y: 1.5, width: null, height: 1e99 }, { width: 1280, height: 800 }],
  ['a list', [1, 2], { width: 1280, height: 800 }],
])('repairs %s', async (_what, stored, expected) => {
  const workbench = new FakeWorkbench();
  workbench.ui['electron.bounds'] = stored;
  const { x, y, width, height } = (await start({ workbench })).window.options;
  expect({ ...(x !== undefined && { x, y }), width, height }).toEqual(expected);
});

test('a maximised window comes back maximised, in the chosen theme', async () => {
  const workbench = new FakeWorkbench();
  workbench.ui['electron.bounds'] = { x: 1, y: 2, width: 1000, height: 700, maximized: true };
  workbench.theme = 'light';
  const { window, electron } = await start({ workbench });
  window.emit('ready-to-show');
  expect(window.maximized).toBe(true);
  expect(electron.nativeTheme.themeSource).toBe('light');
});

test('files and links of the command line go to the window, once the workbench is there', async () => {
  const argv = ['/electron', '--inspect=0', '/project', 'log.jsonl', 'toolwire://tool/time_now', '--flag'];
  const { workbench } = await start({ argv });
  await vi.waitFor(() =>
    expect(workbench.shown).toEqual([
      { kind: 'capture', captureId: resolve('/home/me/log.jsonl') },
      { kind: 'tool', qualifiedName: 'time_now' },
    ]),
  );
});

test('what is opened before the app is ready, as macOS does, waits; what comes later is shown at once', async () => {
  const electron = new FakeElectron({ environment: 'darwin' });
  const prevented: string[] = [];
  const event = (name: string) => ({ preventDefault: () => void prevented.push(name) });
  electron.app.whenReady = () => {
    electron.app.emit('open-file', event('early'), '/early.jsonl');
    return Promise.resolve();
  };
  const { workbench } = await start({ electron });
  electron.app.emit('open-url', event('link'), 'toolwire://pane/devices');
  await vi.waitFor(() =>
    expect(workbench.shown).toEqual([
      { kind: 'capture', captureId: '/early.jsonl' },
      { kind: 'pane', pane: 'devices' },
    ]),
  );
  expect(prevented).toEqual(['early', 'link']);
});

test('a second start hands its file over and brings the window to the front', async () => {
  const { electron, workbench, window } = await start();
  electron.app.isPackaged = true;
  electron.app.emit('second-instance', {}, ['/opt/toolwire', 'b.jsonl'], '/data');
  await vi.waitFor(() => expect(workbench.shown).toEqual([{ kind: 'capture', captureId: resolve('/data/b.jsonl') }]));
  expect(window.focused).toBeGreaterThan(0);
});

test('a file that a second start hands over while the first still starts waits like the others', async () => {
  const electron = new FakeElectron();
  electron.app.isPackaged = true;
  electron.app.whenReady = () => {
    electron.app.emit('second-instance', {}, ['/opt/toolwire', 'early.jsonl'], '/data');
    return Promise.resolve();
  };
  const { workbench } = await start({ electron, argv: ['/opt/toolwire'] });
  await vi.waitFor(() =>
    expect(workbench.shown).toEqual([{ kind: 'capture', captureId: resolve('/data/early.jsonl') }]),
  );
});

test('reports what cannot be opened in the language of the settings, and opens the next one', async () => {
  const workbench = new FakeWorkbench();
  workbench.locale = 'zh';
  const argv = ['/electron', '/project', 'notes.txt', 'toolwire://run/everything', 'c.jsonl'];
  const { electron } = await start({ workbench, argv });
  await vi.waitFor(() => expect(workbench.shown).toHaveLength(1));
  expect(electron.messageBoxes.map(({ message, detail }) => [message, detail?.slice(0, 12)])).toEqual([
    ['无法打开 notes.txt', 'It is no cap'],
    ['无法打开 toolwire://run/everything', '这不是 Toolwire'],
  ]);
});

test('registers the links with Windows only from a package', async () => {
  const unpackaged = await start({ environment: 'win32' });
  expect(unpackaged.electron.app.calls).not.toContain('protocol toolwire');
  const electron = new FakeElectron({ environment: 'win32' });
  electron.app.isPackaged = true;
  await start({ electron, argv: ['toolwire.exe'] });
  expect(electron.app.calls).toContain('protocol toolwire');
});

test('updates are looked for on start only if the user set so, and the menu keeps that', async () => {
  let asked = 0;
  const loadUpdater = (): Promise<UpdaterPart> => {
    asked++;
    return Promise.reject(new Error('not reached'));
  };
  const workbench = new FakeWorkbench();
  const { electron } = await start({ workbench, loadUpdater });
  expect(asked).toBe(0);
  const help = (electron.menu as MenuItemConstructorOptions[]).at(-1)!.submenu as MenuItemConstructorOptions[];
  expect(help.slice(-2).map(({ label, checked }) => [label, checked])).toEqual([
    ['Check for Updates…', undefined],
    ['Check for Updates on Start', false],
  ]);
  // Of what Electron hands over, the item uses this much.
  (help.at(-1)!.click as unknown as (item: { checked: boolean }) => void)({ checked: true });
  expect(workbench.ui['electron.checkForUpdates']).toBe(true);
  await start({ workbench, loadUpdater });
  expect(asked).toBe(1);
});

test('the menu is built anew for a language and a theme, and not for what a page remembers', async () => {
  const { electron, workbench } = await start();
  const first = electron.menu;
  workbench.ui['executor.arguments'] = '{"volume":5';
  workbench.changed();
  expect(electron.menu).toBe(first);
  workbench.locale = 'zh';
  workbench.changed();
  expect(electron.menu).not.toBe(first);
  workbench.theme = 'dark';
  workbench.changed();
  expect(electron.nativeTheme.themeSource).toBe('dark');
});

test('a copy that could not be updated starts again: its engine has ended', async () => {
  const electron = new FakeElectron();
  const workbench = new FakeWorkbench();
  workbench.gate.resolve(undefined);
  workbench.ui['electron.checkForUpdates'] = true;
  electron.answers.push(0, 0, 0);
  const loadUpdater = (): Promise<UpdaterPart> =>
    Promise.resolve({
      autoDownload: false,
      checkForUpdates: () => Promise.resolve({ isUpdateAvailable: true, updateInfo: { version: '2.0.0' } }),
      downloadUpdate: () => Promise.resolve([]),
      quitAndInstall: () => {
        throw new Error('spawn EACCES');
      },
      on: () => undefined,
    });
  await start({ electron, workbench, loadUpdater });
  await electron.app.exited();
  expect(workbench.closes).toBe(1);
  expect(electron.app.calls.slice(-2)).toEqual([`relaunch ${process.execPath}`, 'quit']);
});
