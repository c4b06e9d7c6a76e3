import { mount } from '@vue/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { nextTick } from 'vue';

import VirtualList from '../../../renderer/ui/VirtualList.vue';
import { giveLayout } from '../layout.ts';

it('places rows anew if as many of other heights come', async () => {
  onTestFinished(giveLayout());
  const list = mount(VirtualList<number>, {
    props: { items: [30, 30], itemKey: (_, index) => index, size: (height) => height },
    attachTo: document.body,
  });
  onTestFinished(() => list.unmount());
  await nextTick();
  await list.setProps({ items: [60, 30] });
  await nextTick();
  expect(list.findAll('.virtual-row').at(-1)!.attributes('style')).toContain('translateY(60px)');
});
