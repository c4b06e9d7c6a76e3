import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { defineComponent, h, KeepAlive, nextTick } from 'vue';

import DiscoveryPane from '../../../renderer/panes/discovery/DiscoveryPane.vue';
import SettingsPane from '../../../renderer/panes/settings/SettingsPane.vue';
import { useNavigation } from '../../../renderer/stores/navigation.ts';
import { useSandbox } from '../../../renderer/stores/sandbox.ts';
import { useSettings } from '../../../renderer/stores/settings.ts';
import { giveLayout, giveNarrowWindow } from '../layout.ts';
import { openWindow, type TestWindow } from '../openWindow.ts';

/** A busy machine takes its time. */
const until = <T>(holds: () => T) => vi.waitUntil(holds, { timeout: 15_000 });

let window: TestWindow;
let undoLayout: () => void;
beforeEach(async () => {
  undoLayout = giveLayout();
  window = await openWindow();
});
afterEach(async () => {
  await window.close();
  undoLayout();
  expect(window.errors).toEqual([]);
});

describe('Discovery', () => {
  const open = async () => {
    const pane = window.mount(DiscoveryPane);
    await until(() => pane.findAll('.card').length > 0);
    const names = (): string[] => pane.findAll('.card .name').map((name) => name.text());
    return { pane, names };
  };

  it('invites a first device, which then appears by itself with its tools', async () => {
    const { pane, names } = await open();
    expect(pane.get('.invite').text()).toContain('No device is connected');
    await pane.get('.invite button').trigger('click');
    await until(() => pane.find('.card .src-device').exists());
    expect(pane.find('.invite').exists()).toBe(false);
    expect(names()).toHaveLength(3);
  });

  it('takes its drawer along when another pane comes to the front', async () => {
    onTestFinished(giveNarrowWindow());
    const navigation = window.use(() => useNavigation());
    const stage = defineComponent(() => {
      return () => h(KeepAlive, () => (navigation.pane === 'discovery' ? h(DiscoveryPane) : h('p')));
    });
    const pane = window.mount(stage);
    await until(() => pane.findAll('.card').length > 0);
    await pane.get('.card').trigger('click');
    const drawer = await until(() => document.querySelector('.drawer'));
    drawer.querySelector<HTMLElement>('.foot .btn.primary')?.click();
    await until(() => navigation.pane === 'executor');
    await until(() => document.querySelector('.drawer') === null);
  });

  it('searches names, descriptions and parameters, and says when nothing matches', async () => {
    const { pane, names } = await open();
    await pane.get('.card').trigger('click');
    await pane.get('input').setValue('recursive');
    await until(() => names().length === 1);
    expect(pane.get('.card .id').text()).toBe('directory-tree');
    // The chosen card is not among those found: no card is named as the active one.
    const active = () => pane.get('[role="listbox"]').attributes('aria-activedescendant');
    expect(active()).toBeUndefined();
    await pane.get('.card').trigger('click');
    expect(document.getElementById(active() ?? '')?.textContent).toContain('directory-tree');
    await pane.get('input').setValue('no such thing');
    await until(() => names().length === 0);
    expect(pane.text()).toContain('Nothing matches “no such thing”.');
  });

  it('is worked by the keyboard: arrows choose, Enter loads into the sandbox', async () => {
    const sandbox = window.use(() => useSandbox());
    const { pane } = await open();
    const grid = pane.get('[role="listbox"]');
    await grid.trigger('keydown', { key: 'End' });
    await nextTick();
    expect(pane.get('.tool-detail h2').text()).toBe(pane.findAll('.card .name').at(-1)?.text());
    await grid.trigger('keydown', { key: 'Home' });
    await grid.trigger('keydown', { key: 'Enter' });
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_time' });
  });

  it('shows the example a model would write, as the engine makes it', async () => {
    const { pane } = await open();
    const example = pane.findAll('[role="tab"]').find((tab) => tab.text() === 'Example');
    await example?.trigger('click');
    await until(() => pane.text().includes('<<<[TOOL_REQUEST]>>>'));
    expect(pane.text()).toContain('get_time');
  });

  it('keeps what leaves in its place, marked, until another list is asked for', async () => {
    const { deviceId } = await window.connection.client.devices.addVirtual({});
    const { pane } = await open();
    await until(() => pane.find('.card .src-device').exists());
    await pane.get('.card').trigger('click');
    await window.connection.client.devices.pullPlug({ id: deviceId });
    await until(() => pane.find('.card.gone').exists());
    expect(pane.get('.tool-detail').text()).toContain('not connected, shown as it last was');
    expect(pane.get('.tool-detail .btn.primary').attributes('aria-disabled')).toBe('true');
    await pane.get('input').setValue('clock');
    await until(() => !pane.find('.card.gone').exists());
  });

  it('says on its card what is wrong with one method of a module, and lets the others be called', async () => {
    const { modulesDir } = await window.connection.client.workbench.info();
    const { pane } = await open();
    await writeFile(
      join(modulesDir, 'dice.js'),
      `export default { methods: {
        one: { description: 'One die.', handler: () => 1 },
        two: { description: 'Two dice.', inputSchema: { type: 'array' }, handler: () => 2 },
      } };`,
    );
    await until(() => pane.find('.card .src-module').exists());
    const card = pane.findAll('.card').find((each) => each.text().includes('dice'))!;
    expect(card.text()).toContain('Incomplete');
    expect(card.get('li').text()).toMatch(/^two\s+· dice\.js:3 method "two" has an inputSchema that does not describe/);
    await card.trigger('click');
    const detail = pane.get('.tool-detail');
    const [, two] = detail.findAll('.mrow');
    expect(two?.text()).toContain('Not usable');
    await two?.trigger('click');
    expect(detail.get('.method [role="alert"]').text()).toContain("Write `inputSchema: { type: 'object'");
    expect(detail.get('.foot .btn.primary').attributes('aria-disabled')).toBe('true');
    await detail.get('.mrow').trigger('click');
    expect(detail.get('.foot .btn.primary').attributes('aria-disabled')).toBeUndefined();
  });

  it('offers or withholds a tool with one switch', async () => {
    const { pane } = await open();
    await pane.get('[role="switch"]').trigger('click');
    await until(() => pane.find('.card.off').exists());
    const { toolCallConfig } = await window.connection.client.settings.get();
    expect(toolCallConfig.toolToggles).toEqual({ clock: false });
  });
});

