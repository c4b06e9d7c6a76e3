/** The kept configurations of MCP servers when several things happen at a time, and when secrets cannot be written. */
import { expect, it } from 'vitest';

import type { ServerConfig } from '../../../../src-core/contract/servers.ts';
import { ServerBook } from '../../../../src-core/features/servers/serverBook.ts';

/** A book over maps. Writing the secret that is called `refused` fails. */
function openBook(): { book: ServerBook; secrets: Map<string, string>; settings: Map<string, unknown> } {
  const secrets = new Map<string, string>();
  const settings = new Map<string, unknown>();
  const book = new ServerBook({
    store: { get: (key) => settings.get(key) as never, set: (key, value) => void settings.set(key, value) },
    secrets: {
      storage: () => Promise.reject(new Error('unused')),
      get: (name) => Promise.resolve(secrets.get(name)),
      has: (name) => Promise.resolve(secrets.has(name)),
      set(name, value) {
        if (name.endsWith(':refused')) return Promise.reject(new Error('The secrets cannot be written.'));
        secrets.set(name, value);
        return Promise.resolve();
      },
      delete: (name) => Promise.resolve(void secrets.delete(name)),
    },
    isTaken: () => false,
    isRemoved: () => false,
    onError: (error) => {
      throw error;
    },
  });
  return { book, secrets, settings };
}

const server = (...env: string[]): ServerConfig => ({
  name: 'a',
  type: 'stdio',
  command: 'x',
  args: [],
  env: env.map((name) => ({ name, value: 'secret' })),
});

it('gives servers of one name that are added at a time different ids', async () => {
  const { book } = openBook();
  await Promise.all([book.add([{ config: server('A') }]), book.add([{ config: server('B') }, { config: server() }])]);
  expect(book.list().map(({ registryId }) => registryId)).toEqual(['mcp-a', 'mcp-a-2', 'mcp-a-3']);
});

it('leaves no secret of a server that is changed while it is removed', async () => {
  const { book, secrets } = openBook();
  const [id = ''] = await book.add([{ config: server('A') }]);
  const done = await Promise.allSettled([book.remove(id), book.change(id, server('A', 'B'))]);
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect([...secrets.keys()]).toEqual([]);
  const [other = ''] = await book.add([{ config: server('A') }]);
  await Promise.all([book.change(other, server('A', 'B')), book.remove(other)]);
  expect([...secrets.keys()]).toEqual([]);
});

it('adds all servers of a file or none', async () => {
  const { book, secrets } = openBook();
  await expect(book.add([{ config: server('A') }, { config: server('refused') }])).rejects.toThrow('cannot be written');
  const web: ServerConfig = { name: 'w', type: 'http', url: 'file:///x', headers: [] };
  await expect(book.add([{ config: server('A') }, { config: web }])).rejects.toThrow('"file:///x"');
  const many = Array.from({ length: 201 }, () => ({ config: server('A') }));
  await expect(book.add(many)).rejects.toThrow('There are 200 servers already.');
  expect(book.list()).toEqual([]);
  expect([...secrets.keys()]).toEqual([]);
});
