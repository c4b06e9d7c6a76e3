import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';

import { createHostBook } from '../../../../src-core/features/hosts/hostBook.ts';
import { createHostTokens } from '../../../../src-core/features/hosts/hostTokens.ts';
import { memoryStore } from './support.ts';

test('a token of an MCP host that cannot be read is listed and can be revoked', () => {
  const good = { id: '1', name: 'good', scope: 'all', finds: false, hash: 'a'.repeat(64), createdAt: 1 };
  // Of the length of a hash, but not hexadecimal.
  const later = { ...good, id: '2', name: 'later', hash: 'z'.repeat(64) };
  const store = memoryStore();
  store.set('hosts', { openToNetwork: false, tokens: [later, 7, good] });
  const tokens = createHostTokens({ store, onError: () => undefined });
  const book = createHostBook({ tokens, clock: { wall: () => 0 }, onChange: () => undefined });
  expect(tokens.of({ headers: { authorization: 'Bearer x' } } as IncomingMessage)).toBeUndefined();
  const rows = book.rows(() => 0);
  expect(rows.map(({ name, unreadable = false }) => [name, unreadable])).toEqual([
    ['good', false],
    ['later', true],
    [expect.stringMatching(/^unreadable-[0-9a-f]{64}$/), true],
  ]);
  for (const { id, unreadable } of rows) if (unreadable) expect(tokens.revoke(id)).toBe(true);
  expect(tokens.revoke('2')).toBe(false);
  expect(book.rows(() => 0).map(({ name }) => name)).toEqual(['good']);
  expect(store.get('hosts')).toEqual({ openToNetwork: false, tokens: [good] });
});
