import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { RequestError } from '../../base/requestError.ts';
import { openCollectionFolder } from './collectionFolder.ts';
import { readCollection, type Collection } from './readCollection.ts';

/**
 * The collection of a folder, or, if it has none, those of its subfolders, by name. Links are not followed.
 * @throws {RequestError} If there is none, or one cannot be read.
 */
export async function findCollections(typed: string): Promise<Collection[]> {
  const folder = await openCollectionFolder(typed);
  if ((await folder.read('toolwire.json')) !== undefined) return [await readCollection(folder)];
  const found: Collection[] = [];
  const entries = await readdir(folder.path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names.sort()) {
    const inner = await openCollectionFolder(join(folder.path, name));
    if ((await inner.read('toolwire.json')) !== undefined) found.push(await readCollection(inner));
  }
  if (found.length > 0) return found;
  throw new RequestError(`${folder.path} has no toolwire.json, nor has a folder in it: it is not a collection.`, {
    field: 'folder',
  });
}
