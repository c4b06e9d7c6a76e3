import { expect, it } from 'vitest';

import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import ResultRegion from '../../../../renderer/features/executor/ResultRegion.vue';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it.each([
  ['text alone', [{ type: 'text', text: 'hello' }], '5 B'],
  [
    'text, a picture and a resource',
    [
      { type: 'text', text: 'hello' },
      { type: 'image', data: btoa('x'.repeat(4_000)), mimeType: 'image/png' },
      { type: 'resource', uri: 'file:///a', blob: btoa('y'.repeat(95)) },
    ],
    '4.1 kB',
  ],
])('the size of a result counts what its text only names: %s', async (_, content, size) => {
  const executor = window.use(() => useExecutor());
  const result = { status: 'success', result: 'hello', durationMs: 4, content };
  executor.selected = { callId: 'c', qualifiedName: 'a_b', argsJson: '{}', startedAt: 1, result } as never;
  const view = window.mount(ResultRegion, { calls: [], historyButton: false });
  await expect.poll(() => view.get('.sub').text()).toContain(`4 ms · ${size} · `);
});
