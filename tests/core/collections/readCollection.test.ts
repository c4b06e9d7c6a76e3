import { expect, test } from 'vitest';

import { openCollectionFolder } from '../../../src-core/collections/collectionFolder.ts';
import { readCollection } from '../../../src-core/collections/readCollection.ts';
import { collectionWith } from './folders.ts';

test('of a collection 32 MB are read, and the rest is counted', async () => {
  const description = 'x'.repeat(3_900_000);
  const calls = Array.from({ length: 12 }, (_, at) => [`call ${at}`, { tool: 't', description }]);
  const folder = collectionWith(Object.fromEntries(calls) as Record<string, object>);
  const read = await readCollection(await openCollectionFolder(folder));
  expect(read.calls.map(({ file }) => file)).toEqual(Array.from({ length: 9 }, (_, at) => `call ${at}.call.json`));
  expect(read.problems).toEqual(['Its files have more than 32 MB together; 3 of them are not read.']);
});
