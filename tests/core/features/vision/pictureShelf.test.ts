import { expect, test } from 'vitest';
import { PictureShelf } from '../../../../src-core/features/vision/pictureShelf.ts';
import type { VisionRequest } from '../../../../src-core/contract/types.ts';

const entry = (id: string, bytes = 1) => ({
  request: { id, kind: 'explain', at: 0, mediaType: 'image/png', bytes, state: 'answered' } satisfies VisionRequest,
  picture: Buffer.alloc(bytes),
});
const ids = (shelf: PictureShelf) => shelf.list().map(({ id }) => id);

test('pictures are listed newest first, and the list is a copy', () => {
  const shelf = new PictureShelf();
  shelf.add(entry('a'));
  shelf.add(entry('b'));
  expect(ids(shelf)).toEqual(['b', 'a']);
  Object.assign(shelf.list()[0] ?? {}, { state: 'failed' });
  expect(shelf.list()[0]?.state).toBe('answered');
});

test('a hundred are kept, the oldest go', () => {
  const shelf = new PictureShelf();
  for (let index = 0; index < 103; index += 1) shelf.add(entry(String(index)));
  expect(ids(shelf)).toHaveLength(100);
  expect(ids(shelf).at(-1)).toBe('3');
  expect(() => shelf.get('2')).toThrow(expect.objectContaining({ name: 'RequestError', field: 'id' }) as Error);
});

test('so many bytes are kept; one that is larger stays alone', () => {
  const shelf = new PictureShelf({ maxBytes: 100 });
  for (const id of ['a', 'b', 'c']) shelf.add(entry(id, 40));
  expect(ids(shelf)).toEqual(['c', 'b']);
  shelf.add(entry('large', 500));
  expect(ids(shelf)).toEqual(['large']);
  shelf.add(entry('d', 40));
  expect(ids(shelf)).toEqual(['d']);
});

test('what is taken off makes room', () => {
  const shelf = new PictureShelf({ maxBytes: 100 });
  shelf.add(entry('a', 60));
  shelf.remove('a');
  shelf.remove('never there');
  for (const id of ['b', 'c']) shelf.add(entry(id, 50));
  expect(ids(shelf)).toEqual(['c', 'b']);
});
