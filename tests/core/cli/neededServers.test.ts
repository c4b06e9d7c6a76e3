/** Which servers a command starts. */
import { expect, test } from 'vitest';

import { createNeededServers } from '../../../src-core/cli/neededServers.ts';
import type { ServerRow } from '../../../src-core/contract/types.ts';
import type { Client } from '../../../src-core/rpc/client.ts';
import { testTerminal } from './cliProcess.ts';

test('a server that waits for a sign-in is not started again, which would end the calls that wait', async () => {
  const row = { id: 's', name: 'lab', registryId: 'mcp-lab', state: 'sign-in' } as ServerRow;
  const started: string[] = [];
  const servers = {
    list: () => Promise.resolve([row]),
    start: ({ id }: { id: string }) => Promise.resolve(void started.push(id)),
  };
  const terminal = testTerminal();
  const needed = createNeededServers({ client: { servers } as unknown as Client, terminal });
  await expect(needed.startOwnerOf('mcp-lab_read')).rejects.toMatchObject({
    exitCode: 3,
    message: 'lab needs a sign-in. Run: toolwire servers sign-in s',
  });
  expect(started).toEqual([]);
});