describe('Settings', () => {
  it('shows and saves the fields of ToolCallConfig; a wrong number says its limits and how to mend it', async () => {
    const settings = window.use(() => useSettings());
    await until(() => settings.loaded);
    const pane = window.mount(SettingsPane);
    const timeout = pane.get<HTMLInputElement>('input[aria-label="Timeout of a call"]');
    expect(timeout.element.value).toBe('30');
    await timeout.setValue('9999');
    expect(pane.get('[role="alert"]').text()).toContain('A number from 0.001 to 3600.');
    expect(settings.current.toolCallConfig.timeout).toBe(30_000);
    await pane.get('[role="alert"] button').trigger('click');
    await pane.get('[role="switch"][aria-label="Ask before every call"]').trigger('click');
    await settings.flush();
    const saved = await window.connection.client.settings.get();
    expect(saved.toolCallConfig).toMatchObject({ timeout: 3_600_000, requireConfirmation: true });
  });

  it('says what the engine refused', async () => {
    const settings = window.use(() => useSettings());
    await until(() => settings.loaded);
    const pane = window.mount(SettingsPane);
    settings.change({ toolCallConfig: { ...settings.current.toolCallConfig, maxIterations: -1 } });
    await settings.flush();
    await nextTick();
    expect(pane.get('[role="alert"]').text()).toContain('maxIterations');
  });
});
