import type { CollectionFolder } from './collectionFolder.ts';
import { RequestError } from '../../base/requestError.ts';

const mark = /\{\{\s*\$secret:([A-Za-z_]\w{0,127})\s*\}\}/g;

/** The secrets that a collection's files name, in order. Files that cannot be read name none. */
export async function namedSecrets(folder: CollectionFolder): Promise<string[]> {
  const names = new Set<string>();
  const files = ['toolwire.json', ...(await folder.callFiles()), ...(await folder.environmentFiles())];
  for (const file of files) {
    const found = await folder.read(file).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      return undefined; // The list of the collection says what is wrong with it.
    });
    for (const [, name = ''] of found?.text.matchAll(mark) ?? []) names.add(name);
  }
  return [...names].sort();
}
