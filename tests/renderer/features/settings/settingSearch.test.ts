import { expect, it, vi } from 'vitest';

import SettingsPane from '../../../../renderer/features/settings/SettingsPane.vue';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it.each(['models', 'modles'])('%s shows the section Models before those whose text has the word', async (query) => {
  const settings = window.use(() => useSettings());
  await vi.waitUntil(() => settings.loaded);
  const pane = window.mount(SettingsPane);
  await pane.get('input[type="search"], [role="searchbox"]').setValue(query);
  const shown = pane
    .findAll<HTMLElement>('[data-section]')
    .map(({ element }) => element)
    .filter(({ style }) => style.display !== 'none')
    .sort((a, b) => Number(a.style.order) - Number(b.style.order));
  expect(shown[0]?.dataset['section']).toBe('models');
  expect(shown.map(({ dataset }) => dataset['section'])).toContain('calling');
});
