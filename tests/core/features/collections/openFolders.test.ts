import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';

import { openStore } from '../../../../src-core/store/openStore.ts';
import { createOpenFolders, type OpenFolders } from '../../../../src-core/features/collections/openFolders.ts';
import { folderWith, put } from './folders.ts';
import { dataFolder } from '../../workbench/openWorkbench.ts';

/** The folders as one process has them. */
function openFolders(dataDir: string, heard: Partial<Parameters<typeof createOpenFolders>[0]> = {}): OpenFolders {
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  const folders = createOpenFolders({
    store: store.settings,
    onChange: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
    ...heard,
  });
  onTestFinished(async () => {
    await folders.close();
    store.close();
  });
  return folders;
}

test('two processes on one data folder keep what the other opened, closed and trusted', async () => {
  const dataDir = dataFolder();
  const [a, b] = [openFolders(dataDir), openFolders(dataDir)];
  a.add('/a');
  b.add('/b');
  b.trust('/a', true);
  a.add('/c');
  expect(a.list()).toEqual(['/a', '/b', '/c']);
  expect(a.isTrusted('/a')).toBe(true);
  expect(a.has('/b')).toBe(true);
  await b.remove('/a');
  a.trust('/c', true);
  for (const each of [a, b, openFolders(dataDir)]) {
    expect(each.list()).toEqual(['/b', '/c']);
    expect([each.isTrusted('/a'), each.isTrusted('/c')]).toEqual([false, true]);
  }
});

test('a folder that another process opened is watched from the next look on, one that it closed is not', async () => {
  const dataDir = dataFolder();
  let told = 0;
  const [a, b] = [openFolders(dataDir), openFolders(dataDir, { onChange: () => (told += 1) })];
  const [kept, gone] = [folderWith({}), folderWith({})];
  [kept, gone].forEach((folder) => a.add(folder));
  await b.watch();
  await a.remove(gone);
  await b.watch();
  put(kept, 'new.call.json', {});
  await vi.waitUntil(() => told > 0, { timeout: 15_000 });
  expect(b.list()).toEqual([kept]);
});

test('a damaged list is empty, and is good again with the next change', () => {
  const dataDir = dataFolder();
  const errors: unknown[] = [];
  const folders = openFolders(dataDir, { onError: (error) => errors.push(error) });
  folders.add('/a');
  const database = new DatabaseSync(join(dataDir, 'toolwire.db'));
  database.exec(`UPDATE settings SET value = '{' WHERE key = 'collections.folders'`);
  database.close();
  for (let look = 0; look < 3; look += 1) expect(folders.list()).toEqual([]);
  // The health of the store counts it, and the workbench reports that.
  expect(errors).toEqual([]);
  folders.add('/b');
  expect(folders.list()).toEqual(['/b']);
});
