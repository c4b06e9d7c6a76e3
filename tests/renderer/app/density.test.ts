import { expect, it } from 'vitest';
import { nextTick } from 'vue';

import App from '../../../renderer/app/App.vue';
import { useDensity } from '../../../renderer/window/useDensity.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it('is that of the window’s width until the user chooses one', async () => {
  window.mount(App);
  const settings = window.use(() => useSettings());
  const { listRow, logRow } = window.use(() => useDensity());
  const of = () => [document.documentElement.dataset['density'], listRow.value, logRow.value];
  expect(of()).toEqual(['compact', 30, 24]);
  settings.change({ density: 'comfortable' });
  await nextTick();
  expect(of()).toEqual(['comfortable', 36, 28]);
});
