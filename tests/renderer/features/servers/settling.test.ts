import { mount } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { h, withDirectives } from 'vue';

import { vSettling } from '../../../../renderer/features/servers/consent/settling.ts';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => undefined);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function openList() {
  const pressed: string[] = [];
  const list = mount(
    (props: { items: string[] }) =>
      h(
        'ul',
        props.items.map((item, at) =>
          withDirectives(h('li', { key: item }, h('button', { onClick: () => pressed.push(item) }, item)), [
            [vSettling, at],
          ]),
        ),
      ),
    { props: { items: ['first', 'second'] }, attachTo: document.body },
  );
  return { list, pressed, press: (at: number) => list.findAll('button')[at]!.trigger('click') };
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
