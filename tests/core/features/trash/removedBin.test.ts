import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { openStore } from '../../../helpers/testStore.ts';
import { createFileSecrets } from '../../../../src-core/store/fileSecrets.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { createWorkbench, type Workbench } from '../../../../src-core/workbench.ts';
import { collectionWith } from '../collections/folders.ts';
import { createEventBus } from '../../../../src-core/features/context.ts';
import { openCollections } from '../../../../src-core/features/collections/service.ts';
import { createRemovedBin } from '../../../../src-core/features/trash/removedBin.ts';

let dataDir: string;
let errors: unknown[];
beforeEach(() => {
  errors = [];
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-removed-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = (): Promise<Workbench> =>
  createWorkbench({ dataDir, devicePort: 0, shell: 'browser', onError: (error) => errors.push(error) });
const capture = (name: string) => ({
  name,
  text: '{"toolwire":"capture","version":1,"device":{"name":"box","deviceId":"aa:bb"},"exportedAt":1770000000000}\n',
});

it('brings a chat and a capture back as they were, after a restart, too', async () => {
  const first = await open();
  const chats = first.services.chat;
  const { id: sessionId } = chats.create({});
  chats.rename({ sessionId, title: 'Kept' });
  const before = chats.list();
  await chats.remove({ sessionId });
  expect(chats.list()).toEqual([]);
  await expect(chats.exportChat({ sessionId }).next()).rejects.toThrow('does not exist');
  await first.close();

  const second = await open();
  const [removed] = second.services.removed.list();
  expect(removed).toMatchObject({ kind: 'chat', name: 'Kept', of: sessionId });
  await second.services.removed.restore({ id: removed?.id ?? '' });
  expect(second.services.chat.list()).toEqual(before);
  expect(second.services.removed.list()).toEqual([]);
  await expect(second.services.removed.restore({ id: removed?.id ?? '' })).rejects.toThrow('deleted permanently');
  await second.close();
  expect(errors).toEqual([]);
});

it('hides a removed capture in every list, and deletes it permanently on request', async () => {
  const workbench = await open();
  const { captures, removed } = workbench.services;
  const [kept, gone] = [await captures.importPart(capture('kept')), await captures.importPart(capture('gone'))];
  await captures.remove({ captureId: kept.captureId });
  await captures.remove({ captureId: gone.captureId, forGood: true });
  expect(await captures.list()).toEqual([]);
  await expect(captures.exportPart({ captureId: kept.captureId })).rejects.toThrow('no capture');
  expect(removed.list().map(({ name }) => name)).toEqual(['kept']);
  await removed.restore({ id: removed.list()[0]?.id ?? '' });
  expect((await captures.list()).map(({ id }) => id)).toEqual([kept.captureId]);

  await captures.remove({ captureId: kept.captureId });
  await removed.discard({});
  expect(removed.list()).toEqual([]);
  expect(await captures.list()).toEqual([]);
  await workbench.close();
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  expect(await store.captures.list()).toEqual([]);
  await store.close();
});

it('brings a file of a collection back byte for byte, and never over one that is there again', async () => {
  const workbench = await open();
  const { collections, removed } = workbench.services;
  const { folder } = await collections.create({ folder: join(dataDir, 'team'), name: 'Team' });
  const path = join(folder, 'odd.call.json');
  const text = '{ "name": "Odd",   "tool": "clock_get_date", "arguments": {}, "note": "by hand" }\n\n';
  writeFileSync(path, text);
  await collections.removeCall({ folder, file: 'odd.call.json' });
  expect(existsSync(path)).toBe(false);
  const [entry] = removed.list();
  expect(entry).toEqual({
    id: entry?.id,
    at: entry?.at,
    kind: 'file',
    name: 'odd.call.json',
    of: folder,
    file: 'odd.call.json',
  });

  writeFileSync(path, 'another');
  await expect(removed.restore({ id: entry?.id ?? '' })).rejects.toThrow('exists again');
  expect(readFileSync(path, 'utf8')).toBe('another');
  rmSync(path);
  await removed.restore({ id: entry?.id ?? '' });
  expect(readFileSync(path, 'utf8')).toBe(text);

  await expect(collections.removeCall({ folder, file: 'never.call.json' })).rejects.toThrow('gone already');
  expect(removed.list()).toEqual([]);
  await workbench.close();
});

it('leaves a file alone that somebody else wrote after it was read to be kept', async () => {
  const folder = collectionWith({ first: { tool: 'x' } });
  const file = 'first.call.json';
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  const bin = createRemovedBin({
    store: store.removed,
    onChange: () => writeFileSync(join(folder, file), 'theirs'),
    onError: (error) => errors.push(error),
  });
  const { service: collections, close } = openCollections({
    store,
    events: createEventBus(),
    trash: { bin },
    toolRegistryManager: createToolRegistryManager({ onError: (error) => errors.push(error) }),
    secrets: createFileSecrets(join(dataDir, 'secrets.json')),
    onError: (error) => errors.push(error),
    calls: {
      execute: () => Promise.reject(new Error('Nothing is called here.')),
      beginSeries: () => () => undefined,
      findSecretsWith: () => undefined,
    },
  });
  await collections.open({ folder });
  await expect(collections.removeCall({ folder, file })).rejects.toThrow('was changed by someone else');
  expect(readFileSync(join(folder, file), 'utf8')).toBe('theirs');
  expect(bin.list()).toEqual([]);
  await close();
  await store.close();
  expect(errors).toEqual([]);
});

it('keeps a file of 3 MB, and deletes what cannot be kept only with `forGood`', async () => {
  const workbench = await open();
  const { collections, removed } = workbench.services;
  const { folder } = await collections.create({ folder: join(dataDir, 'team'), name: 'Team' });
  const large = join(folder, 'large.call.json');
  const text = JSON.stringify({ name: 'Large', tool: 'x', arguments: { text: 'x'.repeat(3_000_000) } });
  writeFileSync(large, text);
  await collections.removeCall({ folder, file: 'large.call.json' });
  await removed.restore({ id: removed.list()[0]?.id ?? '' });
  expect(readFileSync(large, 'utf8')).toBe(text);

  writeFileSync(large, 'x'.repeat(4 * 1024 * 1024 + 1));
  const file = 'large.call.json';
  await expect(collections.removeCall({ folder, file })).rejects.toMatchObject({ field: 'forGood' });
  expect(existsSync(large)).toBe(true);
  await collections.removeCall({ folder, file, forGood: true });
  expect(existsSync(large)).toBe(false);
  expect(removed.list()).toEqual([]);
  await workbench.close();
});

it('keeps the newest 640 items of a kind, of seven days, and 64 million characters, and deletes the others', async () => {
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  const gone: string[] = [];
  let time = 1_000;
  const make = () => {
    const bin = createRemovedBin({
      store: store.removed,
      now: () => time,
      onChange: () => undefined,
      onError: (error) => errors.push(error),
    });
    bin.handle('chat', { restore: () => undefined, discard: ({ of }) => void gone.push(of) });
    return bin;
  };
  const bin = make();
  for (let at = 0; at < 642; at++) bin.put({ kind: 'chat', name: `Chat ${at}`, of: `c${at}` });
  expect(gone).toEqual(['c0', 'c1']);
  expect(bin.list()).toHaveLength(640);
  expect(bin.list()[0]?.name).toBe('Chat 641');
  time += 8 * 24 * 3_600_000;
  expect(bin.list()).toEqual([]);
  expect(make().list()).toEqual([]);
  await vi.waitUntil(() => gone.length === 642);
  const text = 'x'.repeat(30_000_000);
  for (const name of ['one', 'two', 'three']) make().put({ kind: 'file', name, of: '/x', file: name, text });
  expect(
    make()
      .list()
      .map(({ name }) => name),
  ).toEqual(['three', 'two']);
  store.removed.add({ id: 'odd', place: { not: 'a thing' } });
  expect(make().list()).toHaveLength(2);
  expect(errors).toHaveLength(1);
  expect(store.removed.list().map(({ id }) => id)).not.toContain('odd');
  await store.close();
});

it('keeps a thousand forgotten devices, and what was removed before them', async () => {
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  const bin = createRemovedBin({
    store: store.removed,
    onChange: () => undefined,
    onError: (error) => errors.push(error),
  });
  bin.put({ kind: 'chat', name: 'Kept', of: 'c' });
  for (let at = 0; at < 1_000; at++) bin.put({ kind: 'device', name: `Board ${at}`, of: `d${at}` });
  expect(bin.list()).toHaveLength(1_001);
  expect(bin.has('chat', 'c')).toBe(true);
  await store.close();
  expect(errors).toEqual([]);
});
