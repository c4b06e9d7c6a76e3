import { mount } from '@vue/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { defineComponent, h, KeepAlive, nextTick, shallowRef } from 'vue';

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

it('is where it was left when its pane comes back, whatever heights the pane has meanwhile', async () => {
  const observers: ResizeObserverCallback[] = [];
  const undo = giveLayout();
  onTestFinished(undo);
  const Observer = globalThis.ResizeObserver;
  class Told extends Observer {
    constructor(callback: ResizeObserverCallback) {
      super(callback);
      observers.push(callback);
    }
  }
  Object.defineProperty(globalThis, 'ResizeObserver', { configurable: true, get: () => Told });
  const list = shallowRef<{ scrollTo: (index: number) => void }>();
  const List = defineComponent(
    () => () =>
      h(VirtualList<number>, { ref: list, items: [...Array(100).keys()], itemKey: (item: number) => item, size: 30 }),
  );
  const pane = mount(
    defineComponent({
      props: { open: { type: Boolean, default: true } },
      setup: (props) => () => h(KeepAlive, () => (props.open ? h(List) : h('p'))),
    }),
    { attachTo: document.body },
  );
  onTestFinished(() => pane.unmount());
  await nextTick();
  const host = pane.get('.virtual').element;
  let at = 0;
  let height = 600;
  Object.defineProperty(host, 'scrollTop', {
    get: () => at,
    set: (to: number) => (at = height === 0 ? 0 : Math.max(0, Math.min(to, 3_000 - height))),
  });
  const beHigh = async (px: number): Promise<void> => {
    height = px;
    const box = [{ inlineSize: 100, blockSize: px }];
    const entry = { target: host, contentRect: { width: 100, height: px }, borderBoxSize: box, contentBoxSize: box };
    for (const tell of observers) tell([entry as unknown as ResizeObserverEntry], new Observer(() => {}));
    await nextTick();
    host.dispatchEvent(new Event('scroll'));
    await nextTick();
  };
  const firstRow = (): number => Number(pane.get('.virtual-row').attributes('data-index'));
  host.scrollTop = 1_500;
  host.dispatchEvent(new Event('scroll'));
  await nextTick();
  expect(firstRow()).toBe(42);
  await pane.setProps({ open: false });
  await beHigh(0);
  at = 0;
  // All of it fits at first.
  height = 3_000;
  await pane.setProps({ open: true });
  await beHigh(3_000);
  expect(firstRow()).toBe(0);
  await beHigh(300);
  expect([at, firstRow()]).toEqual([1_500, 42]);

  // A row that is asked for meanwhile is shown instead.
  await pane.setProps({ open: false });
  await beHigh(0);
  list.value?.scrollTo(90);
  at = 0;
  await pane.setProps({ open: true });
  await beHigh(600);
  expect(at).toBe(91 * 30 - 600);
});
