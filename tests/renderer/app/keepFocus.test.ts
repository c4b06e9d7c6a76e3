import { mount } from '@vue/test-utils';
import { expect, it, onTestFinished, vi } from 'vitest';
import { defineComponent, h, ref } from 'vue';

import { useKeepFocus } from '../../../renderer/app/useKeepFocus.ts';

const parts = ref<string[]>([]);
const Page = defineComponent({
  setup() {
    useKeepFocus();
    return () =>
      h('div', { 'data-half': 'devices', tabindex: -1 }, [
        ...parts.value.map((id) => h('button', { id, key: id, onClick: () => remove(id) })),
        h('ul', { id: 'list', role: 'listbox', tabindex: 0 }),
      ]);
  },
});
const remove = (...ids: string[]): void => void (parts.value = parts.value.filter((id) => !ids.includes(id)));
const focused = (id: string) => vi.waitUntil(() => document.activeElement?.id === id);
const find = (id: string): HTMLElement => document.querySelector<HTMLElement>(`#${id}`)!;

it('returns to what had the focus before and is still there, or else to the list', async () => {
  parts.value = ['open', 'passing', 'close', 'alone'];
  const page = mount(Page, { attachTo: document.body });
  onTestFinished(() => page.unmount());
  for (const id of ['open', 'passing', 'close']) find(id).focus();
  remove('passing');
  await vi.waitUntil(() => document.querySelector('#passing') === null);
  find('close').click();
  await focused('open');
  find('open').click();
  await focused('list');
});

it('leaves the focus to a dialog, and where the user put it', async () => {
  parts.value = ['open', 'close'];
  const page = mount(Page, { attachTo: document.body });
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.setAttribute('role', 'dialog');
  onTestFinished(() => (page.unmount(), dialog.remove()));
  for (const id of ['open', 'close']) find(id).focus();
  find('close').click();
  await vi.waitUntil(() => document.querySelector('#close') === null);
  expect(document.activeElement).toBe(document.body);
  find('list').focus();
  remove('open');
  await focused('list');
});

it('returns the focus also while other rows are added all the time', async () => {
  parts.value = ['open', 'close'];
  const page = mount(Page, { attachTo: document.body });
  onTestFinished(() => page.unmount());
  for (const id of ['open', 'close']) find(id).focus();
  const rows = setInterval(() => find('list').append(document.createElement('li')), 10);
  onTestFinished(() => clearInterval(rows));
  find('close').click();
  await focused('open');
});
