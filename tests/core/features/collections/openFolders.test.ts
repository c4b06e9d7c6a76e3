import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';

import { openStore } from '../../../helpers/testStore.ts';
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
    await store.close();
  });
  return folders;
}

test('what was opened, closed and trusted is there after a restart', async () => {
  const dataDir = dataFolder();
  const folders = openFolders(dataDir);
  ['/a', '/b', '/c'].forEach((folder) => folders.add(folder));
  folders.trust('/a', true);
  expect([folders.list(), folders.isTrusted('/a'), folders.has('/b')]).toEqual([['/a', '/b', '/c'], true, true]);
  await folders.remove('/a');
  folders.trust('/c', true);
  for (const each of [folders, openFolders(dataDir)]) {
    expect(each.list()).toEqual(['/b', '/c']);
    expect([each.isTrusted('/a'), each.isTrusted('/c')]).toEqual([false, true]);
  }
});

test('a folder is watched from the next look on, one that was closed is not', async () => {
  let told = 0;
  const folders = openFolders(dataFolder(), { onChange: () => (told += 1) });
  const [kept, gone] = [folderWith({}), folderWith({})];
  [kept, gone].forEach((folder) => folders.add(folder));
  await folders.watch();
  await folders.remove(gone);
  await folders.watch();
  told = 0;
  put(kept, 'new.call.json', {});
  await vi.waitUntil(() => told > 0);
  expect(folders.list()).toEqual([kept]);
});

test('a damaged list is empty, and is good again with the next change', () => {
  const dataDir = dataFolder();
  openFolders(dataDir).add('/a');
  const database = new DatabaseSync(join(dataDir, 'toolwire.db'));
  database.exec(`UPDATE settings SET value = '{' WHERE key = 'collections.folders'`);
  database.close();
  const folders = openFolders(dataDir);
  expect(folders.list()).toEqual([]);
  folders.add('/b');
  expect(folders.list()).toEqual(['/b']);
});
