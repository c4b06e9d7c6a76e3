import { mount } from '@vue/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';

import SearchField from '../../../renderer/ui/SearchField.vue';

it('of several searches in one pane or dialog the first has the key, and says so alone', async () => {
  const search = (label: string) => h(SearchField, { label, modelValue: '' });
  const page = mount(
    defineComponent({
      props: { first: { type: Boolean, default: true } },
      setup: (props) => () =>
        h('div', [
          h('section', [props.first ? search('one') : undefined, search('two')]),
          h('section', { role: 'dialog' }, [search('three')]),
        ]),
    }),
    { attachTo: document.body },
  );
  onTestFinished(() => page.unmount());
  await nextTick();
  const keys = () => page.findAll('.search').map((field) => field.find('kbd').exists());
  expect(keys()).toEqual([true, false, true]);
  await page.setProps({ first: false });
  expect(keys()).toEqual([true, true]);
});
