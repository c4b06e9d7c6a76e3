import { expect, test } from 'vitest';

import { openCollectionFolder } from '../../../../src-core/features/collections/collectionFolder.ts';
import { readCollection } from '../../../../src-core/features/collections/readCollection.ts';
import { collectionWith } from './folders.ts';

test('of a collection 32 MB are read, and the rest is counted', async () => {
  const description = 'x'.repeat(3_900_000);
  const calls = Array.from({ length: 12 }, (_, at) => [`call ${at}`, { tool: 't', description }]);
  const folder = collectionWith(Object.fromEntries(calls) as Record<string, object>);
  const read = await readCollection(await openCollectionFolder(folder));
  expect(read.calls.map(({ file }) => file)).toEqual(Array.from({ length: 9 }, (_, at) => `call ${at}.call.json`));
  expect(read.problems).toEqual(['Its files have more than 32 MB together; 3 of them are not read.']);
});

test('a file with more than 20,000 values is a problem of that file only', async () => {
  const args = { list: Array.from({ length: 20_000 }, () => 1) };
  const folder = collectionWith({
    large: { tool: 't', arguments: args },
    small: { tool: 't', arguments: { list: [1] } },
  });
  const { calls } = await readCollection(await openCollectionFolder(folder));
  expect(calls.find(({ file }) => file === 'large.call.json')?.problem).toBe(
    'It has more than 20000 values. Put fewer in it.',
  );
  expect(calls.find(({ file }) => file === 'small.call.json')?.problem).toBeUndefined();
});
