/** Lists in the settings of which an item cannot be read: the others are used, and what is written next keeps it. */
import { expect, test } from 'vitest';

import type { JsonValue } from '../../../src-core/base/json.ts';
import { createEndpointBook } from '../../../src-core/features/endpoint/endpointBook.ts';
import { createHostTokens } from '../../../src-core/features/hosts/hostTokens.ts';
import { ServerBook } from '../../../src-core/features/servers/serverBook.ts';

/** Settings with `value`, and what is reported. */
function settings(key: string, value: JsonValue) {
  const values = new Map([[key, value]]);
  const errors: string[] = [];
  return {
    store: {
      get: (name: string) => values.get(name),
      set: (name: string, now: JsonValue) => void values.set(name, now),
    },
    onError: (error: unknown, where: string) => void errors.push(`${where}: ${(error as Error).message}`),
    errors,
    stored: () => values.get(key),
  };
}

test('MCP servers', () => {
  const config = { type: 'stdio', command: 'x', args: [], envNames: [] };
  const good = { id: '1', name: 'good', registryId: 'mcp-good', config };
  const later = { ...good, id: '2', name: 'later', config: { type: 'quic', url: 'quic://x' } };
  const { store, onError, errors, stored } = settings('servers', [later, good, 7]);
  const secrets = { get: () => Promise.resolve(undefined) };
  const book = new ServerBook({
    store,
    secrets: secrets as never,
    isTaken: () => false,
    isRemoved: () => false,
    onError,
  });
  expect(book.list().map(({ name }) => name)).toEqual(['good']);
  expect(errors).toEqual([
    expect.stringMatching(/^the MCP servers: Item 1 "later" "2" is kept, but cannot be read: "config.type"/),
    'the MCP servers: Item 3 is kept, but cannot be read: The item must be an object.',
  ]);
  book.set('1', { sampling: true });
  expect(stored()).toMatchObject([{ id: '1', sampling: true }, later, 7]);
});

test('endpoints of agents', () => {
  const chosen = { all: true, sources: [], tools: [] };
  const good = { id: '1', place: 'ws://a', label: 'a', chosen, maxResultBytes: 64, timeoutMs: 1_000, enabled: false };
  const later = { ...good, id: '2', label: 'b', fields: 'of a later version' };
  const { store, onError, errors, stored } = settings('endpoints', [later, good]);
  const offerChosen = () => ({ onChange: () => () => undefined }) as never;
  const book = createEndpointBook({ store, offerChosen, onChange: () => undefined, onError });
  expect([...book.kept.keys()]).toEqual(['1']);
  expect(errors).toEqual([expect.stringContaining('Item 1 "b" "2"')]);
  book.save();
  expect(stored()).toEqual([good, later]);
});

test('tokens of MCP hosts', () => {
  const good = { id: '1', name: 'good', scope: 'all', finds: false, hash: 'a'.repeat(64), createdAt: 1 };
  const later = { ...good, id: '2', hash: 'sha512' };
  const { store, onError, errors, stored } = settings('hosts', { openToNetwork: true, tokens: [later, good] });
  const tokens = createHostTokens({ store, onError });
  expect([tokens.openToNetwork(), tokens.list().map(({ id }) => id)]).toEqual([true, ['1']]);
  expect(errors).toEqual([expect.stringContaining('Item 1 "good" "2"')]);
  tokens.setOpenToNetwork(false);
  expect(stored()).toEqual({ openToNetwork: false, tokens: [good, later] });
});
