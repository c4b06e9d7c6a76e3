import { expect, it, vi } from 'vitest';
import { computed, ref } from 'vue';

import { usePaletteEntries } from '../../../../renderer/app/usePaletteEntries.ts';
import { settingList, type SettingGroup } from '../../../../renderer/features/settings/settingList.ts';
import SettingsPane from '../../../../renderer/features/settings/SettingsPane.vue';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { waitForSearch } from '../../waitForSearch.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it.each([
  ['api key', ['models', 'realtime'], ['Model, API key', 'Tools and tokens']],
  ['token', ['models', 'realtime'], ['Tools and tokens']],
])('%s finds the sections with keys, and the panes that have others', async (query, sections, panes) => {
  const settings = window.use(() => useSettings());
  await vi.waitUntil(() => settings.loaded);
  const pane = window.mount(SettingsPane);
  await pane.get('input[type="search"], [role="searchbox"]').setValue(query);
  await waitForSearch();
  const shown = pane.findAll<HTMLElement>('[data-section]').filter(({ element }) => element.style.display !== 'none');
  expect(shown.map(({ element }) => element.dataset['section'])).toEqual(expect.arrayContaining(sections));
  const links = pane.findAll('.settings-column > p > button');
  expect(links.map((link) => link.text())).toEqual(panes.map((words) => expect.stringContaining(words) as string));
  await links.at(-1)!.trigger('click');
  expect(window.use(() => useNavigation()).pane).toBe('hosts');
});

it.each([
  ['prompt gateway', false, true],
  ['xyzzy', true, true],
  ['model', false, false],
])('says of %s that nothing matches only if no other pane has it', async (query, isSaid, showsAll) => {
  const settings = window.use(() => useSettings());
  await vi.waitUntil(() => settings.loaded);
  const pane = window.mount(SettingsPane);
  await pane.get('input[type="search"], [role="searchbox"]').setValue(query);
  await waitForSearch();
  expect(pane.text().includes('No settings match')).toBe(isSaid);
  expect(pane.findAll('button').some((one) => one.text() === 'Show all settings')).toBe(showsAll);
});

it.each(['models', 'modles'])('%s shows the section Models before those whose text has the word', async (query) => {
  const settings = window.use(() => useSettings());
  await vi.waitUntil(() => settings.loaded);
  const pane = window.mount(SettingsPane);
  await pane.get('input[type="search"], [role="searchbox"]').setValue(query);
  await waitForSearch();
  const shown = pane
    .findAll<HTMLElement>('[data-section]')
    .map(({ element }) => element)
    .filter(({ style }) => style.display !== 'none')
    .sort((a, b) => Number(a.style.order) - Number(b.style.order));
  expect(shown[0]?.dataset['section']).toBe('models');
  expect(shown.map(({ dataset }) => dataset['section'])).toContain('calling');
});

it('has every row that the palette finds', async () => {
  const { entries } = window.use(() => ({
    entries: usePaletteEntries(
      ref('port'),
      computed(() => []),
      ref(false),
    ),
  }));
  await vi.waitUntil(() => entries.search.value.found.some(({ title }) => title === 'settings.title'));
  const found = entries.search.value.found.find(({ title }) => title === 'settings.title')!.entries;
  expect(found.map(({ key }) => key)).toContain('setting:devices:settings.devices.port');
  const settings = window.use(() => useSettings());
  await vi.waitUntil(() => settings.loaded);
  const pane = window.mount(SettingsPane);
  const groups: SettingGroup[] = Object.values(settingList);
  const labels = groups.flatMap(({ settings: rows, others = [] }) => [...rows, ...others].map(({ label }) => label));
  await vi.waitUntil(() => pane.find('[data-setting="settings.devices.port"]').exists());
  expect(labels.filter((label) => !pane.find(`[data-setting="${label}"]`).exists())).toEqual([]);
});
