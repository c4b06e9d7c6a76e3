import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it } from 'vitest';

import FrameComparison from '../../../../renderer/features/log/FrameComparison.vue';
import { WireRows } from '../../../../renderer/features/log/wireRows.ts';
import type { Frame } from '../../../../src-core/contract/types.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';
import { dialog, until } from './acting.ts';
import { answer, request, row } from './rows.ts';

let window: TestWindow;
beforeEach(async () => (window = await openWindow()));
afterEach(() => window.close());

it.each([
  ['{"a":1}', '{"a":1}', 'The frames are identical.'],
  ['{"id":1,"a":1}', '{"id":2,"a":1}', 'identical except for the ids'],
  ['{"a":1}', '{"a":2}', '1 changed'],
])('says of %s and %s what differs', async (first, second, words) => {
  const rows = new WireRows();
  rows.add([answer(1, 7), answer(2, 8)]);
  const frame = (seq: number): Promise<Frame> =>
    Promise.resolve({ ...rows.entries[seq - 1]!.row, text: seq === 1 ? first : second });
  window.mount(FrameComparison, { source: { frame }, entries: rows.entries, pinned: [], seq: 2 });
  const shown = await dialog('Compare two frames');
  await flushPromises();
  expect(shown.querySelector('.results-compared')?.textContent).toContain(words);
  expect(shown.querySelectorAll('.heads h3')).toHaveLength(2);
});

it('opens at the first difference', async () => {
  const rows = new WireRows();
  rows.add([answer(1, 7), answer(2, 8)]);
  const frame = (seq: number): Promise<Frame> =>
    Promise.resolve({ ...rows.entries[seq - 1]!.row, text: `{"id":${seq},"a":${seq},"b":${seq}}` });
  window.mount(FrameComparison, { source: { frame }, entries: rows.entries, pinned: [], seq: 2 });
  const shown = await dialog('Compare two frames');
  await flushPromises();
  const bar = shown.querySelector('.bar')?.textContent;
  expect(bar).toContain('$.a');
  expect(bar).toContain('1 of 2');
});

it('compares with any other frame if the log has none of the same kind', async () => {
  const rows = new WireRows();
  rows.add([
    request(1, 7),
    answer(2, 7),
    row({ seq: 3, type: 'hello', summary: 'hello' }),
    row({ seq: 4, kind: 'binary' }),
  ]);
  const frame = (seq: number): Promise<Frame> =>
    Promise.resolve({ ...rows.entries[seq - 1]!.row, text: `{"a":${seq}}` });
  window.mount(FrameComparison, { source: { frame }, entries: rows.entries, pinned: [], seq: 2 });
  const shown = await dialog('Compare two frames');
  await flushPromises();
  expect([...shown.querySelectorAll('.heads h3')].map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('tools/call self.x'),
    expect.stringContaining('result'),
  ]);
  shown
    .querySelector('[role="combobox"]')
    ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await until(() => document.querySelectorAll('[role="option"]').length === 2);
});

it('reads no more of a long log than the frames that can be chosen', async () => {
  const rows = new WireRows();
  rows.add(Array.from({ length: 10_000 }, (_, at) => answer(at, at)));
  let reads = 0;
  const entries = new Proxy(rows.entries, {
    get(target, key, receiver) {
      reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  const frame = (seq: number): Promise<Frame> => Promise.resolve({ ...rows.entries[seq]!.row, text: `{"a":${seq}}` });
  window.mount(FrameComparison, { source: { frame }, entries, pinned: [], seq: 5_000 });
  await dialog('Compare two frames');
  expect(reads).toBeLessThan(500);
});
