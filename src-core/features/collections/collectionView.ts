import { basename } from 'node:path';

import type { CollectionView, SavedCallRow } from '../../contract/types.ts';
import { openCollectionFolder } from './collectionFolder.ts';
import type { SavedCall } from './format.ts';
import { readCollection, type ReadFile } from './readCollection.ts';
import type { SavedRun } from '../../contract/collections.ts';
import type { SavedRunStore } from '../../store/savedRunTypes.ts';
import { RequestError } from '../../base/requestError.ts';

/** A collection as the tree shows it; one whose folder is gone says so. */
export async function collectionView(
  folder: string,
  { savedRuns, trusted }: { savedRuns: SavedRunStore; trusted: boolean },
): Promise<CollectionView> {
  try {
    const { manifest, calls, environments, problems } = await readCollection(await openCollectionFolder(folder));
    const latest = await savedRuns.latest(folder);
    return {
      folder,
      name: manifest.name,
      problems,
      trusted,
      confirming: calls.filter(({ value }) => value?.confirm === true).length,
      calls: calls.map((call) => toRow(call, latest.get(call.file))),
      environments: environments.map(({ file, problem }) => ({
        name: file.slice('environments/'.length, -'.json'.length),
        ...(problem !== undefined && { problem }),
      })),
    };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const nothing = { trusted, confirming: 0, problems: [], calls: [], environments: [] };
    return { folder, name: basename(folder), problem: error.message, ...nothing };
  }
}

function toRow({ file, value, problem }: ReadFile<SavedCall>, last: SavedRun | undefined): SavedCallRow {
  return {
    file,
    name: value?.name ?? file,
    ...(value !== undefined && { tool: value.tool }),
    ...(problem !== undefined && { problem }),
    assertions: value?.assertions?.length ?? 0,
    ...(last !== undefined && { last }),
  };
}
