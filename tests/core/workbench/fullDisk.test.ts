/** The whole engine on a database that SQLite reports as full, which needs no file system of a test's own. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { createWorkbench, type Workbench } from '../../../src-core/workbench.ts';
import { createManualClock } from '../features/devices/support/manualClock.ts';
import { connectScripted } from '../features/devices/support/scriptedDevice.ts';
import { openCheckedStore } from '../../../src-core/store/openStore.ts';
import { dataFolder, readyDevice } from './openWorkbench.ts';

/** More than a page of SQLite, so that it cannot go into one that has room left. */
const large = 'x'.repeat(20_000);
const echo = { name: 'self.echo', description: 'Answers.', inputSchema: { type: 'object', properties: {} } };

interface FullDisk {
  workbench: Workbench;
  dataDir: string;
  reported: unknown[];
  fill: () => void;
  free: () => void;
}

async function openOnFullDisk(): Promise<FullDisk> {
  const dataDir = dataFolder();
  const reported: unknown[] = [];
  const clock = createManualClock();
  let database: DatabaseSync | undefined;
  const workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'terminal',
    openTables: (options) => openCheckedStore({ ...options, clock, onOpen: (opened) => (database = opened) }),
    onError: (error) => reported.push(error),
  });
  onTestFinished(() => workbench.close());
  return {
    workbench,
    dataDir,
    reported,
    fill: () => database?.exec('PRAGMA incremental_vacuum; PRAGMA max_page_count = 1'),
    free() {
      database?.exec('PRAGMA max_page_count = 1000000');
      clock.advance(2_000);
    },
  };
}

function call({ services }: Workbench, toolName: string, callId: string = randomUUID()) {
  return services.calls.execute({ callId, toolName, argsJson: JSON.stringify({ note: large }), origin: 'executor' });
}

test('calls, devices and chats go on; changes are refused with the reason; one report each way', async () => {
  const { workbench, dataDir, reported, fill, free } = await openOnFullDisk();
  const { services } = workbench;
  const answer = ({ id, method }: { id?: number; method: string }): object | undefined => {
    const result = {
      initialize: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'b', version: '1' },
      },
      'tools/list': { tools: [echo] },
      'tools/call': { content: [{ type: 'text', text: large }], isError: false },
    }[method];
    return id === undefined ? undefined : { jsonrpc: '2.0', id, result };
  };
  const url = services.workbench.info().device.webSocketUrl;
  const board = await connectScripted(url, { answer, headers: { 'Device-Id': '02:00:00:00:00:68' } });
  onTestFinished(() => board.socket.terminate());
  board.hello();
  const device = await readyDevice(workbench, '02:00:00:00:00:68');
  const { id: sessionId } = services.chat.create({});
  const begun = (await services.calls.history({ limit: 10 })).length;
  const full = `The disk that holds ${dataDir} is full.`;

  fill();
  // A wire frame and a row of the history: both are dropped, and the call runs.
  expect((await call(workbench, `${device.registryId}_self.echo`)).result).toBe(large);
  expect((await call(workbench, 'clock_get_time')).status).toBe('success');
  expect(await services.calls.history({ limit: 10 })).toHaveLength(begun);
  // The newest frames wait in memory.
  expect(services.devices.list().find(({ id }) => id === device.id)?.state).toBe('ready');
  // What is changed on purpose is refused.
  const refused = `${full} Free some space and try again.`;
  const origins = Array.from({ length: 50 }, (_, at) => `http://host-${at}.example:8080`.padEnd(200, '0'));
  await expect(services.settings.set({ dangerousTools: origins })).rejects.toThrow(refused);
  expect(services.settings.get().dangerousTools).toEqual([]);
  expect(() => services.chat.send({ sessionId, text: large })).toThrow(refused);
  expect(services.chat.get({ sessionId, limit: 50 }).entries).toEqual([]);
  const header = `{"toolwire":"capture","version":1,"device":{"name":"Lamp","deviceId":"02:0"},"exportedAt":5}`;
  const frame = { seq: 1, at: 1, direction: 'in', kind: 'text', type: 'mcp', summary: 'x', bytes: 1, text: large };
  const importing = () =>
    services.captures.importPart({ name: 'capture', text: `${header}\n${JSON.stringify(frame)}` });
  await expect(importing()).rejects.toThrow(refused);
  expect(services.workbench.info().storage).toEqual({
    dir: dataDir,
    fault: 'full',
    reason: 'database or disk is full',
    unreadable: {},
  });
  expect(reported).toEqual([expect.stringContaining(full)]);
  expect(reported[0]).toContain('Free some space: saving then resumes by itself.');
  expect(reported[0]).toContain('history and wire logs are not kept, and chats and settings cannot be changed');

  free();
  expect(services.workbench.info().storage).toEqual({ dir: dataDir, unreadable: {} });
  expect(reported).toEqual([expect.stringContaining(full), `${dataDir} can be written again.`]);
  expect((await services.settings.set({ dangerousTools: origins })).dangerousTools).toEqual(origins);
  const callId = randomUUID();
  await call(workbench, `${device.registryId}_self.echo`, callId);
  expect((await services.calls.get({ callId })).result?.result).toBe(large);
  services.chat.send({ sessionId, text: large });
  await expect.poll(() => services.chat.get({ sessionId, limit: 50 }).entries.length).toBe(2);
  await importing();
});

test('a chat turn that is under way when the disk fills ends, and the next one works', async () => {
  const { workbench, dataDir, reported, fill, free } = await openOnFullDisk();
  const { chat, models } = workbench.services;
  const script = { turns: [{ text: large, delayMs: 300 }], atEnd: 'repeat' as const };
  const { id: modelId } = await models.save({ kind: 'scripted', label: 'Slow', script });
  const { id: sessionId } = chat.create({ options: { modelId } });
  chat.send({ sessionId, text: 'Tell' });
  fill();
  await expect.poll(() => chat.list()[0]?.running).toBe(false);
  expect(reported).toEqual([expect.stringContaining(`The disk that holds ${dataDir} is full.`)]);
  expect((await call(workbench, 'clock_get_time')).status).toBe('success');
  free();
  chat.send({ sessionId, text: 'Again' });
  await expect.poll(() => JSON.stringify(chat.get({ sessionId, limit: 50 }).entries.at(-1))).toContain(large);
  expect(reported).toHaveLength(2);
});
