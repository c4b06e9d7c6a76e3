import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VueWrapper } from '@vue/test-utils';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { defineComponent, h, KeepAlive, nextTick } from 'vue';

import { defineToolRegistry } from '../../../src-core/registry/defineTool.ts';
import DiscoveryPane from '../../../renderer/features/discovery/DiscoveryPane.vue';
import SettingsPane from '../../../renderer/features/settings/SettingsPane.vue';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import { useSandbox } from '../../../renderer/features/executor/sandboxStore.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { giveNarrowWindow } from '../layout.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';
import { searchFor } from '../waitForSearch.ts';

/** A busy machine takes its time. */
const until = <T>(holds: () => T) => vi.waitUntil(holds);

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

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
    // The chosen tool is not among those found: the one that is found is shown.
    const active = () => pane.get('[role="listbox"]').attributes('aria-activedescendant');
    expect(pane.get('.tool-detail h2').text()).toBe('Directory tree');
    expect(document.getElementById(active() ?? '')?.textContent).toContain('directory-tree');
    await pane.get('input').setValue('no such thing');
    await until(() => names().length === 0);
    expect(pane.text()).toContain('Nothing matches “no such thing”');
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

  /** A module with 300 methods and one with a method that models may not call. */
  const addTools = (): void => {
    const method = (name: string, agentCallable = true) => ({
      name,
      description: `Does ${name}`,
      agentCallable,
      inputSchema: { type: 'object' },
      handler: () => name,
    });
    const add = (id: string, name: string, methods: ReturnType<typeof method>[]): void => {
      window.workbench.toolRegistryManager.register(
        defineToolRegistry({ id, name, source: { kind: 'module', id, label: name }, methods }),
      );
    };
    add(
      'many',
      'Many tools',
      Array.from({ length: 300 }, (_, at) => method(`tool_${String(at).padStart(3, '0')}`)),
    );
    add('odd', 'Odd things', [method('ltr'), method('rtl'), method('wipe', false)]);
  };
  const card = (pane: VueWrapper, name: string) => pane.findAll('.card').find((each) => each.text().includes(name));

  it.each([
    [3, /^\d+px$/],
    [5_000, /^$/],
  ])('shows a schema of %i choices in its own height only if it is short', async (count, height) => {
    const choices = Array.from({ length: count }, (_, at) => `choice ${at}`);
    const inputSchema = { type: 'object', properties: { one: { type: 'string', enum: choices } } };
    window.workbench.toolRegistryManager.register(
      defineToolRegistry({
        id: 'odd',
        name: 'Odd things',
        source: { kind: 'module', id: 'odd', label: 'Odd things' },
        methods: [{ name: 'pick', description: 'Picks one', inputSchema, agentCallable: true, handler: () => 'done' }],
      }),
    );
    const { pane } = await open();
    await until(() => card(pane, 'Odd things'));
    await card(pane, 'Odd things')?.trigger('click');
    await pane
      .findAll('[role="tab"]')
      .find((tab) => tab.text() === 'Schema')
      ?.trigger('click');
    const schema = await vi.waitUntil(
      () =>
        pane.find<HTMLElement>('[role="region"][aria-label="Schema"]').exists() &&
        pane.get<HTMLElement>('[role="region"][aria-label="Schema"]'),
    );
    // In its own height all lines of it would be in view, and exist.
    expect(schema.element.style.height).toMatch(height);
    await until(() => schema.text().includes('"choice 0"'));
    expect(schema.findAll('.code-line').length).toBeLessThan(100);
  });

  it('keeps the selection on what a search lists: ↓ selects the first match, Enter opens what is selected', async () => {
    addTools();
    const sandbox = window.use(() => useSandbox());
    const { pane } = await open();
    await until(() => card(pane, 'Many tools'));
    await card(pane, 'Many tools')?.trigger('click');
    const heading = (): string => pane.get('.tool-detail h2').text();
    const method = (): string => pane.get('.tool-detail .method h3').text();
    const search = pane.get('input');
    await searchFor(pane, 'rtl');
    expect([heading(), method()]).toEqual(['Odd things', 'rtl']);
    await search.trigger('keydown', { key: 'ArrowDown' });
    const grid = pane.get('[role="listbox"]');
    expect(document.activeElement).toBe(grid.element);
    const selected = pane.findAll('.card[aria-selected="true"]');
    expect(selected.map((each) => each.attributes('id'))).toEqual([grid.attributes('aria-activedescendant')]);
    await grid.trigger('keydown', { key: 'Enter' });
    expect(sandbox.requested).toEqual({ qualifiedName: 'odd_rtl' });
    // What was chosen with ↓ stays chosen without the search.
    await searchFor(pane, '');
    expect([heading(), method()]).toEqual(['Odd things', 'rtl']);
  });

  it('opens the first match by Enter in the search, and finds a tool by its full name', async () => {
    addTools();
    const sandbox = window.use(() => useSandbox());
    const { pane, names } = await open();
    await until(() => card(pane, 'Many tools'));
    await searchFor(pane, 'many_tool_123');
    expect(names()).toEqual(['Many tools']);
    expect(pane.findAll('.card mark').map((mark) => mark.text())).toEqual(['many', 'tool_123']);
    // Typed a moment ago: what is shown was found by an earlier text.
    await pane.get('input').setValue('many_tool_124');
    await pane.get('input').trigger('keydown', { key: 'Enter' });
    expect(sandbox.requested).toEqual({ qualifiedName: 'many_tool_124' });
    // A search that is not followed leaves the choice as it was.
    await searchFor(pane, 'clock');
    expect(pane.get('.tool-detail h2').text()).toBe('Clock');
    await searchFor(pane, '');
    expect(pane.get('.tool-detail h2').text()).toBe('Many tools');
  });

  it('lists and counts only what a search leaves: in the head, the chips, the cards and the detail', async () => {
    addTools();
    const { pane } = await open();
    await until(() => card(pane, 'Many tools'));
    const head = pane.get('.head');
    const chip = (name: string): string | undefined =>
      head
        .findAll('.chip')
        .find((each) => each.text().startsWith(name))
        ?.get('b')
        .text();
    expect(head.get('.count').text()).toMatch(/^4 tools · 306 methods$/);
    await searchFor(pane, 'tool_29');
    expect(head.get('.count').text()).toBe('10 of 306 methods');
    expect(head.get('.count').attributes('title')).toBe('1 of 4 tools · 10 of 306 methods');
    expect([chip('All'), chip('Modules'), chip('Built-in')]).toEqual(['1', '1', '0']);
    expect(pane.get('.card').text()).toContain('10 of 300 methods');
    const detail = pane.get('.tool-detail');
    expect(detail.get('.sub').text()).toMatch(/^Methods\s*10 of 300\s*10 callable by models$/);
    const rows = detail.findAll('.mrow .name');
    expect(rows.map((row) => row.text())).toContain('tool_290');
    expect(rows.every((row) => row.get('mark').text() === 'tool_29')).toBe(true);
    await searchFor(pane, 'Many tools');
    expect(detail.get('.sub').text()).toMatch(/Methods\s*300/);
  });

  it('marks methods that models may not call, and lists only those, or only the others', async () => {
    addTools();
    const settings = window.use(() => useSettings());
    await until(() => settings.loaded);
    settings.remember('discovery.audience', 'notModels');
    const { pane, names } = await open();
    await until(() => names().join() === 'Odd things');
    const detail = pane.get('.tool-detail');
    expect(pane.get('.card li').text()).toMatch(/^wipe\s*Not for models$/);
    expect(detail.get('.mrow').text()).toContain('Not for models');
    expect(detail.get('.method .kept').text()).toContain('Its module does not offer this method to models.');
    expect(detail.get('.sub').text()).toContain('1 of 3');
    // A tool that is switched off is kept from models as well.
    detail.get('[role="switch"]').element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await until(() => detail.findAll('.mrow').length === 3);
    expect(pane.get('.card').text()).toContain('Off');
    await detail.findAll('.mrow')[0]?.trigger('click');
    expect(detail.get('.method .kept').text()).toContain('This tool is off for models.');
    settings.remember('discovery.audience', 'models');
    await until(() => names().includes('Many tools'));
    expect(names()).not.toContain('Odd things');
  });

  it('shows a tool that a link asks for, also if the filters leave it out', async () => {
    const settings = window.use(() => useSettings());
    await until(() => settings.loaded);
    settings.remember('discovery.kind', 'device');
    const pane = window.mount(DiscoveryPane);
    await until(() => pane.find('.invite').exists());
    settings.remember('discovery.tool', 'clock');
    await until(() => pane.find('.card').exists());
    expect(pane.get('.tool-detail h2').text()).toBe('Clock');
  });

  it('lists tools as rows, and remembers it; arrows choose as among cards', async () => {
    addTools();
    const { pane } = await open();
    const settings = window.use(() => useSettings());
    await until(() => pane.findAll('.card').length > 1);
    await pane.get('[aria-label="Show as rows"]').trigger('click');
    await until(() => pane.findAll('.tool-row').length > 1);
    expect(pane.find('.card').exists()).toBe(false);
    expect(settings.ui['discovery.layout']).toBe('rows');
    await pane.get('.tool-grid').trigger('keydown', { key: 'End' });
    await until(() => pane.findAll('.tool-row').at(-1)?.attributes('aria-selected') === 'true');
    await pane.get('[aria-label="Show as cards"]').trigger('click');
    await until(() => pane.find('.card').exists());
  });

  it('shows the prompt that a new chat sends, with the tokens and the switch of each tool', async () => {
    addTools();
    const { client } = window.connection;
    const { pane } = await open();
    await until(() => card(pane, 'Many tools'));
    await pane.get('.head > .btn:last-child').trigger('click');
    const dialog = await until(() => document.querySelector<HTMLElement>('.prompt-view'));
    const rows = (): string[] =>
      [...dialog.querySelectorAll('[role="listitem"]')].map((row) => row.textContent.replaceAll(/\s+/g, ' ').trim());
    const code = (): string | undefined => dialog.querySelector('.code-block')?.textContent;
    const choose = (protocol: string): void =>
      [...dialog.querySelectorAll<HTMLElement>('[role="radio"]')]
        .find((each) => each.textContent === protocol)
        ?.click();
    await until(() => rows()[0]?.includes('tokens'));
    const vcp = await client.tools.prompt({});
    expect(dialog.querySelector('[role="radio"][aria-checked="true"]')?.textContent).toBe('VCP');
    expect(code()).toContain('You can call the tools that are defined below.');
    const many = vcp.byTool.find(({ toolId }) => toolId === 'many');
    // The one that adds most is first.
    expect(rows()[0]).toContain(`≈ ${many?.tokens.toLocaleString('en')} tokens300 methods`);
    const foot = dialog.closest('.dialog')?.querySelector('footer [role="status"]')?.textContent;
    expect(foot).toBe(
      `${vcp.text.length.toLocaleString('en')} characters · ≈ ${vcp.tokens.toLocaleString('en')} tokens`,
    );
    dialog.querySelector<HTMLElement>('[aria-label="Offer Many tools to models"]')?.click();
    // It keeps its place: a second click at the same point would else turn off another tool.
    await until(() => rows()[0]?.includes('many300 methods'));
    choose('Native');
    await until(() => code()?.includes('"name": "clock_get_time"'));
    expect(code()).not.toContain('many_tool');
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
    expect(pane.get('.tool-detail').text()).toContain('not connected, last known state');
    expect(pane.get('.tool-detail .btn.primary').attributes('aria-disabled')).toBe('true');
    await pane.get('input').setValue('clock');
    await until(() => !pane.find('.card.gone').exists());
  });

  it('shows the fault of one method on its card and keeps the others callable', async () => {
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
    expect(card.get('li').text()).toMatch(/^two\s+· has an inputSchema that does not describe/);
    await card.trigger('click');
    const detail = pane.get('.tool-detail');
    const [, two] = detail.findAll('.mrow');
    expect(two?.text()).toContain('Unusable');
    await two?.trigger('click');
    expect(detail.get('.method [role="alert"]').text()).toContain("Write inputSchema: { type: 'object'");
    expect(detail.get('.foot .btn.primary').attributes('aria-disabled')).toBe('true');
    await detail.get('.mrow').trigger('click');
    expect(detail.get('.foot .btn.primary').attributes('aria-disabled')).toBeUndefined();
  });

  it('loads a module that failed again, without a change of its file', async () => {
    const { modulesDir, dataDir } = await window.connection.client.workbench.info();
    const key = join(dataDir, 'key.txt');
    const { pane } = await open();
    await writeFile(
      join(modulesDir, 'keyed.js'),
      `import { existsSync } from 'node:fs';
      if (!existsSync(${JSON.stringify(key)})) throw new Error('No key.');
      export default { methods: { one: { description: 'One.', handler: () => 1 } } };`,
    );
    await until(() => pane.find('.card .trouble').exists());
    expect(pane.get('.card .trouble').text()).toMatch(
      /^keyed\.js:2:\d+ threw an error while loading: No key\. Correct what/,
    );
    await pane.get('.card .trouble').trigger('click');
    // There is nothing that models could be offered.
    expect(pane.find('.tool-detail [role="switch"]').exists()).toBe(false);
    const problem = pane.get('.tool-detail [role="alert"]');
    expect(problem.text()).toContain('Correct what the file does at its top level.');

    // It fails again: the error stays, and the button is there for another try.
    await problem.get('button').trigger('click');
    await until(() => problem.get('button').text() === 'Reload');
    expect(pane.find('.card .trouble').exists()).toBe(true);

    await writeFile(key, 'secret');
    await problem.get('button').trigger('click');
    await until(() => !pane.find('.tool-detail [role="alert"]').exists());
    expect(pane.get('.tool-detail .mrow').text()).toContain('one');
    expect(pane.find('.card .trouble').exists()).toBe(false);
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
    const timeout = pane.get<HTMLInputElement>('input[aria-label="Call timeout"]');
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
