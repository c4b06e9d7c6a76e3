/** Resources and prompts for hosts: those of devices, and those of one MCP server. */
import { describe, expect, it, vi } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveLegacy } from '../../mcp/legacyServer.ts';
import { serveModern } from '../../mcp/modernServer.ts';
import { addDevice, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, everything, nodeServer, untilState } from '../servers/support.ts';
import { connectBoard } from './board.ts';
import { connectHost, newToken } from './connectHost.ts';

const eras = ['legacy', 'modern'] as const;
const kitchen = '02:00:00:aa:be:01';

type Host = Awaited<ReturnType<typeof connectHost>>;

async function readText(host: Host, uri: string): Promise<string> {
  const [content] = (await host.readResource({ uri })).contents;
  return content && 'text' in content ? content.text : '';
}

describe('resources of devices', () => {
  it.each(eras)('are the state and the log of each device that a host may use, %s', async (era) => {
    const workbench = await openWorkbench();
    await connectBoard(workbench, kitchen);
    await connectBoard(workbench, '02:00:00:aa:be:02');
    const token = newToken(workbench, { kind: 'device', id: kitchen }).token;
    const host = await connectHost(workbench, { era, token, path: `/device/${encodeURIComponent(kitchen)}` });
    const base = `toolwire://device/${encodeURIComponent(kitchen)}`;
    const { resources } = await host.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([`${base}/info`, `${base}/log`]);
    const { resourceTemplates } = await host.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      ['info', 'log', 'picture'].map((kind) => `toolwire://device/{id}/${kind}`),
    );
    expect(JSON.parse(await readText(host, `${base}/info`))).toMatchObject({
      id: kitchen,
      state: 'ready',
      name: 'kitchen',
    });
    await host.callTool({ name: 'get_device_status' });
    expect(await readText(host, `${base}/log`)).toMatch(/^\S+Z out text .*tools\/call self\.get_device_status/m);
    for (const uri of [`${base}/picture`, `${base}/token`, `toolwire://device/02%3A00%3A00%3Aaa%3Abe%3A02/info`])
      await expect(host.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
    const ref = { type: 'ref/resource', uri: 'toolwire://device/{id}/log' } as const;
    const { completion } = await host.complete({ ref, argument: { name: 'id', value: '02:' } });
    expect(completion.values).toEqual([kitchen]);
  });

  it('list the last picture, and announce the next one', async () => {
    const workbench = await openWorkbench();
    const { id, registryId = '' } = await addDevice(workbench);
    const host = await connectHost(workbench, { era: 'legacy' });
    const uri = `toolwire://device/${encodeURIComponent(id)}/picture`;
    const updated: string[] = [];
    let changes = 0;
    host.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    host.setNotificationHandler('notifications/resources/list_changed', () => void (changes += 1));
    const take = (callId: string) =>
      workbench.services.calls.execute({
        callId,
        toolName: `${registryId}_self.camera.take_photo`,
        argsJson: '{"question":"?"}',
        origin: 'executor',
      });
    await take('one');
    await vi.waitFor(() => expect(changes).toBe(1));
    expect((await host.listResources()).resources).toContainEqual(
      expect.objectContaining({ uri, mimeType: 'image/png' }),
    );
    const [content] = (await host.readResource({ uri })).contents;
    expect(content).toMatchObject({ mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) });
    await host.subscribeResource({ uri });
    await take('two');
    await vi.waitFor(() => expect(updated).toEqual([uri]));
    expect(changes).toBe(1);
  });

  it('are not for a host that is offered single tools of a device', async () => {
    const workbench = await openWorkbench();
    await connectBoard(workbench, kitchen);
    const offered = async (chosen: object) => {
      const { token } = newToken(workbench, {
        kind: 'chosen',
        chosen: { all: false, sources: [], tools: [], ...chosen },
      });
      return connectHost(workbench, { token });
    };
    const uri = `toolwire://device/${encodeURIComponent(kitchen)}/log`;
    const one = await offered({ tools: ['kitchen_be01_get_device_status'] });
    expect((await one.listTools()).tools).toHaveLength(1);
    expect((await one.listResources()).resources).toEqual([]);
    await expect(one.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
    const whole = await offered({ sources: [`device:${kitchen}`] });
    expect(await readText(whole, uri)).not.toBe('');
  });

  it('end with the log that 200 rows fit', async () => {
    const workbench = await openWorkbench();
    await connectBoard(workbench, kitchen);
    const host = await connectHost(workbench);
    for (let count = 0; count < 110; count += 1) await host.callTool({ name: 'kitchen_be01_get_device_status' });
    const log = await readText(host, `toolwire://device/${encodeURIComponent(kitchen)}/log`);
    expect(log.trim().split('\n')).toHaveLength(200);
  });
});

