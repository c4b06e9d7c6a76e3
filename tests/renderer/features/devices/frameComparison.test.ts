import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it } from 'vitest';

import FrameComparison from '../../../../renderer/features/log/FrameComparison.vue';
import { WireRows } from '../../../../renderer/features/log/wireRows.ts';
import type { Frame } from '../../../../src-core/contract/types.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';
import { dialog } from './acting.ts';
import { answer } from './rows.ts';

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
