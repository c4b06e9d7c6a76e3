import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';

import ToastHost from '../../../renderer/ui/ToastHost.vue';
import { liftOver } from '../../../renderer/ui/composables/liftOver.ts';
import { useToasts } from '../../../renderer/window/toasts.ts';
import { openWindow, type TestWindow } from '../openWindow.ts';

describe('a notice', () => {
  let window: TestWindow;
  beforeEach(async () => (window = await openWindow()));
  afterEach(() => window.close());

  it('is closed by Esc, the newest first, unless something else takes the key', async () => {
    window.mount(ToastHost);
    const toasts = window.use(() => useToasts());
    for (const title of ['first', 'second']) toasts.show({ kind: 'ok', title });
    await flushPromises();
    const press = (): boolean =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    const take = (event: Event): void => event.preventDefault();
    document.addEventListener('keydown', take);
    press();
    document.removeEventListener('keydown', take);
    expect(toasts.list).toHaveLength(2);
    press();
    expect(toasts.list.map(({ title }) => title)).toEqual(['first']);
  });
});

test.each([
  ['nothing', [], 0],
  ['a button beside it', [{ left: 100, right: 200, top: 750, bottom: 780 }], 0],
  ['a button above it', [{ left: 900, right: 1000, top: 600, bottom: 630 }], 0],
  ['a button under it', [{ left: 1100, right: 1260, top: 740, bottom: 768 }], 28],
  [
    'two rows of buttons',
    [
      { left: 1100, right: 1260, top: 680, bottom: 712 },
      { left: 1100, right: 1260, top: 740, bottom: 768 },
    ],
    88,
  ],
  ['buttons up to the top', [{ left: 1100, right: 1260, top: 20, bottom: 768 }], 0],
])('a notice moves clear of %s', (_of, others, lift) => {
  expect(liftOver({ left: 850, right: 1264, top: 720, bottom: 760 }, others)).toBe(lift);
});