/** A host of the address of one server, which hosts are offered. */
async function hostOf(workbench: Workbench, id: string, options: Parameters<typeof connectHost>[1] = {}) {
  await workbench.services.servers.setConsumers({ id, consumers: ['host'] });
  return connectHost(workbench, { ...options, path: `/server/${id}` });
}

describe('the address of an MCP server', () => {
  it.each(eras)('is refused if there is no such server, %s', async (era) => {
    const workbench = await openWorkbench({ shell: 'browser' });
    await expect(connectHost(workbench, { era, path: '/server/nosuch' })).rejects.toThrow(
      'There is no MCP server with the id \\"nosuch\\"',
    );
  });

  it.each(eras)('says how the server is offered, until it is, %s', async (era) => {
    const workbench = await openWorkbench({ shell: 'browser' });
    const id = await addServer(workbench, nodeServer('everything', [everything]));
    await untilState(workbench, 'ready');
    const path = `/server/${id}`;
    const host = await connectHost(workbench, { era, path });
    expect(host.getInstructions()).toMatch(
      /^The MCP server "everything" is not offered to hosts, .* Ask the user to tick Hosts/,
    );
    // A host that runs commands would offer the tools to itself.
    expect(host.getInstructions()).not.toContain('toolwire ');
    await workbench.services.servers.stop({ id });
    const byName = await connectHost(workbench, { era, path: '/server/mcp-everything' });
    expect(byName.getInstructions()).toContain('"everything" is not offered to hosts');
    expect((await hostOf(workbench, id, { era })).getInstructions()).toBeUndefined();
  });
});

