import { mount } from '@vue/test-utils';
import { Info } from '@lucide/vue';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { h, nextTick, ref, withDirectives } from 'vue';

import CallDecision from '../../../renderer/features/calls/CallDecision.vue';
import AppQuestion from '../../../renderer/features/servers/app/AppQuestion.vue';
import DefinitionDiff from '../../../renderer/features/servers/detail/DefinitionDiff.vue';
import AskCard from '../../../renderer/ui/AskCard.vue';
import { vSettling } from '../../../renderer/ui/settling.ts';
import type { ChatCall, DefinitionChange } from '../../../src-core/contract/types.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

const observers = new Set<() => void>();
const onResize = (): void => observers.forEach((tell) => tell());
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => undefined);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        observers.add(tell);
      }
      observe(): void {}
      unobserve(): void {}
    },
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Items one under the other, each as high as `heights` says, or else 40 px. */
function openList() {
  const pressed: string[] = [];
  const heights = new Map<string, number>();
  const list = mount(
    (props: { items: string[] }) =>
      h(
        'ul',
        props.items.map((item) =>
          withDirectives(h('li', { key: item }, h('button', { onClick: () => pressed.push(item) }, item)), [
            [vSettling],
          ]),
        ),
      ),
    { props: { items: ['first', 'second'] }, attachTo: document.body },
  );
  vi.spyOn(HTMLLIElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLLIElement) {
    const before = [...(this.parentElement?.children ?? [])];
    const above = before.slice(0, before.indexOf(this));
    return new DOMRect(
      0,
      above.reduce((sum, { textContent }) => sum + (heights.get(textContent) ?? 40), 0),
    );
  });
  // What was measured without layout.
  onResize();
  return { list, pressed, heights, press: (at: number) => list.findAll('button')[at]!.trigger('click') };
}

it('takes no press for half a second after a button has come into another one’s place', async () => {
  const { list, pressed, press } = openList();
  await press(0);
  expect(pressed).toEqual([]);
  vi.advanceTimersByTime(500);
  await press(0);
  expect(pressed).toEqual(['first']);

  await list.setProps({ items: ['second', 'third'] });
  await press(0);
  expect(pressed).toEqual(['first']);
  vi.advanceTimersByTime(500);
  await press(0);
  expect(pressed).toEqual(['first', 'second']);
});

it('takes no press after what is above has become lower', async () => {
  const { pressed, heights, press } = openList();
  vi.advanceTimersByTime(500);
  heights.set('first', 20);
  onResize();
  await press(1);
  await press(0);
  expect(pressed).toEqual(['first']);
  vi.advanceTimersByTime(500);
  await press(1);
  expect(pressed).toEqual(['first', 'second']);
});

it('leaves a button that stays in its place in use when another one is added after it', async () => {
  const { list, pressed, press } = openList();
  vi.advanceTimersByTime(500);
  await list.setProps({ items: ['first', 'second', 'third'] });
  await press(1);
  await press(2);
  expect(pressed).toEqual(['second']);
});

it('ignores keys of new buttons and keys that are held, but not Escape', async () => {
  const { list } = openList();
  const isTaken = (key: string, repeat = false): boolean => {
    const event = new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true });
    list.get('button').element.dispatchEvent(event);
    return !event.defaultPrevented;
  };
  expect(isTaken('Enter')).toBe(false);
  expect(isTaken('Escape')).toBe(true);
  vi.advanceTimersByTime(500);
  expect(isTaken('Enter')).toBe(true);
  expect(isTaken('Enter', true)).toBe(false);
  expect(isTaken(' ', true)).toBe(false);
});

it('takes the click on a new button by which Enter in a field sends its form', async () => {
  const { list, pressed, press } = openList();
  const form = document.createElement('form');
  const field = document.createElement('input');
  list.element.before(form);
  form.append(field);
  field.focus();
  await press(0);
  expect(pressed).toEqual([]);
  form.append(list.element);
  await press(0);
  expect(pressed).toEqual(['first']);
  form.remove();
});

it('takes no press for half a second after another step of a decision, or another definition, is shown', async () => {
  const pressed: string[] = [];
  const call = { id: 'c', toolName: 'listFiles', argsJson: '{}', state: 'waiting' } as unknown as ChatCall;
  const decide = (): Promise<void> => Promise.resolve(void pressed.push('call'));
  const change = ref<DefinitionChange>({ tool: 'light', kind: 'changed', hash: 'a', fields: [] });
  const shown = window.mount(() => [
    h(CallDecision, { call, decide }),
    h(DefinitionDiff, {
      change: change.value,
      busy: false,
      callable: false,
      kept: false,
      onAccept: () => pressed.push(change.value.hash),
    }),
  ]);
  const press = (label: string) =>
    shown
      .findAll('button')
      .find((button) => button.text() === label)!
      .trigger('click');
  vi.advanceTimersByTime(500);
  await press('Refuse');
  vi.advanceTimersByTime(500);
  await press('Back');
  await press('Approve');
  expect(pressed).toEqual([]);
  change.value = { ...change.value, hash: 'b' };
  await nextTick();
  await press('Accept the change');
  expect(pressed).toEqual([]);
  vi.advanceTimersByTime(500);
  await press('Accept the change');
  expect(pressed).toEqual(['b']);
});

it('guards every decision on a call and every card of something that waits, wherever it is shown', async () => {
  const pressed: string[] = [];
  const call = { id: 'c', toolName: 'listFiles', argsJson: '{}', state: 'waiting' } as unknown as ChatCall;
  const decide = (): Promise<void> => Promise.resolve(void pressed.push('call'));
  const card = { icon: Info, title: '', from: '', since: 0 };
  const question = { id: 1, kind: 'message', text: '', answer: () => pressed.push('app') } as const;
  const shown = window.mount(() => [
    h(CallDecision, { call, decide }),
    h(AskCard, card, () => h('button', { class: 'answer', onClick: () => pressed.push('card') })),
    h(AppQuestion, { question, name: '' }),
  ]);
  const pressAll = async (): Promise<void> => {
    await shown.get('[data-decision] button').trigger('click');
    await shown.get('.ask .answer').trigger('click');
    await shown.get('.question button').trigger('click');
  };
  await pressAll();
  expect(pressed).toEqual([]);
  vi.advanceTimersByTime(500);
  await pressAll();
  expect(pressed).toEqual(['call', 'card', 'app']);
});
