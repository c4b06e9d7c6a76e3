/** What a server offers beside tools: templates, completions, subscriptions and log messages, in both eras. */
import { beforeEach, expect, it, vi } from 'vitest';

import type { ServerDetail } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveModern } from '../../mcp/modernServer.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, everything, nodeServer, untilState } from './support.ts';

let dataDir: string;
let workbench: Workbench;
beforeEach(async () => {
  dataDir = dataFolder();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
});
const api = (): Workbench['services']['servers'] => workbench.services.servers;
const startEverything = async (): Promise<string> => {
  const id = await addServer(workbench, nodeServer('everything', [everything]));
  await untilState(workbench, 'ready');
  return id;
};
const until = async (id: string, fits: (detail: ServerDetail) => boolean): Promise<void> => {
  await vi.waitUntil(async () => fits(await api().detail({ id })));
};
const messages = async (id: string) => (await api().log({ id })).filter(({ kind }) => kind === 'message');
const text = 'demo://resource/dynamic/text/{resourceId}';

it('expands a template, and refuses a malformed one by its name', async () => {
  const id = await startEverything();
  const templates = await api().templates({ id });
  expect(templates).toContainEqual(expect.objectContaining({ uriTemplate: text, variables: ['resourceId'] }));
  expect(await api().expandTemplate({ template: text, values: { resourceId: '7/8' } })).toEqual({
    uri: 'demo://resource/dynamic/text/7%2F8',
  });
  const { uri } = await api().expandTemplate({ template: text, values: { resourceId: '7' } });
  expect(JSON.stringify(await api().readResource({ id, uri }))).toContain('Resource 7');
  await expect(api().readResource({ id, uri: 'demo://nope' })).rejects.toThrow(
    'The server refused the request: Resource demo://nope not found (-32602)',
  );
  const malformed = Promise.resolve().then(() => api().expandTemplate({ template: 'x://{id', values: {} }));
  await expect(malformed).rejects.toMatchObject({
    message: '"x://{id" is not a URI template (RFC 6570).',
    field: 'template',
  });
});

it('completes arguments of prompts, by those that are set, and variables of templates', async () => {
  const id = await startEverything();
  const of = { type: 'ref/prompt', name: 'completable-prompt' } as const;
  const complete = (name: string, value: string, known = {}) =>
    api().complete({ id, of, argument: { name, value }, known });
  expect(await complete('department', 'S')).toEqual({ values: ['Sales', 'Support'] });
  expect(await complete('name', '', { department: 'Sales' })).toEqual({ values: ['David', 'Eve', 'Frank'] });
  const variable = { name: 'resourceId', value: '12' };
  expect(await api().complete({ id, of: { type: 'ref/resource', uri: text }, argument: variable, known: {} })).toEqual({
    values: ['12'],
  });
});

it('counts the changes of a subscribed resource, again after a restart of the server, until the subscription ends', async () => {
  const id = await startEverything();
  const [resource] = await api().resources({ id });
  const { uri } = resource!;
  expect((await api().detail({ id })).can).toEqual({ complete: true, subscribe: true, log: true });
  await api().subscribe({ id, uri, on: true });
  const change = (callId: string) =>
    workbench.services.calls.execute({
      toolName: 'mcp-everything_toggle-subscriber-updates',
      argsJson: '{}',
      callId,
      origin: 'executor',
    });
  await change('a');
  await until(id, ({ subscriptions }) => subscriptions[0]?.updates === 1);
  await api().start({ id });
  await untilState(workbench, 'ready');
  await change('b');
  await until(id, ({ subscriptions }) => subscriptions[0]?.updates === 2);
  expect((await api().detail({ id })).subscriptions).toEqual([{ uri, updates: 2, updatedAt: expect.any(Number) }]);
  await api().subscribe({ id, uri, on: false });
  expect((await api().detail({ id })).subscriptions).toEqual([]);
});

it('logs the messages of the chosen level, also after a restart of the workbench', async () => {
  const id = await startEverything();
  const [first, second] = await api().resources({ id });
  await api().subscribe({ id, uri: first!.uri, on: true });
  await api().setLogLevel({ id, level: 'debug' });
  await api().subscribe({ id, uri: second!.uri, on: true });
  await vi.waitUntil(async () => (await messages(id)).length > 0);
  // Of the first one, which came while the level was off, nothing is kept.
  expect(await messages(id)).toEqual([
    expect.objectContaining({ level: 'info', text: expect.stringContaining(second!.uri) }),
  ]);
  await workbench.close();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
  await api().start({ id });
  await untilState(workbench, 'ready');
  expect((await api().detail({ id })).logLevel).toBe('debug');
  await api().subscribe({ id, uri: first!.uri, on: true });
  await vi.waitUntil(async () => (await messages(id)).length > 0);
});

it('modern: subscribes through the stream, sends the level with requests, and reads the lists again after a gap', async () => {
  const uri = 'test://lamp';
  const server = await serveModern(
    ({ method }) => {
      if (method === 'tools/list') return { tools: [], ttlMs: 0, cacheScope: 'private' };
      if (method === 'resources/list') return { resources: [{ uri, name: 'lamp' }], ttlMs: 0, cacheScope: 'private' };
      return method === 'resources/read' ? { contents: [], ttlMs: 0, cacheScope: 'private' } : undefined;
    },
    { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
  );
  const id = await addServer(workbench, { name: 'modern', type: 'http', url: server.url, headers: [] });
  await untilState(workbench, 'ready');
  const sent = (method: string) => server.received.filter(({ message }) => message.method === method);
  const resourceSubscriptions = [uri, 'test://door'];
  for (const each of resourceSubscriptions) await api().subscribe({ id, uri: each, on: true });
  await api().start({ id });
  await untilState(workbench, 'ready');
  const listening = () => sent('subscriptions/listen').at(-1)?.message.params['notifications'];
  await expect.poll(listening).toMatchObject({ resourceSubscriptions });
  await expect.poll(() => server.openStreams()).toBe(1);
  server.notify('notifications/resources/updated', { uri });
  server.notify('notifications/resources/updated', { uri: 'test://other' });
  await until(id, ({ subscriptions }) => subscriptions[0]?.updates === 1);
  await api().setLogLevel({ id, level: 'warning' });
  await api().readResource({ id, uri });
  expect(sent('resources/read').at(-1)?.message.params._meta).toMatchObject({
    'io.modelcontextprotocol/logLevel': 'warning',
  });
  server.notify('notifications/message', { level: 'info', data: 'too little' });
  server.notify('notifications/message', { level: 'error', logger: 'lamp', data: { volts: 3 } });
  await vi.waitUntil(async () => (await messages(id)).length > 0);
  expect(await messages(id)).toEqual([
    { at: expect.any(Number), kind: 'message', text: '{"volts":3}', level: 'error', logger: 'lamp' },
  ]);
  const before = sent('tools/list').length;
  server.dropStreams();
  await vi.waitUntil(() => sent('tools/list').length > before);
  expect(listening()).toMatchObject({ resourceSubscriptions });
});
