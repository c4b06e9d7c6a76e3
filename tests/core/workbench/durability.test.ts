/** docs/architecture.md, "What outlives what": a process acknowledges one change, and kills itself in the same turn. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

import type { Workbench } from '../../../src-core/workbench.ts';
import { collectionWith } from '../features/collections/folders.ts';
import { dataFolder, openWorkbench } from './openWorkbench.ts';

const sources = new URL('../../../src-core/', import.meta.url).href;

/** Runs `change` with the services of a workbench in another process, which kills itself when it has resolved. */
async function killedAfter(dataDir: string, change: string): Promise<Workbench['services']> {
  const script = `
    const { createWorkbench } = await import('${sources}workbench.ts');
    const { createKeptApprovals } = await import('${sources}features/devices/entry/keptApprovals.ts');
    const { openOwnedStore } = await import('${sources}ownedStore.ts');
    const dataDir = ${JSON.stringify(dataDir)};
    const onError = (error) => console.error(error);
    const openAll = () => createWorkbench({ dataDir, devicePort: 0, shell: 'terminal', onError });
    const open = async () => (await openAll()).services;
    ${change}
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  const workbench = await openWorkbench({ dataDir });
  expect(workbench.info().storage).not.toHaveProperty('movedAside');
  return workbench.services;
}

test('a setting that was acknowledged is there after kill -9', async () => {
  const { settings } = await killedAfter(
    dataFolder(),
    `await (await open()).settings.set({ captureLimitMb: 77, ui: { a: 1 } });`,
  );
  expect(settings.get()).toMatchObject({ captureLimitMb: 77, ui: { a: 1 } });
});

test('a model that was acknowledged is there after kill -9', async () => {
  const { models } = await killedAfter(
    dataFolder(),
    `const { models } = await open();
     const { id } = await models.save({ kind: 'scripted', label: 'Mine', script: { turns: [{ text: 'Yes.' }] } });
     await models.setDefault({ id });`,
  );
  const { models: list } = await models.list();
  const mine = list.find(({ label }) => label === 'Mine');
  expect(mine).toBeDefined();
  expect(mine!.isDefault).toBe(true);
});

test('a chat with its new name is there after kill -9', async () => {
  const { chat } = await killedAfter(
    dataFolder(),
    `const { chat } = await open();
     const { id: sessionId } = await chat.create({ title: 'First' });
     await chat.rename({ sessionId, title: 'Second' });`,
  );
  const [session] = chat.list();
  expect(session).toMatchObject({ title: 'Second' });
});

test('a removed chat is in the bin after kill -9, and can be restored', async () => {
  const { chat, removed } = await killedAfter(
    dataFolder(),
    `const { chat } = await open();
     const { id: sessionId } = await chat.create({ title: 'Gone' });
     await chat.remove({ sessionId });`,
  );
  expect(chat.list()).toEqual([]);
  const [thing] = removed.list();
  expect(thing).toMatchObject({ kind: 'chat', name: 'Gone' });
  await removed.restore({ id: thing!.id });
  expect(chat.list()).toMatchObject([{ title: 'Gone' }]);
});

test('an imported capture is there after kill -9, with its frames', async () => {
  const header = { toolwire: 'capture', version: 1, device: { name: 'Lamp', deviceId: 'lamp' }, exportedAt: 1 };
  const frame = { seq: 1, at: 5, direction: 'in', kind: 'text', type: 'mcp', summary: 'x', bytes: 2, text: '{}' };
  const text = `${JSON.stringify(header)}\n${JSON.stringify(frame)}\n`;
  const { captures, frames } = await killedAfter(
    dataFolder(),
    `await (await open()).captures.importPart({ name: 'kept.jsonl', text: ${JSON.stringify(text)} });`,
  );
  const [capture] = await captures.list();
  expect(capture).toMatchObject({ name: 'kept.jsonl', frames: 1 });
  expect(await frames.frame({ captureId: capture!.id, seq: 1 })).toMatchObject({ text: '{}' });
});

test('an approved device is still approved after kill -9', async () => {
  const dataDir = dataFolder();
  const services = await killedAfter(
    dataDir,
    `const store = await openOwnedStore({ dataDir, onError, onChange() {} });
     await createKeptApprovals(store.settings, onError).set('02:00:00:00:00:01', 'client');`,
  );
  expect(services.workbench.info().storage).not.toHaveProperty('fault');
  const database = new DatabaseSync(join(dataDir, 'toolwire.db'), { readOnly: true });
  const row = database.prepare("SELECT value FROM settings WHERE key = 'devices.approvals'").get();
  database.close();
  expect(JSON.parse(String(row?.['value']))).toEqual([['02:00:00:00:00:01', 'client']]);
});

test('a run of a saved call that was answered is there after kill -9', async () => {
  const folder = collectionWith({ first: { tool: 'clock_get_time' } });
  const { collections } = await killedAfter(
    dataFolder(),
    `const { services, features } = await openAll();
     await services.collections.open({ folder: ${JSON.stringify(folder)} });
     for await (const report of features.collections.runCalls({ folder: ${JSON.stringify(folder)} })) void report;`,
  );
  const [run] = await collections.runs({ folder, file: 'first.call.json', limit: 5 });
  expect(run).toMatchObject({ verdict: 'passed' });
});

test('a conversation is listed as ended after kill -9, with what its log held', async () => {
  const { realtime } = await killedAfter(
    dataFolder(),
    `const { realtime } = await open();
     const { sessionId: id } = await realtime.open({ instructions: 'Be brief.' });
     await realtime.sendText({ id, text: 'Hello' });
     const { DatabaseSync } = await import('node:sqlite');
     const reader = new DatabaseSync(dataDir + '/toolwire.db', { readOnly: true });
     const written = reader.prepare("SELECT count(*) AS count FROM wire_frames WHERE type = 'transcript'");
     while (Number(written.get().count) === 0) await new Promise((resolve) => setTimeout(resolve, 20));`,
  );
  const [session] = await realtime.sessions();
  expect(session).toMatchObject({ state: 'closed', instructions: 'Be brief.' });
  const { transcript } = await realtime.updates({ id: session!.id, revision: 0 });
  expect(transcript.length).toBeGreaterThan(0);
});
