import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick, ref } from 'vue';

import Dialog from '../../../../renderer/ui/Dialog.vue';
import SwitchField from '../../../../renderer/ui/SwitchField.vue';
import TextField from '../../../../renderer/ui/TextField.vue';
import { useHotkeys } from '../../../../renderer/ui/composables/useHotkeys.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';

let window: TestWindow;
const run = vi.fn();
const inDialog = vi.fn();
const everywhere = vi.fn();
const open = ref(false);
const on = ref(false);

const OfDialog = defineComponent(() => {
  useHotkeys({ 'mod+enter': inDialog });
  return () => h('p', 'inside');
});
const Pane = defineComponent(() => {
  useHotkeys({ 'mod+enter': run, escape: run });
  useHotkeys({ 'mod+k': everywhere }, { overDialogs: true });
  return () =>
    h('div', { 'data-pane': 'executor' }, [
      h(SwitchField, { modelValue: on.value, 'onUpdate:modelValue': (now: boolean) => (on.value = now), label: 'ask' }),
      h(Dialog, { open: open.value, title: 'Over it', 'onUpdate:open': (now: boolean) => (open.value = now) }, () => [
        h(TextField, { modelValue: '', label: 'name' }),
        h(OfDialog),
      ]),
    ]);
});

beforeEach(async () => {
  window = await openWindow();
  for (const spy of [run, inDialog, everywhere]) spy.mockClear();
  open.value = on.value = false;
});
afterEach(() => window.close());

function press(target: Element | null, key: string, keys: KeyboardEventInit = {}): void {
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...keys }));
}

it('takes Ctrl+Enter before the control that has the focus', async () => {
  const pane = window.mount(Pane);
  press(pane.get('[role="switch"]').element, 'Enter', { ctrlKey: true });
  expect(run).toHaveBeenCalledOnce();
  expect(on.value).toBe(false);
  press(pane.get('[role="switch"]').element, 'Enter');
  await nextTick();
  expect(on.value).toBe(true);
  expect(run).toHaveBeenCalledOnce();
});

it('leaves the keys under an open dialog alone, but those of the dialog and of the window', async () => {
  window.mount(Pane);
  open.value = true;
  const field = await vi.waitUntil(() => document.querySelector('[role="dialog"] input'));
  press(field, 'Enter', { ctrlKey: true });
  press(document.body, 'Enter', { ctrlKey: true });
  expect(run).not.toHaveBeenCalled();
  expect(inDialog).toHaveBeenCalledTimes(2);
  press(field, 'k', { ctrlKey: true });
  expect(everywhere).toHaveBeenCalledOnce();
  open.value = false;
  await vi.waitUntil(() => document.querySelector('[role="dialog"]') === null);
  await vi.waitFor(() => {
    press(document.body, 'Enter', { ctrlKey: true });
    expect(run).toHaveBeenCalledOnce();
  });
});
