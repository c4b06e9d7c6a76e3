import { expect, it } from 'vitest';

import { sortByName } from '../../../renderer/i18n/sortByName.ts';

it('sorts by the numbers in names, and by the id where names are the same', () => {
  const named = (name: string, id = name) => ({ id, name });
  const sorted = sortByName([named('Room 10'), named('room 2'), named('Room 1', 'b'), named('Room 1', 'a')]);
  expect(sorted.map(({ id, name }) => `${name} ${id}`)).toEqual([
    'Room 1 a',
    'Room 1 b',
    'room 2 room 2',
    'Room 10 Room 10',
  ]);
});
