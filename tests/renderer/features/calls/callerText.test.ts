import { expect, test } from 'vitest';

import { callerText } from '../../../../renderer/features/calls/callerText.ts';

test('names the caller, with the host, the server of an App or the node', () => {
  expect(callerText({ origin: 'executor' })).toBeUndefined();
  expect(callerText({ origin: 'cli' })).toBe('from the terminal');
  expect(callerText({ origin: 'host', host: 'Claude\u200b' })).toBe('from Claude\\u200b');
  expect(callerText({ origin: 'node', host: 'lab-2' })).toBe('from lab-2');
  expect(callerText({ origin: 'node' })).toBe('from another node');
  expect(callerText({ origin: 'app', host: 'maps' })).toBe('from the App of maps');
});
