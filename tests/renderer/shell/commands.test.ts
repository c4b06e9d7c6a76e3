import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import { commandList } from '../../../renderer/commands/commandList.ts';
import { useCommandStore } from '../../../renderer/commands/commandStore.ts';
import { keyLabel } from '../../../renderer/composables/platform.ts';
import { t } from '../../../renderer/i18n/index.ts';
import { panes } from '../../../renderer/panes/index.ts';
import ShortcutsDialog from '../../../renderer/shell/ShortcutsDialog.vue';
import { useCommands } from '../../../renderer/shell/useCommands.ts';
import { useNavigation } from '../../../renderer/stores/navigation.ts';
import { useSettings } from '../../../renderer/stores/settings.ts';
import { useToasts } from '../../../renderer/stores/toasts.ts';
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

  it('names no key twice in one place', () => {
    const places = commandList.flatMap(({ id, keys }) =>
      keys === undefined ? [] : [`${id.includes('.') ? id.split('.')[0] : ''} ${keys}`],
    );
    expect(places).toEqual([...new Set(places)]);
  });
});

describe('the commands', () => {
  const found = (id: string) => window.use(() => useCommands()).list.value.find((command) => command.id === id);

  it('are all offered while no pane said otherwise, each with words of its own', () => {
    const { list } = window.use(() => useCommands());
    const inPalette = commandList.filter(({ icon }) => icon !== undefined).map(({ id }) => id);
    expect(list.value.map(({ id }) => id).sort()).toEqual([...inPalette].sort());
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

  it('that cannot be done say why, and are left out where what they act on is not there', async () => {
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
