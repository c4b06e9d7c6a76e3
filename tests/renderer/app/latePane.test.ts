import { expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';

import LatePane from '../../../renderer/app/halves/LatePane.vue';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

const loaded = { default: defineComponent(() => () => h('p', 'The list')) };

it('says that a pane could not be loaded, and loads it when asked', async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(loaded);
  const pane = window.mount(LatePane, { name: 'devices.title', load });
  await vi.waitUntil(() => pane.find('[role="alert"]').exists());
  expect(pane.text()).toContain('Devices could not be loaded.');
  await pane.get('button').trigger('click');
  await vi.waitUntil(() => pane.text() === 'The list');
  expect(load).toHaveBeenCalledTimes(2);
});

it('loads it by itself once the window is connected again', async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(loaded);
  const pane = window.mount(LatePane, { name: 'devices.title', load });
  await vi.waitUntil(() => pane.find('[role="alert"]').exists());
  window.cut()();
  await vi.waitUntil(() => pane.text() === 'The list');
  expect(load).toHaveBeenCalledTimes(2);
});
