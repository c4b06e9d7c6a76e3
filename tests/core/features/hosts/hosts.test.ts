/** MCP hosts over HTTP with a whole workbench: tokens, names, danger, boards that come and go. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { connectBoard } from './board.ts';
import { connectHost, newToken } from './connectHost.ts';
import { initialize, openSession, post } from './rawHost.ts';

const eras = ['legacy', 'modern'] as const;
const kitchen = '02:00:00:aa:be:01';
const bedroom = '02:00:00:aa:be:02';

function textOf({ content }: { content: { type: string; text?: string }[] }): string {
  return content.map(({ text }) => text ?? '').join('\n');
}

describe('hosts over HTTP', () => {
  it('reaches the right one of two equal boards, with the exact arguments, once', async () => {
    const workbench = await openWorkbench();
    const first = await connectBoard(workbench, kitchen);
    const second = await connectBoard(workbench, bedroom);
    const client = await connectHost(workbench);
    const names = (await client.listTools()).tools
      .map(({ name }) => name)
      .filter((name) => name.endsWith('set_volume'));
    expect(names).toEqual(['kitchen_be01_audio_speaker_set_volume', 'kitchen_be02_audio_speaker_set_volume']);
    await client.callTool({ name: names[1] ?? '', arguments: { volume: 42 } });
    expect(first.calls()).toEqual([]);
    expect(second.calls()).toEqual([{ name: 'self.audio_speaker.set_volume', arguments: { volume: 42 } }]);
  });

  it('keeps the names when the boards connect in another order after a restart', async () => {
    const dataDir = dataFolder();
    const names: string[][] = [];
    for (const order of [
      [kitchen, bedroom],
      [bedroom, kitchen],
    ]) {
      const workbench = await openWorkbench({ dataDir });
      for (const id of order) await connectBoard(workbench, id);
      const client = await connectHost(workbench);
      names.push((await client.listTools()).tools.map(({ name }) => name).sort());
      await client.close();
      await workbench.close();
    }
    expect(names[1]).toEqual(names[0]);
    for (const name of names[0] ?? []) expect(name).toMatch(/^(?!.*__)[A-Za-z0-9_]{1,46}$/);
  });

  it('says of no tool of a module, and of none that writes, that it only reads', async () => {
    const workbench = await openWorkbench();
    const methods = ['get_list', 'delete_list', 'set_status', 'wipe.read'].map((name) => ({
      name,
      description: name,
      agentCallable: true,
      inputSchema: { type: 'object' },
    }));
    const register = (id: string, kind: 'module' | 'builtin') =>
      workbench.toolRegistryManager.register({
        id,
        name: id,
        source: { kind, id, label: id },
        getMetadata: () => ({ methods }),
        invoke: () => Promise.resolve({ value: null }),
      });
    register('theirs', 'module');
    register('ours', 'builtin');
    const { tools } = await (await connectHost(workbench)).listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
    expect(reading.filter((name) => name.startsWith('ours_'))).toEqual(['ours_get_list']);
    expect(reading.filter((name) => name.startsWith('theirs_'))).toEqual([]);
    const theirs = tools.find(({ name }) => name === 'theirs_delete_list');
    expect(theirs?.annotations).toEqual({ openWorldHint: true });
  });

  it('offers the tools of one board under their own names', async () => {
    const workbench = await openWorkbench();
    const { device } = await connectBoard(workbench, kitchen);
    const client = await connectHost(workbench, { path: `/device/${device.registryId}` });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('audio_speaker_set_volume');
    expect(tools.map(({ name }) => name)).not.toContain('reboot_kitchen');
    const { annotations, _meta } = tools.find(({ name }) => name === 'get_device_status') ?? {};
    expect(annotations).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    expect(_meta).toEqual({
      'dev.toolwire/source': 'device',
      'dev.toolwire/id': kitchen,
      'dev.toolwire/name': 'self.get_device_status',
    });
    expect(tools.find(({ name }) => name === 'reboot')?.annotations?.destructiveHint).toBe(true);
    expect(tools[0]?.description).toMatch(/^kitchen: |^.+: /);
  });

  it.each([
    ['legacy', '2025-11-25'],
    ['modern', '2026-07-28'],
  ] as const)('keeps one entry of the history that names the host, %s', async (era, revision) => {
    const workbench = await openWorkbench();
    await connectBoard(workbench, kitchen);
    const client = await connectHost(workbench, { era });
    await client.callTool({ name: 'kitchen_be01_get_device_status' });
    const { calls, hosts } = workbench.services;
    expect(await calls.history({ limit: 10 })).toMatchObject([
      { origin: 'host', host: 'My host', methodName: 'self.get_device_status', result: { status: 'success' } },
    ]);
    expect((await calls.search({ limit: 10 })).rows).toMatchObject([{ origin: 'host', host: 'My host' }]);
    const [row] = hosts.state().hosts;
    expect(row).toMatchObject({
      name: 'My host',
      client: { name: 'test-host', version: '1.2.3' },
      era,
      revision,
      callsToday: 1,
    });
    expect(hosts.calls({ id: row?.id ?? '' })).toMatchObject([
      { name: 'kitchen_be01_get_device_status', status: 'success' },
    ]);
  });

  it.each(eras)('names a board that is gone, and serves it again once it is back, %s', async (era) => {
    const workbench = await openWorkbench();
    const { board } = await connectBoard(workbench, kitchen);
    const client = await connectHost(workbench, { era });
    const status = 'kitchen_be01_get_device_status';
    board.socket.terminate();
    await vi.waitFor(async () => {
      const answer = await client.callTool({ name: status });
      expect(answer).toMatchObject({ isError: true });
      expect(textOf(answer as never)).toMatch(/^"kitchen" disconnected (just now|\d+ s ago)/);
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain(status);
    await connectBoard(workbench, kitchen);
    expect(await client.callTool({ name: status })).not.toMatchObject({ isError: true });
  });

  it('says in its instructions which boards are connected, also those of one name, and no more than 50', async () => {
    const workbench = await openWorkbench();
    const instructions = async () => (await connectHost(workbench)).getInstructions()?.split('\n').slice(1);
    const methods = [{ name: 'on', description: 'On.', agentCallable: true, inputSchema: { type: 'object' } }];
    const register = (id: string) =>
      workbench.toolRegistryManager.register({
        id,
        name: id,
        source: { kind: 'device', id, label: 'kitchen' },
        getMetadata: () => ({ methods }),
        invoke: () => Promise.resolve({ value: null }),
      });
    for (let count = 10; count < 13; count += 1) register(`board${count}`);
    workbench.toolRegistryManager.unregister('board11');
    expect(await instructions()).toEqual([
      '- kitchen: for example board10_rd10_on',
      '- kitchen: for example board12_rd12_on',
    ]);
    for (let count = 13; count < 70; count += 1) register(`board${count}`);
    expect(await instructions()).toHaveLength(51);
    expect((await instructions())?.at(-1)).toBe('- and 9 more');
  });

  it.each(eras)('ends a call if its board disconnects, and names the board, %s', async (era) => {
    const workbench = await openWorkbench();
    const { board } = await connectBoard(workbench, kitchen);
    const client = await connectHost(workbench, { era });
    const answer = client.callTool({ name: 'kitchen_be01_never' });
    await board.request('tools/call', 'self.never');
    board.socket.terminate();
    expect(await answer).toMatchObject({ isError: true });
    expect(textOf((await answer) as never)).toContain('kitchen');
  });

  it.each(eras)('answers a call whose board is silent when its time limit is over, %s', async (era) => {
    const workbench = await openWorkbench();
    const { settings, calls } = workbench.services;
    await connectBoard(workbench, kitchen);
    const { toolCallConfig } = settings.get();
    await settings.set({ toolCallConfig: { ...toolCallConfig, timeout: 200 } });
    const client = await connectHost(workbench, { era });
    const answer = await client.callTool({ name: 'kitchen_be01_never' });
    expect(answer).toMatchObject({ isError: true });
    expect(textOf(answer as never)).toContain('200 ms');
    expect(await calls.history({ limit: 10 })).toMatchObject([{ result: { error: { code: 'timeout' } } }]);
  });
});

describe('who may use /mcp', () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

  it('needs a token', async () => {
    const workbench = await openWorkbench();
    const { url } = workbench.services.hosts.state();
    for (const authorization of [undefined, 'Bearer nonsense', 'Basic abc', 'Bearer']) {
      const headers = { ...json, ...(authorization !== undefined && { authorization }) };
      for (const method of ['POST', 'GET', 'DELETE']) {
        const response = await fetch(url, { method, headers, ...(method === 'POST' && { body: list }) });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe('Bearer');
        expect(await response.text()).toContain(
          authorization === undefined ? 'A token is needed' : 'This token is not valid or was revoked. Create one',
        );
      }
    }
  });

  it('refuses a page of another origin, whatever token it has', async () => {
    const workbench = await openWorkbench();
    const { url } = workbench.services.hosts.state();
    const authorization = `Bearer ${newToken(workbench).token}`;
    for (const origin of ['http://evil.example', 'null', 'http://localhost:1']) {
      const response = await fetch(url, { method: 'POST', headers: { ...json, authorization, origin }, body: list });
      expect(response.status).toBe(403);
    }
  });

  it('refuses a token of another board, and an unknown path', async () => {
    const workbench = await openWorkbench();
    const { device } = await connectBoard(workbench, kitchen);
    const { token } = newToken(workbench, { kind: 'device', id: device.id });
    const { url } = workbench.services.hosts.state();
    const ask = (path: string) =>
      fetch(`${url}${path}`, { method: 'POST', headers: { ...json, authorization: `Bearer ${token}` }, body: list });
    expect((await ask('')).status).toBe(403);
    expect((await ask(`/device/${encodeURIComponent(bedroom)}`)).status).toBe(403);
    expect((await ask('/elsewhere')).status).toBe(404);
    expect(await connectHost(workbench, { token, path: `/device/${device.registryId}` })).toBeDefined();
  });

  it('keeps the hash of a token only', async () => {
    const dataDir = dataFolder();
    const workbench = await openWorkbench({ dataDir });
    const { token } = newToken(workbench);
    const state = JSON.stringify(workbench.services.hosts.state());
    expect(state).not.toContain(token);
    await workbench.close();
    const { readdirSync, readFileSync } = await import('node:fs');
    for (const file of readdirSync(dataDir, { withFileTypes: true }).filter((each) => each.isFile())) {
      expect(readFileSync(`${dataDir}/${file.name}`).includes(token)).toBe(false);
    }
    const again = await openWorkbench({ dataDir });
    expect(await connectHost(again, { token })).toBeDefined();
  });

  it('ends the streams of a host whose token is revoked', async () => {
    const workbench = await openWorkbench();
    const { hosts } = workbench.services;
    const { id, token } = newToken(workbench);
    const client = new ClientV1({ name: 'v1', version: '1' });
    const transport = new HttpV1(new URL(hosts.state().url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
      },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    await vi.waitFor(() => expect(hosts.state().hosts[0]?.connections).toBe(1));
    const ended = new Promise((resolve) => (client.onerror = resolve));
    await hosts.revoke({ id });
    await ended;
    await expect(client.listTools()).rejects.toThrow();
    expect(hosts.state().hosts).toEqual([]);
    await expect(hosts.revoke({ id })).rejects.toThrow('This host no longer exists.');
  });

  it('ends what a host since 2026-07-28 listens to when its token is revoked', async () => {
    const workbench = await openWorkbench();
    const { hosts } = workbench.services;
    const { id, token } = newToken(workbench);
    const { token: otherToken } = newToken(workbench);
    const listen = async (of: string) =>
      (await connectHost(workbench, { token: of })).listen({ toolsListChanged: true });
    const [revoked, other] = await Promise.all([token, otherToken].map(listen));
    await hosts.revoke({ id });
    expect(await revoked?.closed).not.toBe('local');
    expect(hosts.state().hosts).toMatchObject([{ connections: 1 }]);
    await other?.close();
  });

  it.skipIf(process.platform !== 'linux')('ends what other machines have open when the network is closed', async () => {
    // A proxy at another address of this machine names the host's own address.
    const workbench = await openWorkbench({ proxy: { publicUrl: '', trusted: ['127.0.0.9'] } });
    const { hosts } = workbench.services;
    hosts.setOpenToNetwork({ open: true });
    const local = await connectHost(workbench, { era: 'legacy' });
    const { id, token } = newToken(workbench);
    const send = async (method: string, more: Record<string, string> = {}): Promise<IncomingMessage> => {
      const headers = { ...json, ...more, authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.1' };
      const options = { method, headers, localAddress: '127.0.0.9' };
      const sent = request(hosts.state().url, options).end(method === 'POST' ? JSON.stringify(initialize) : '');
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return response.on('error', () => undefined).resume();
    };
    const { headers } = await send('POST');
    const session = { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
    const stream = await send('GET', session);
    const ended = once(stream, 'close');
    const connections = () => new Map(hosts.state().hosts.map((host) => [host.id === id, host.connections]));
    await vi.waitFor(() =>
      expect(connections()).toEqual(
        new Map([
          [false, 1],
          [true, 1],
        ]),
      ),
    );
    hosts.setOpenToNetwork({ open: false });
    await ended;
    await vi.waitFor(() =>
      expect(connections()).toEqual(
        new Map([
          [false, 1],
          [true, 0],
        ]),
      ),
    );
    expect((await local.listTools()).tools).not.toEqual([]);
    expect((await send('GET', session)).statusCode).toBe(403);
    hosts.setOpenToNetwork({ open: true });
    expect((await send('GET', session)).statusCode).toBe(404);
  });

  it('is connected while it has a stream or a request open, and no longer', async () => {
    const workbench = await openWorkbench();
    const { hosts } = workbench.services;
    const client = await connectHost(workbench, { era: 'legacy' });
    await vi.waitFor(() => expect(hosts.state().hosts[0]?.connections).toBe(1));
    await client.close();
    await vi.waitFor(() => expect(hosts.state().hosts[0]?.connections).toBe(0));
  });

  it('takes no addresses from other hosts, however many it uses', async () => {
    const workbench = await openWorkbench();
    const { token } = newToken(workbench);
    const { url } = workbench.services.hosts.state();
    const ask = (path: string, more: object = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${token}` },
        body: list,
        ...more,
      });
    // Each leaves at once, so a later one takes its place.
    for (let count = 0; count < 40; count += 1) expect((await ask(`/device/none${count}`)).status).toBe(400);
    for (let count = 0; count < 16; count += 1) {
      const host = await connectHost(workbench, { token, path: `/device/none${count}` });
      await host.listen({ toolsListChanged: true });
    }
    const refused = await ask('');
    expect([refused.status, (await refused.text()).trim()]).toEqual([
      503,
      '"My host" uses 16 addresses already. Close one of them.',
    ]);
    expect(await connectHost(workbench)).toBeDefined();
  });

  it('has no access to the session of another host at the same address', async () => {
    const workbench = await openWorkbench();
    const url = new URL(workbench.services.hosts.state().url);
    const headers = () => ({ authorization: `Bearer ${newToken(workbench).token}` });
    const session = await openSession(url, headers());
    expect((await post(url, list, session)).status).toBe(200);
    expect((await post(url, list, { ...session, ...headers() })).status).toBe(404);
  });

  it('loses what it has open at addresses that it may not use any more', async () => {
    const workbench = await openWorkbench();
    const { id, token } = newToken(workbench);
    const listen = async (path: string) =>
      (await connectHost(workbench, { token, path })).listen({ toolsListChanged: true });
    const [all, one, other] = await Promise.all(['', '/device/one', '/device/other'].map(listen));
    workbench.services.hosts.change({ id, scope: { kind: 'device', id: 'one' }, finds: false });
    expect([await all?.closed, await other?.closed]).not.toContain('local');
    expect(workbench.services.hosts.state().hosts).toMatchObject([{ connections: 1 }]);
    await one?.close();
  });
});
