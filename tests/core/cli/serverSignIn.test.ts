/** `toolwire servers sign-in`: prints the page, and waits until the browser returns. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import type { ServerRow } from '../../../src-core/contract/types.ts';
import { connectToRunning } from '../../../src-core/rpc/runningWorkbench.ts';
import { serveProtected, type ProtectedOptions } from '../mcp/protectedServer.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';

interface Kept {
  dir: string;
  url: string;
  toolwire: (...args: string[]) => ReturnType<typeof runCli>;
}

/** A protected server that is kept and always approved. */
async function keep(options?: ProtectedOptions, other?: string): Promise<Kept> {
  const dir = dataDirWith();
  const toolwire: Kept['toolwire'] = (...args) => runCli([...args, '--data-dir', dir]);
  const serving = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await serving.firstLine();
  const url = other ?? (await serveProtected(options)).url;
  const [id = ''] = (await toolwire('servers', 'add', url)).out.split('  ');
  const refused = await toolwire('servers', 'sign-in', id);
  expect(refused).toMatchObject({ code: 3 });
  const asked = await toolwire('servers', 'start', id);
  const fingerprint = /--approve (\w{64})/.exec(asked.err)?.[1] ?? '';
  await toolwire('servers', 'start', id, '--approve', fingerprint);
  return { dir, url: id, toolwire };
}

test('prints the page, and ends once the browser has returned', async () => {
  const { dir, url } = await keep();
  const signing = startCli(['servers', 'sign-in', url, '--json', '--data-dir', dir]);
  const page = JSON.parse(await signing.firstLine()) as { url: string };
  // Another start would end what waits for the sign-in.
  const other = startCli(['servers', 'sign-in', url, '--data-dir', dir]);
  expect((await other.firstLine()).trim()).toBe(page.url);
  expect(await (await fetch(page.url)).text()).toContain('You can close this page');
  const { code, out } = await signing.ended;
  expect(code).toBe(0);
  expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({ ready: true, signedIn: { clientId: 'c1' } });
  expect(out).not.toContain('of-the-test');
});

test('prints the whole reason if the server refuses without naming an authorization server', async () => {
  const bare = createServer((_, answer) => void answer.writeHead(401).end());
  await once(bare.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void bare.close());
  const { url, toolwire } = await keep(undefined, `http://127.0.0.1:${(bare.address() as AddressInfo).port}/mcp`);
  const { code, err } = await toolwire('servers', 'sign-in', url);
  expect(code).toBe(1);
  expect(err).toMatch(/: The server requires .* correct the header Authorization\.\n$/);
});

test('names the step that failed and what to change, and signs in with a client of its own', async () => {
  const { dir, url, toolwire } = await keep({ metadata: { registration_endpoint: undefined } });
  const failed = await toolwire('servers', 'sign-in', url);
  expect(failed.code).toBe(1);
  expect(failed.err).toMatch(/failed +registration/);
  expect(failed.err).toContain('Register a client there');
  const wrong = await toolwire('servers', 'sign-in', url, '--auth', 'magic');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--auth must be one of')]);
  const signing = startCli(['servers', 'sign-in', url, '--client-id', 'mine', '--data-dir', dir]);
  const page = new URL(await signing.firstLine());
  expect(page.searchParams.get('client_id')).toBe('mine');
  await (await fetch(page)).text();
  expect((await signing.ended).code).toBe(0);
});

test('a call that needs more rights shows the page, and ends with 3 only if the user cannot be asked or cancels', async () => {
  let fails = false;
  const refuseToken = () => (fails ? Response.json({ error: 'invalid_scope' }, { status: 400 }) : undefined);
  const { dir, url, toolwire } = await keep({ writeScope: 'files:write', refuseToken });
  const signing = startCli(['servers', 'sign-in', url, '--data-dir', dir]);
  await (await fetch(await signing.firstLine())).text();
  expect((await signing.ended).code).toBe(0);
  const { client, close } = (await connectToRunning(dir))!;
  onTestFinished(close);
  const [{ registryId }] = (await client.servers.list()) as [ServerRow];
  const call = ['call', `${registryId}_write`, '--yes'];
  const inTerminal = (onPage: (page: string) => unknown) =>
    runCli([...call, '--data-dir', dir], '', {
      interactive: true,
      note: (text) => void [/http\S+authorize\S+/.exec(text)].map((found) => found && onPage(found[0])),
    });

  const alone = await toolwire(...call);
  expect(alone.code).toBe(3);
  expect(alone.err).toMatch(/^toolwire: .* asks to sign in, and the user cannot be asked here: it was refused\./);
  const cancelled = await inTerminal(async () => {
    const [{ requestId } = { requestId: '' }] = await client.servers.requests();
    await client.servers.answer({ requestId, action: 'decline' });
  });
  expect(cancelled.code).toBe(3);
  fails = true;
  expect((await inTerminal((page) => fetch(page))).code).toBe(1);
  fails = false;
  expect(await inTerminal((page) => fetch(page))).toMatchObject({ code: 0, out: 'did write\n' });
});

test('waits for the sign-in of a call that needs more rights, and leaves the call running', async () => {
  const { dir, url: id } = await keep({ writeScope: 'files:write' });
  const signing = startCli(['servers', 'sign-in', id, '--data-dir', dir]);
  await (await fetch(await signing.firstLine())).text();
  expect((await signing.ended).code).toBe(0);
  const { client, close } = (await connectToRunning(dir))!;
  onTestFinished(close);
  const [row] = await client.servers.list();
  const call = { toolName: `${row!.registryId}_write`, argsJson: '{}', confirmed: true, origin: 'executor' } as const;
  const asked = (): Promise<void> => expect.poll(() => client.servers.requests()).toHaveLength(1);

  const first = client.calls.execute({ ...call, callId: 'declined' });
  await asked();
  const refused = startCli(['servers', 'sign-in', id, '--data-dir', dir]);
  await refused.firstLine();
  const { requestId } = (await client.servers.requests())[0]!;
  await client.servers.answer({ requestId, action: 'decline' });
  expect(await refused.ended).toMatchObject({ code: 1, err: expect.stringContaining('The sign-in was cancelled.') });
  expect((await first).status).toBe('error');

  const second = client.calls.execute({ ...call, callId: 'called' });
  await asked();
  const accepted = startCli(['servers', 'sign-in', id, '--data-dir', dir]);
  await (await fetch(await accepted.firstLine())).text();
  expect((await accepted.ended).code).toBe(0);
  expect(await second).toMatchObject({ status: 'success', result: 'did write' });
});