describe('the tools of an MCP server', () => {
  it('have their own names at its address', async () => {
    const workbench = await openWorkbench({ shell: 'browser' });
    const content = [{ type: 'text', text: 'called' }];
    const { url } = await serveLegacy(({ method }) => (method === 'tools/call' ? { content } : undefined));
    const id = await addServer(workbench, { name: 'lab', type: 'http', url, headers: [] });
    await untilState(workbench, 'ready');
    const byId = await hostOf(workbench, id);
    const byName = await connectHost(workbench, { path: '/server/mcp-lab' });
    for (const host of [byId, byName]) {
      expect((await host.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
      expect(await host.callTool({ name: 'echo' })).toMatchObject({ content });
    }
  });

  it('pass on that they are destructive, and not that they only read', async () => {
    const workbench = await openWorkbench({ shell: 'browser' });
    const inputSchema = { type: 'object' };
    const tools = [
      { name: 'echo', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'clear', inputSchema, annotations: { destructiveHint: true } },
    ];
    const { url } = await serveLegacy(({ method }) => (method === 'tools/list' ? { tools } : undefined));
    const id = await addServer(workbench, { name: 'lab', type: 'http', url, headers: [] });
    await untilState(workbench, 'ready');
    const listed = (await (await hostOf(workbench, id)).listTools()).tools;
    expect(listed.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['echo', { openWorldHint: true }],
      ['clear', { destructiveHint: true, openWorldHint: true }],
    ]);
  });
});

describe('resources and prompts of an MCP server', () => {
  it.each(eras)('are passed on if hosts are offered the server, %s', async (era) => {
    const workbench = await openWorkbench({ shell: 'browser' });
    const id = await addServer(workbench, nodeServer('everything', [everything]));
    await untilState(workbench, 'ready');
    const host = await hostOf(workbench, id, { era });
    const { prompts } = await host.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('args-prompt');
    const { messages } = await host.getPrompt({ name: 'args-prompt', arguments: { city: 'Oslo' } });
    expect(JSON.stringify(messages)).toContain('Oslo');
    const { resources } = await host.listResources();
    expect(resources.length).toBeGreaterThan(0);
    expect(await readText(host, resources[0]?.uri ?? '')).not.toBe('');
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const;
    const { completion } = await host.complete({ ref, argument: { name: 'department', value: 'S' } });
    expect(completion.values).toEqual(['Sales', 'Support']);
    await expect(host.getPrompt({ name: 'nothing' })).rejects.toMatchObject({ code: -32_602 });

    await workbench.services.servers.setConsumers({ id, consumers: ['chat'] });
    expect((await host.listPrompts({}, { cacheMode: 'refresh' })).prompts).toEqual([]);
    expect((await host.listResources({}, { cacheMode: 'refresh' })).resources).toEqual([]);
    await expect(host.getPrompt({ name: 'args-prompt' })).rejects.toMatchObject({ code: -32_602 });
  });

  it.each(eras)(
    'ask the user of the host, and the state of the server returns to it byte for byte, %s',
    async (era) => {
      const requestState = '{"b":1,  "a":9007199254740993}\u2028é';
      const question = { mode: 'form', message: 'Which city?', requestedSchema: { type: 'object', properties: {} } };
      const server = await serveModern(
        ({ method, params }) => {
          if (method === 'prompts/list') return { prompts: [{ name: 'city' }], ttlMs: 0, cacheScope: 'private' };
          if (method !== 'prompts/get')
            return method === 'tools/list' ? { tools: [], ttlMs: 0, cacheScope: 'private' } : undefined;
          if (params['inputResponses'] === undefined)
            return {
              resultType: 'input_required',
              requestState,
              inputRequests: { q: { method: 'elicitation/create', params: question } },
            };
          const text = JSON.stringify(params['inputResponses']);
          return { messages: [{ role: 'user', content: { type: 'text', text } }] };
        },
        { prompts: {} },
      );
      const workbench = await openWorkbench({ shell: 'browser' });
      const id = await addServer(workbench, { name: 'modern', type: 'http', url: server.url, headers: [] });
      await untilState(workbench, 'ready');
      const host = await hostOf(workbench, id, { era, answer: () => ({ action: 'accept', content: { ok: true } }) });
      const { messages } = await host.getPrompt({ name: 'city' });
      expect(messages).toMatchObject([{ content: { text: '{"q":{"action":"accept","content":{"ok":true}}}' } }]);
      const states = server.received.flatMap(({ message }) =>
        message.method === 'prompts/get' ? [message.params['requestState']] : [],
      );
      expect(states).toEqual([undefined, requestState]);
      expect(await workbench.services.servers.requests(undefined)).toEqual([]);
    },
  );

  it.each(
    eras.flatMap((era) => [
      { era, mode: 'form' as const },
      { era, mode: 'url' as const },
    ]),
  )('ask the user of the host only what the host supports ($mode), $era', async ({ era, mode }) => {
    const questions = {
      form: { mode: 'form', message: 'Which city?', requestedSchema: { type: 'object', properties: {} } },
      url: { mode: 'url', message: 'Sign in', url: 'https://example.com/' },
    };
    const list = { ttlMs: 0, cacheScope: 'private' };
    const server = await serveModern(
      ({ method, params }) => {
        if (method === 'prompts/list') return { prompts: [{ name: 'city' }], ...list };
        if (method === 'tools/list') return { tools: [], ...list };
        if (method !== 'prompts/get') return undefined;
        const { inputResponses } = params;
        if (inputResponses !== undefined)
          return { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(inputResponses) } }] };
        const asked = Object.entries(questions).map(([key, question]) => [
          key,
          { method: 'elicitation/create', params: question },
        ]);
        return { resultType: 'input_required', inputRequests: Object.fromEntries(asked) as object };
      },
      { prompts: {} },
    );
    const workbench = await openWorkbench({ shell: 'browser' });
    const { servers } = workbench.services;
    const id = await addServer(workbench, { name: 'modern', type: 'http', url: server.url, headers: [] });
    await untilState(workbench, 'ready');
    const asked: unknown[] = [];
    const host = await hostOf(workbench, id, {
      era,
      elicitation: { [mode]: {} },
      answer({ params }) {
        asked.push(params.mode);
        return { action: 'accept', ...(mode === 'form' && { content: { by: true } }) };
      },
    });
    const prompt = host.getPrompt({ name: 'city' });
    const request = await vi.waitUntil(async () => (await servers.requests(undefined))[0]);
    await servers.answer({ requestId: request.requestId, action: 'decline' });
    const answers = {
      [mode]: { action: 'accept', ...(mode === 'form' && { content: { by: true } }) },
      [mode === 'form' ? 'url' : 'form']: { action: 'decline' },
    };
    const [message] = (await prompt).messages;
    expect(JSON.parse((message?.content as { text: string }).text)).toEqual(answers);
    expect(asked).toEqual([mode]);
  });
});

