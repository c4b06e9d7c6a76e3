/** A call that waits when its host may no longer call gets an error, not just the end of its stream. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { expect, it } from 'vitest';

import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { connectHost, newToken } from './connectHost.ts';
import { registryOf } from './support.ts';

async function startCall(era: 'legacy' | 'modern') {
  const workbench = await openWorkbench();
  const [began, aborted] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const run = (_args: unknown, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener('abort', () => aborted.resolve(undefined));
    began.resolve(undefined);
    return new Promise<never>(() => undefined);
  };
  workbench.toolRegistryManager.register(registryOf('slow', { wait: { run } }));
  const { id, token } = newToken(workbench);
  const client = await connectHost(workbench, { era, token });
  const failure = client.callTool({ name: 'slow_wait' }).catch((error: unknown) => error);
  await began.promise;
  return { id, workbench, hosts: workbench.services.hosts, failure, aborted: aborted.promise };
}

it.each(['legacy', 'modern'] as const)('says that the token was revoked, %s', async (era) => {
  const { id, hosts, failure, aborted } = await startCall(era);
  await hosts.revoke({ id });
  expect(await failure).toMatchObject({ code: -32_000, message: 'The token of this host was revoked in Toolwire.' });
  await aborted;
});

it('says that the host is offered other tools', async () => {
  const { id, hosts, failure, aborted } = await startCall('modern');
  hosts.change({ id, scope: { kind: 'device', id: 'lamp' }, finds: false });
  expect(await failure).toMatchObject({ code: -32_000, message: expect.stringContaining('other tools') });
  await aborted;
});

it('says that Toolwire was closed', async () => {
  const { workbench, failure, aborted } = await startCall('modern');
  await workbench.close();
  expect(await failure).toMatchObject({ code: -32_000, message: expect.stringContaining('Toolwire was closed') });
  await aborted;
});

it('records the error as the answer of the call', async () => {
  const { id, workbench, hosts, failure } = await startCall('modern');
  hosts.change({ id, scope: { kind: 'device', id: 'lamp' }, finds: false });
  await failure;
  const { rows } = await workbench.services.frames.page({ source: 'host', connection: id, limit: 1_000 });
  expect(rows).toContainEqual(
    expect.objectContaining({ direction: 'out', method: 'tools/call', role: 'answer', failed: true }),
  );
});

it('breaks off an answer in JSON that has begun', async () => {
  const workbench = await openWorkbench();
  // 29 MB in JSON, which the buffers of the sockets do not hold.
  const escaped = '\u0001'.repeat(4_900_000);
  workbench.toolRegistryManager.register(registryOf('big', { read: { run: () => ({ value: escaped }) } }));
  const { id, token } = newToken(workbench);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'big_read', arguments: {}, _meta: meta };
  const asked = request(workbench.services.hosts.state().url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'big_read',
    },
  });
  asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(response.headers['content-type']).toBe('application/json');
  await workbench.services.hosts.revoke({ id });
  await expect(text(response)).rejects.toThrow('aborted');
});
