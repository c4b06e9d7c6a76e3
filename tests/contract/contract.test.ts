import { once } from 'node:events';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listTools } from '../../src-core/rpc/listTools.ts';
import type { WorkbenchEvent } from '../../src-core/contract/types.ts';
import { defineToolRegistry } from '../../src-core/registry/defineTool.ts';
import { createWorkbench } from '../../src-core/workbench.ts';
import type { Workbench } from '../../src-core/workbench.ts';
import { carriers } from './carriers.ts';
import type { Connection } from './carriers.ts';

/** A tool whose call waits for its signal, and says on `events` when it started and when it was stopped. */
function waitingTool(events: EventEmitter) {
  return defineToolRegistry({
    id: 'waiting',
    name: 'Waiting',
    source: { kind: 'builtin', id: 'waiting', label: 'Waiting' },
    methods: [
      {
        name: 'forever',
        description: 'Waits until it is stopped.',
        agentCallable: true,
        inputSchema: { type: 'object', properties: {} },
        handler: (_args, { signal }) => {
          events.emit('started');
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              events.emit('stopped');
              reject(signal.reason as Error);
            });
          });
        },
      },
    ],
  });
}

describe.each(carriers)('contract over $name', (carrier) => {
  let dataDir: string;
  let workbench: Workbench;
  let started: Awaited<ReturnType<typeof carrier.start>>;
  let connection: Connection;
  const errors: unknown[] = [];

  beforeEach(async () => {
    errors.length = 0;
    dataDir = mkdtempSync(join(tmpdir(), 'toolwire-contract-'));
    workbench = await createWorkbench({
      dataDir,
      checkOutputs: true,
      devicePort: 0,
      shell: 'terminal',
      onError: (e) => errors.push(e),
    });
    started = await carrier.start(workbench, dataDir);
    connection = await started.connect();
  });

  afterEach(async () => {
    connection.cut();
    await started.stop();
    await workbench.close();
    rmSync(dataDir, { recursive: true, force: true });
    expect(errors).toEqual([]);
  });

  test('answers a call with typed data', async () => {
    const tools = await listTools(connection.client);
    expect(tools.map((tool) => tool.id)).toContain('directory-tree');
    const result = await connection.client.calls.execute({
      callId: 'c1',
      toolName: 'clock_get_time',
      argsJson: '{}',
      origin: 'executor',
    });
    expect(result).toMatchObject({ status: 'success', toolName: 'clock_get_time' });
  });

  test('tells what has changed of the tools since it was asked last, and all of them for a mark it never gave', async () => {
    const { tools } = connection.client;
    const first = await tools.changes({});
    expect(first).toMatchObject({ whole: true, gone: [], more: false });
    expect(first.tools).toEqual(await listTools({ tools }));

    const unregister = workbench.toolRegistryManager.register(waitingTool(new EventEmitter()));
    const second = await tools.changes({ since: first.at });
    expect(second).toMatchObject({ whole: false, gone: [], tools: [{ id: 'waiting' }] });
    await connection.client.settings.set({ dangerousTools: ['waiting_*'] });
    unregister();
    expect(await tools.changes({ since: second.at })).toMatchObject({ whole: false, gone: ['waiting'], tools: [] });
    expect(await tools.changes({ since: 'of-another-run 7' })).toMatchObject({ whole: true });
    await expect(tools.changes({ since: 'x'.repeat(600) })).rejects.toMatchObject({ data: { field: 'since' } });
  });

  test('a setting that a tool shows is a change of that tool alone', async () => {
    const { tools, settings } = connection.client;
    const { at } = await tools.changes({});
    const { toolCallConfig } = await settings.get();
    await settings.set({ toolCallConfig: { ...toolCallConfig, toolToggles: { clock: false } } });
    const { tools: changed } = await tools.changes({ since: at });
    expect(changed).toMatchObject([{ id: 'clock', enabled: false }]);
  });

  test('names the field that is wrong', async () => {
    const call = connection.client.calls.execute({
      callId: 'c1',
      toolName: 'clock_get_time',
      argsJson: '{}',
      origin: 'executor',
      timeoutMs: -5,
    });
    await expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST', data: { field: 'timeoutMs' } });
    await expect(call).rejects.toThrow(/timeoutMs/);
  });

  test('a request that cannot be fulfilled has a code, its parameters, the field and a status', async () => {
    const { chat, calls } = connection.client;
    await expect(chat.get({ sessionId: 'none', limit: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
      message: 'This chat does not exist. It may have been deleted.',
      data: { code: 'chat.gone', field: 'sessionId' },
    });
    await expect(calls.get({ callId: 'none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      data: { code: 'calls.notInHistory', params: { callId: 'none' }, field: 'callId' },
    });
  });

  test('refuses fields the contract does not know', async () => {
    const input = { theme: 'dark', admin: true } as never;
    await expect(connection.client.settings.set(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test.each([['__proto__'], ['constructor'], ['tools', '__proto__', 'list'], ['tools', 'nothing']])(
    'knows no procedure %s',
    async (...path) => {
      let procedure: unknown = connection.client;
      for (const name of path) procedure = Reflect.get(procedure as object, name);
      const call = (procedure as (input: unknown) => Promise<unknown>)({});
      await expect(Promise.resolve().then(() => call)).rejects.toThrow();
    },
  );

  test('an aborted call reaches the tool', async () => {
    const events = new EventEmitter();
    workbench.toolRegistryManager.register(waitingTool(events));
    const controller = new AbortController();
    const toolStarted = once(events, 'started');
    const stopped = once(events, 'stopped');
    const call = connection.client.calls.execute(
      { callId: 'c1', toolName: 'waiting_forever', argsJson: '{}', origin: 'executor' },
      { signal: controller.signal },
    );
    const rejected = expect(call).rejects.toThrow();
    await toolStarted;
    controller.abort();
    await Promise.all([stopped, rejected]);
  });

  test('a call can be cancelled by its id, from another window', async () => {
    const events = new EventEmitter();
    workbench.toolRegistryManager.register(waitingTool(events));
    const other = await started.connect();
    const toolStarted = once(events, 'started');
    const call = connection.client.calls.execute({
      callId: 'mine',
      toolName: 'waiting_forever',
      argsJson: '{}',
      origin: 'executor',
    });
    await toolStarted;
    expect((await other.client.calls.running()).map((record) => record.callId)).toEqual(['mine']);
    expect(await other.client.calls.cancel({ callId: 'mine' })).toEqual({ cancelled: true });
    expect(await call).toMatchObject({ status: 'error', error: { code: 'cancelled' } });
    expect(await other.client.calls.running()).toEqual([]);
    expect(await other.client.calls.cancel({ callId: 'mine' })).toEqual({ cancelled: false });
    other.cut();
  });

  test('a window that goes stops its calls; the workbench goes on', async () => {
    const events = new EventEmitter();
    workbench.toolRegistryManager.register(waitingTool(events));
    const toolStarted = once(events, 'started');
    const stopped = once(events, 'stopped');
    const call = connection.client.calls.execute({
      callId: 'c1',
      toolName: 'waiting_forever',
      argsJson: '{}',
      origin: 'executor',
    });
    const rejected = expect(call).rejects.toThrow();
    await toolStarted;
    connection.cut();
    await Promise.all([stopped, rejected]);
    connection = await started.connect();
    expect((await listTools(connection.client)).length).toBeGreaterThan(0);
  });

  test('events name every topic first, then gather what changed', async () => {
    const controller = new AbortController();
    const events = await connection.client.workbench.events(undefined, { signal: controller.signal });
    const { topics } = (await events.next()).value as WorkbenchEvent;
    expect(topics).toEqual(expect.arrayContaining(['calls', 'devices', 'info', 'models', 'settings', 'tools']));
    const next = events.next();
    for (let index = 0; index < 1000; index++) {
      const unregister = workbench.toolRegistryManager.register(
        defineToolRegistry({
          id: `t${index}`,
          name: 't',
          source: { kind: 'builtin', id: 't', label: 't' },
          methods: [],
        }),
      );
      unregister();
    }
    expect((await next).value).toEqual({ topics: ['tools'] });
    controller.abort();
    await expect(events.next()).rejects.toThrow();
  });

  test('two windows hear the same change', async () => {
    const other = await started.connect();
    const streams = await Promise.all([connection, other].map(({ client }) => client.workbench.events()));
    await Promise.all(streams.map((stream) => stream.next()));
    await other.client.settings.set({ theme: 'dark' });
    for (const stream of streams) expect((await stream.next()).value).toEqual({ topics: ['settings'] });
    expect((await connection.client.settings.get()).theme).toBe('dark');
    other.cut();
  });

  test.each(['', 'hello', '{}', '[]', '{"i":1}', '[1,2,3]', 'null'])(
    'a frame that is not a message (%s) closes only its own connection',
    async (frame) => {
      const stranger = await started.connect();
      stranger.sendRaw(frame);
      expect((await listTools(connection.client)).length).toBeGreaterThan(0);
      stranger.cut();
    },
  );

  test('sixty-four calls at once each get their own answer', async () => {
    const texts = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        connection.client.parser.parse({ text: 'x'.repeat(index) }).then((report) => report.length),
      ),
    );
    expect(texts).toEqual(Array.from({ length: 64 }, (_, index) => index));
  });

  test('a reply of five million characters passes whole', async () => {
    const report = await connection.client.parser.parse({ text: '读'.repeat(5_000_000) });
    expect(report.length).toBe(5_000_000);
  });
});
