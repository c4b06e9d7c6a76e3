import { expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import ServersPane from '../../../../renderer/features/servers/ServersPane.vue';
import ConsentSheet from '../../../../renderer/features/servers/consent/ConsentSheet.vue';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it('reviews servers once more after the review was put off, with one sheet also after a double click', async () => {
  const { client } = window.connection;
  for (const name of ['one', 'two']) {
    const { id } = await client.servers.add({ name, type: 'stdio', command: process.execPath, args: [], env: [] });
    await client.servers.start({ id });
  }
  const pane = window.mount(ServersPane);
  await vi.waitUntil(() => pane.find('.review button').exists());
  const review = pane.get<HTMLButtonElement>('.review button').element;
  const later = () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent.includes('Decide on all 2 later'));
  review.click();
  (await vi.waitUntil(later)).click();
  await vi.waitUntil(() => pane.findAllComponents(ConsentSheet).length === 0);

  review.click();
  review.click();
  await nextTick();
  expect(review.getAttribute('aria-busy')).toBe('true');
  expect(pane.findAllComponents(ConsentSheet)).toHaveLength(1);
});
