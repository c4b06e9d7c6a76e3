/** Kept MCP servers in the terminal: nothing is started before it is approved. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import type { ServerRow } from '../../../src-core/contract/servers.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

test('a server is added, asks, is approved by its fingerprint, is called, and is removed', async () => {
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  const serving = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await serving.firstLine();
  const added = await toolwire('servers', 'add', `"${process.execPath}" "${everything}"`);
  expect(added.code).toBe(0);
  const [id = ''] = added.out.split('  ');
  const rows = async () => JSON.parse((await toolwire('servers', 'list', '--json')).out) as ServerRow[];
  expect(await rows()).toMatchObject([{ id, state: 'asking' }]);

  const refused = await toolwire('servers', 'start', id);
  expect(refused.code).toBe(3);
  expect(refused.err).toContain(process.execPath);
  expect(refused.err).toContain(everything);
  const fingerprint = /--approve (\w{64}) starts it/.exec(refused.err)?.[1] ?? '';
  expect(fingerprint).not.toBe('');
  expect((await rows())[0]?.state).toBe('asking');
  expect((await toolwire('servers', 'start', id, '--approve', '0'.repeat(64))).code).toBe(1);

  const started = await toolwire('servers', 'start', id, '--approve', fingerprint);
  expect(started.err).toMatch(/ is ready with \d+ tools\.\n$/);
  expect(started.code).toBe(0);
  const [row] = await rows();
  expect((await toolwire('tools')).out).toContain(`${row?.registryId}_echo`);
  const called = await toolwire('call', `${row?.registryId}_echo`, '--args', '{"message":"9007199254740993"}');
  expect(called).toMatchObject({ code: 0 });
  expect(called.out).toContain('9007199254740993');
  expect((await toolwire('servers', 'stop', id)).code).toBe(0);
  expect((await rows())[0]?.state).toBe('stopped');
  expect((await toolwire('servers', 'remove', id)).code).toBe(0);
  expect(await rows()).toEqual([]);
  expect(await toolwire('servers', 'add', 'a | b')).toMatchObject({ code: 1 });
});
