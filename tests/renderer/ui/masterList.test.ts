import { expect, it, vi } from 'vitest';
import { defineComponent, h, ref } from 'vue';

import MasterList, { type ListHeading, type ListNote } from '../../../renderer/ui/MasterList.vue';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

interface Lamp {
  kind: 'lamp';
  key: string;
}
type Row = Lamp | ListHeading | ListNote;

let window: TestWindow;
windowForEachTest((opened) => (window = opened), { width: 400, height: 400 });

const lamp = (key: string): Row => ({ kind: 'lamp', key });
const rows: Row[] = [
  { kind: 'heading', key: 'on', title: 'On', count: 1 },
  lamp('desk'),
  { kind: 'heading', key: 'off', title: 'Off', count: '1 of 2' },
  { kind: 'note', key: 'none', text: 'No lamp is off.' },
  lamp('door'),
];
const chosen = ref('desk');
const entered = vi.fn();
const removed = vi.fn();

function mountList(props: { rows?: Row[]; loading?: boolean } = {}) {
  chosen.value = 'desk';
  const parent = defineComponent(
    () => () =>
      h(
        MasterList<Lamp>,
        {
          rows,
          rowKey: ({ key }) => key,
          chosen: chosen.value,
          size: 40,
          label: 'Lamps',
          empty: 'No lamp',
          menuOf: ({ key }) => [{ label: `Remove ${key}`, keys: 'delete', run: () => removed(key) }],
          onChoose: ({ key }) => (chosen.value = key),
          onEnter: entered,
          ...props,
        },
        {
          default: ({ row }: { row: Lamp }) => row.key,
          actions: ({ row, openMenu }: { row: Lamp; openMenu: (event: Event) => void }) =>
            h('button', { 'aria-label': `More for ${row.key}`, onClick: openMenu }),
        },
      ),
  );
  return window.mount(parent);
}
const selected = (list: ReturnType<typeof mountList>): string[] =>
  list.findAll('[aria-selected="true"]').map((row) => row.text());

it('names its rows, headings and notes to a screen reader, and the chosen row', async () => {
  const list = mountList();
  await vi.waitUntil(() => list.findAll('[role="row"]').length === 5);
  expect(list.get('[role="grid"]').attributes('aria-label')).toBe('Lamps');
  expect(list.findAll('[role="rowheader"]').map((heading) => heading.text())).toEqual(['On 1', 'Off 1 of 2']);
  expect(list.findAll('[role="row"]').map((row) => row.text())).toContain('No lamp is off.');
  expect(selected(list)).toEqual(['desk']);
  const active = list.get('[role="grid"]').attributes('aria-activedescendant');
  expect(list.get('[aria-selected="true"]').attributes('id')).toBe(active);
});

it('chooses with the arrows past headings and notes, and by a click', async () => {
  const list = mountList();
  await vi.waitUntil(() => list.findAll('[role="row"]').length === 5);
  const grid = list.get('[role="grid"]');
  await grid.trigger('keydown', { key: 'ArrowDown' });
  expect(selected(list)).toEqual(['door']);
  await grid.trigger('keydown', { key: 'Home' });
  expect(selected(list)).toEqual(['desk']);
  await list.findAll('[role="row"]').at(-1)?.trigger('click');
  expect(selected(list)).toEqual(['door']);
  expect(entered).not.toHaveBeenCalled();
  await grid.trigger('keydown', { key: 'Enter' });
  expect(entered).toHaveBeenCalledOnce();
});

it('opens the menu of a row without choosing the row', async () => {
  const list = mountList();
  await vi.waitUntil(() => list.find('[aria-label="More for door"]').exists());
  await list.get('[aria-label="More for door"]').trigger('click');
  const item = await vi.waitUntil(() => document.querySelector<HTMLElement>('[role="menuitem"]'));
  expect(item.textContent).toContain('Remove door');
  item.click();
  await vi.waitUntil(() => removed.mock.calls.length > 0);
  expect(removed).toHaveBeenCalledWith('door');
  expect(selected(list)).toEqual(['desk']);
});

it('runs an item of the menu of the chosen row by its key', async () => {
  removed.mockClear();
  const list = mountList();
  await list.get('[aria-label="Lamps"]').trigger('keydown', { key: 'Delete' });
  expect(removed.mock.calls).toEqual([['desk']]);
  await list.get('[aria-label="More for desk"]').trigger('keydown', { key: 'Delete' });
  expect(removed).toHaveBeenCalledOnce();
});

it('says that there are no rows, but not while they load', () => {
  expect(mountList({ rows: [] }).text()).toBe('No lamp');
  const loading = mountList({ rows: [], loading: true });
  expect(loading.text()).toBe('');
  expect(loading.findAll('.skeleton')).not.toHaveLength(0);
});
