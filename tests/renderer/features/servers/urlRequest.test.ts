import { expect, it, vi } from 'vitest';
import { h } from 'vue';

import UrlRequest from '../../../../renderer/features/servers/requests/UrlRequest.vue';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it.each([
  ['http://127.0.0.1:3000/form', true],
  ['https://example.com/'.padEnd(8_192, 'x'), true],
  ['https://example.com/'.padEnd(8_193, 'x'), false],
  ['https://user:secret@example.com/', false],
  ['javascript:alert(1)', false],
])('accepts a page only if it opens it: %#', async (url, opens) => {
  const open = vi.spyOn(globalThis.window, 'open').mockReturnValue(null);
  const answers: unknown[] = [];
  const request = {
    requestId: 'r',
    serverId: 's',
    serverName: 'lab',
    askedAt: 0,
    kind: 'url' as const,
    message: '',
    url,
  };
  const card = window.mount(() => h(UrlRequest, { request, busy: false, onAnswer: (each) => answers.push(each) }));
  await card.get('footer button').trigger('click');
  expect(open.mock.calls.map(([link]) => link)).toEqual(opens ? [url] : []);
  expect(answers).toEqual(opens ? [{ action: 'accept' }] : []);
  open.mockRestore();
});