it('errors of a server reach hosts without its secrets', async () => {
  const key = 'swordfish-7';
  const refuse = { error: { code: -32_000, message: `Bad ${key}`, data: { key: [key], n: 1 } } };
  const server = await serveModern(
    ({ method }) => {
      if (method === 'tools/list') return { tools: [], ttlMs: 0, cacheScope: 'private' };
      return method === 'resources/read' || method === 'completion/complete' ? refuse : undefined;
    },
    { resources: {}, completions: {} },
  );
  const workbench = await openWorkbench({ shell: 'browser' });
  const headers = [{ name: 'X-Key', value: key }];
  const id = await addServer(workbench, { name: 'modern', type: 'http', url: server.url, headers });
  await untilState(workbench, 'ready');
  const host = await hostOf(workbench, id);
  const masked = { code: -32_000, message: expect.stringContaining('Bad ***'), data: { key: ['***'], n: 1 } };
  await expect(host.readResource({ uri: 'lab:log' })).rejects.toMatchObject(masked);
  const argument = { name: 'city', value: '' };
  await expect(host.complete({ ref: { type: 'ref/prompt', name: 'x' }, argument })).rejects.toMatchObject(masked);
});

it('hosts no longer list the tools of a server that is down once they are not offered it', async () => {
  const workbench = await openWorkbench({ shell: 'browser' });
  const id = await addServer(workbench, nodeServer('everything', [everything]));
  await untilState(workbench, 'ready');
  const { servers, hosts } = workbench.services;
  await servers.setConsumers({ id, consumers: ['host'] });
  await servers.stop({ id });
  const host = await connectHost(workbench, { era: 'legacy' });
  const count = async () => (await host.listTools()).tools.filter(({ name }) => name.includes('everything')).length;
  expect(await count()).toBeGreaterThan(5);
  const { name = '' } = (await host.listTools()).tools.find(({ name }) => name.endsWith('_echo')) ?? {};
  expect(await host.callTool({ name, arguments: { message: 'x' } })).toMatchObject({
    isError: true,
    content: [
      {
        text: expect.stringMatching(
          /^"everything" disconnected (just now|\d+ s ago), and its tools with it\. .* start it in Servers/,
        ) as string,
      },
    ],
  });
  await servers.setConsumers({ id, consumers: ['chat'] });
  expect(await count()).toBe(0);
  expect(hosts.tools({ scope: { kind: 'mcp', id } })).toEqual([]);
  await servers.setConsumers({ id, consumers: ['host'] });
  await servers.start({ id });
  await untilState(workbench, 'ready');
  expect(await count()).toBeGreaterThan(5);
  await servers.remove({ id });
  expect(await count()).toBe(0);
});
