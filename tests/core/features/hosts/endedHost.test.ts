/** A call that waits when its host may no longer call gets an error, not just the end of its stream. */
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
  return { id, hosts: workbench.services.hosts, failure, aborted: aborted.promise };
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
