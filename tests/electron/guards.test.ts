/** What the shell adds to the page by Electron's own means: the microphone on macOS, and context menus. */
import { expect, test, vi } from 'vitest';

import { pageUrl } from '../../electron/appScheme.ts';
import type { ContextMenuDetails } from '../../electron/electronParts.ts';
import type { FakeElectron } from './fakeElectron.ts';
import { FakeWorkbench, start } from './startedShell.ts';

/** The answer to the page's request for a microphone; undefined while there is none. */
function requestMedia(
  electron: FakeElectron,
  mediaTypes: string[],
  requestingUrl = pageUrl,
): () => boolean | undefined {
  let granted: boolean | undefined;
  electron.permissions[0]!(null, 'media', (answer) => (granted = answer), {
    requestingUrl,
    isMainFrame: true,
    mediaTypes,
  });
  return () => granted;
}

test.each([true, false])('on macOS the microphone is granted as the system answers: %s', async (allowed) => {
  const { electron } = await start({ environment: 'darwin' });
  const answer = Promise.withResolvers<boolean>();
  electron.microphone = answer.promise;
  const granted = requestMedia(electron, ['audio']);
  expect(granted()).toBeUndefined();
  answer.resolve(allowed);
  await vi.waitFor(() => expect(granted()).toBe(allowed));
});

test('a microphone that the user has refused in the system’s settings is denied', async () => {
  const { electron } = await start({ environment: 'microphoneDenied' });
  const granted = requestMedia(electron, ['audio']);
  await vi.waitFor(() => expect(granted()).toBe(false));
});

test('a request to macOS that fails denies the microphone and is reported', async () => {
  const { electron, errors } = await start({ environment: 'darwin' });
  electron.microphone = Promise.reject(new Error('no answer'));
  const granted = requestMedia(electron, ['audio']);
  await vi.waitFor(() => expect(granted()).toBe(false));
  expect(errors).toEqual([new Error('no answer')]);
});

test('macOS is not asked for what is refused anyway; other systems are never asked', async () => {
  const mac = await start({ environment: 'darwin' });
  expect(requestMedia(mac.electron, ['audio', 'video'])()).toBe(false);
  expect(requestMedia(mac.electron, ['audio'], 'https://example.com/')()).toBe(false);
  const windows = await start({ environment: 'win32' });
  expect(requestMedia(windows.electron, ['audio'])()).toBe(true);
  expect([mac.electron.microphoneRequests, windows.electron.microphoneRequests]).toEqual([0, 0]);
});

const all = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };

async function contextMenu(details: ContextMenuDetails, workbench = new FakeWorkbench()): Promise<unknown[]> {
  const { electron, window } = await start({ workbench });
  window.webContents.emit('context-menu', {}, details);
  expect(electron.contextMenuOwners.every((owner) => owner === window.webContents)).toBe(true);
  return electron.contextMenus;
}

test('a text field has cut, copy, paste and select all, each enabled if it would do something', async () => {
  const editFlags = { canCut: false, canCopy: false, canPaste: true, canSelectAll: true };
  expect(await contextMenu({ isEditable: true, selectionText: '', editFlags })).toEqual([
    [
      { role: 'cut', label: 'Cut', enabled: false },
      { role: 'copy', label: 'Copy', enabled: false },
      { role: 'paste', label: 'Paste', enabled: true },
      { type: 'separator' },
      { role: 'selectAll', label: 'Select All', enabled: true },
    ],
  ]);
});

test('selected text can be copied', async () => {
  expect(await contextMenu({ isEditable: false, selectionText: 'abc', editFlags: all })).toEqual([
    [{ role: 'copy', label: 'Copy', enabled: true }],
  ]);
});

test('anything else has no menu', async () => {
  expect(await contextMenu({ isEditable: false, selectionText: ' \n', editFlags: all })).toEqual([]);
});

test('the menu follows the language of the settings', async () => {
  const workbench = new FakeWorkbench();
  workbench.locale = 'zh';
  const [menu] = await contextMenu({ isEditable: true, selectionText: '', editFlags: all }, workbench);
  const labels = (menu as { label?: string }[]).flatMap(({ label }) => label ?? []);
  expect(labels).toEqual(['剪切', '复制', '粘贴', '全选']);
});
