import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import { windowCommands } from '../../../src-core/contract/types.ts';
import { commandList } from '../../../renderer/window/commands/commandList.ts';
import { useCommandStore } from '../../../renderer/window/commands/commandStore.ts';
import { keyLabel } from '../../../renderer/ui/composables/platform.ts';
import { t } from '../../../renderer/i18n/index.ts';
import { panes } from '../../../renderer/app/panes.ts';
import ShortcutsDialog from '../../../renderer/app/ShortcutsDialog.vue';
import { useCommands } from '../../../renderer/app/useCommands.ts';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { useToasts } from '../../../renderer/window/toasts.ts';
import { openWindow, type TestWindow } from '../openWindow.ts';

let window: TestWindow;
beforeEach(async () => {
  window = await openWindow();
});
afterEach(() => window.close());

/** Keys that code listens for: of `useHotkeys({ 'mod+enter': … })` and of `keys="mod+s"` on a button or a key cap. */
function keysInCode(): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync('renderer', { recursive: true, encoding: 'utf8' })) {
    if (!/\.(ts|vue)$/.test(name)) continue;
    const code = readFileSync(join('renderer', name), 'utf8');
    const calls = [...code.matchAll(/useHotkeys\(\{([\s\S]*?)\}\)/g)].flatMap(([, body = '']) =>
      [...body.matchAll(/(?:^|[{,\n])\s*(?:'([^']+)'|(escape|f\d+)):/g)].map(
        ([, quoted, bare]) => quoted ?? bare ?? '',
      ),
    );
    const shown = [...code.matchAll(/\skeys="([^"]+)"/g)].map(([, keys = '']) => keys);
    for (const keys of [...calls, ...shown]) found.set(keys, name);
  }
  return found;
}

describe('the sheet of shortcuts', () => {
  it('has every key that something in the window listens for', async () => {
    const navigation = window.use(() => useNavigation());
    window.mount(ShortcutsDialog);
    navigation.overlay = 'shortcuts';
    await vi.waitUntil(() => document.querySelector('.shortcuts'));
    const caps = [...document.querySelectorAll('.shortcuts .kbd')].map((cap) => cap.textContent);
    const inCode = keysInCode();
    expect([...inCode.keys()]).toEqual(expect.arrayContaining(['/', 'f6', 'escape', 'mod+enter']));
    // Of the palette alone, said at its foot.
    const ofPalette = ['up', 'down', 'enter', 'alt+enter', '>'];
    const missing = [...inCode].filter(([keys]) => !ofPalette.includes(keys) && !caps.includes(keyLabel(keys)));
    expect(missing).toEqual([]);
    for (const { keys } of [...commandList, ...panes]) if (keys !== undefined) expect(caps).toContain(keyLabel(keys));
  });

  it('has the search for a tool in every pane', () => {
    const navigation = window.use(() => useNavigation());
    navigation.open('devices');
    window.use(() => useCommands()).run('executor.pick');
    expect(navigation.pane).toBe('executor');
  });

  it('names no key twice in one place', () => {
    const places = commandList.flatMap(({ id, keys }) =>
      keys === undefined ? [] : [`${id.includes('.') ? id.split('.')[0] : ''} ${keys}`],
    );
    expect(places).toEqual([...new Set(places)]);
  });
});

/** Menus whose items the palette has in another way, or that act on one row under the pointer. */
const otherwise: Record<string, string> = {
  'ui/Menu.vue': 'what menus are made of',
  'features/servers/detail/ServerTabs.vue': 'the tabs beside it that do not fit',
  'features/log/LogToolbar.vue': 'its items come from the pane, which offers them',
  'features/executor/ToolLine.vue': 'executor.copy…',
  'features/executor/RunBar.vue': 'executor.runAsModel, executor.sendAnyway',
  'features/collections/SavedCallLine.vue': 'of one row; the palette lists saved calls themselves, and runs them',
  'features/devices/composer/DeviceComposer.vue': 'frames that were sent, into the field',
  'features/executor/TabBar.vue': 'Open a tool goes to the tab of a tool',
  'features/realtime/speak/SpeakBar.vue': 'a recording for the field beside it',
};

describe('the menus', () => {
  it('are all in the palette, too', () => {
    const files = readdirSync('renderer', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.vue'),
    );
    const missing = files.filter((name) => {
      const code = readFileSync(join('renderer', name), 'utf8');
      return /<Menu[\s>]/.test(code) && !code.includes('useObjectCommands(') && !Object.hasOwn(otherwise, name);
    });
    expect(missing).toEqual([]);
  });
});

describe('the commands', () => {
  const found = (id: string) => window.use(() => useCommands()).list.value.find((command) => command.id === id);

  it.each(['electron', undefined] as const)(
    'are all available unless a pane disables them, each with its own text (%s); a browser has its own menus',
    (kind) => {
      if (kind) vi.stubGlobal('toolwireShell', { kind });
      const { list } = window.use(() => useCommands());
      const ofDesktop = (id: string): boolean => windowCommands.some((command) => command === id);
      const inPalette = commandList.filter(
        ({ icon, id }) => icon !== undefined && (kind !== undefined || !ofDesktop(id)),
      );
      expect(list.value.map(({ id }) => id).sort()).toEqual(inPalette.map(({ id }) => id).sort());
      expect(commandList.filter(({ id }) => ofDesktop(id))).toHaveLength(windowCommands.length);
      vi.unstubAllGlobals();
    },
  );

  it('ask the desktop app’s window by name', () => {
    vi.stubGlobal('toolwireShell', { kind: 'electron' });
    const posted = vi.spyOn(globalThis.window, 'postMessage').mockReturnValue();
    found('zoomIn')?.run();
    expect(posted.mock.calls).toEqual([[{ type: 'toolwire:window', command: 'zoomIn' }, expect.any(String)]]);
    posted.mockRestore();
    vi.unstubAllGlobals();
  });

  it('have texts in both languages', () => {
    for (const { id } of commandList) expect(t(`commands.${id}`)).not.toBe(`commands.${id}`);
  });

  it('of a pane that was never seen go there first, and are done once it is there', async () => {
    const navigation = window.use(() => useNavigation());
    const store = window.use(() => useCommandStore());
    const run = vi.fn();
    found('chat.start')?.run();
    expect(navigation.pane).toBe('chat');
    store.offer('chat.start', { run });
    await nextTick();
    await nextTick();
    expect(run).toHaveBeenCalledOnce();
    // Who went elsewhere meanwhile is not called back.
    found('gateway.try')?.run();
    navigation.open('parser');
    store.offer('gateway.try', { run });
    await nextTick();
    await nextTick();
    expect(run).toHaveBeenCalledOnce();
  });

  it('that cannot be done say why, and are left out if what they act on is not there', async () => {
    const store = window.use(() => useCommandStore());
    const toasts = window.use(() => useToasts());
    store.offer('executor.run', { run: () => undefined, reason: () => 'Choose a tool first.' });
    expect(found('executor.run')).toMatchObject({ disabled: true, hint: 'Choose a tool first.' });
    expect(found('executor.copyVcp')).toBeUndefined();
    store.run('executor.run');
    await vi.waitUntil(() => toasts.list.some(({ text }) => text === 'Choose a tool first.'));
  });

  it('set the theme and say which is chosen', async () => {
    const settings = window.use(() => useSettings());
    await vi.waitUntil(() => settings.loaded);
    found('darkTheme')?.run();
    expect(settings.current.theme).toBe('dark');
    expect(found('darkTheme')?.hint).toBe('chosen');
    expect(found('lightTheme')?.hint).toBe('');
    await settings.flush();
  });
});
