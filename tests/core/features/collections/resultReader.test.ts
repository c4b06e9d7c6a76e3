import { afterEach, expect, test } from 'vitest';

import {
  openResult,
  type ReadLimits,
  type ResultReader,
} from '../../../../src-core/features/collections/resultReader.ts';
import { createTimeBudget } from '../../../../src-core/features/collections/timeBudget.ts';

const rooms = Array.from({ length: 18_000 }, (_, id) => ({ id, name: `lamp ${id}`, on: true, room: { id: 3.1 } }));
const large = JSON.stringify([...rooms, { huge: 'x' }]).replace('"x"', '9007199254740993');

let open: ResultReader[] = [];

afterEach(() => {
  for (const reader of open) reader.close();
  open = [];
});

function read(text: string, limits?: ReadLimits): ResultReader {
  const reader = openResult(text, createTimeBudget(60_000), limits);
  open.push(reader);
  return reader;
}

/** Turns of the event loop while something is awaited. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  await work.catch(() => undefined);
  isOver = true;
  return turns;
}

test('a result of 1 MB is looked through, and its numbers stay as written', async () => {
  expect(large.length).toBeGreaterThan(1_000_000);
  const reader = read(large);
  const atLeast = (wanted: number) => ({ path: '$..id', comparison: { op: 'atLeast', wanted } }) as const;
  expect(await reader.lookUp(atLeast(0))).toEqual({ isEmpty: false });
  expect(await reader.lookUp(atLeast(1))).toEqual({ isEmpty: false, value: 0 });
  expect(await reader.lookUp({ path: '$[17999]' })).toEqual({ isEmpty: false, value: rooms[17_999] });
  expect(await reader.lookUp({ path: "$[?match(@.name, 'lamp 1799.')].id" })).toEqual({
    isEmpty: false,
    value: 17_990,
  });
  expect(JSON.stringify((await reader.lookUp({ path: '$..huge' })).value)).toBe('9007199254740993');
  const huge = (wanted: bigint) => ({ path: '$..huge', comparison: { op: 'equals', wanted } }) as const;
  expect(await reader.lookUp(huge(9007199254740993n))).toEqual({ isEmpty: false });
  expect(await reader.lookUp(huge(9007199254740992n))).toMatchObject({ value: expect.anything() });
  expect(await reader.lookUp({ path: '$..none' })).toEqual({ isEmpty: true });
  expect(await reader.checkSchema({ items: { required: ['id'] } })).toEqual({
    misfit: { place: expect.any(String), found: expect.stringContaining('id') },
  });
  expect(await reader.checkSchema({ items: { type: 'object' } })).toEqual({});
});

test('a list with more items than a call takes arguments is looked through', async () => {
  const reader = read(JSON.stringify(Array(150_000).fill(7)));
  expect(await reader.lookUp({ path: '$[*]' })).toEqual({ isEmpty: false, value: 7 });
});

test('others have many turns while a path takes long, and it ends', async () => {
  const reader = read(large, { each: 300, together: 600 });
  const hostile = reader.lookUp({ path: '$[?count($..*..*) == 1]' });
  expect(await turnsDuring(hostile)).toBeGreaterThan(100);
  await expect(hostile).rejects.toThrow('it takes more than 300 ms of processor time');
});

test('a small result is read here, and there only if it takes long', async () => {
  const nested = `${'{"a":[1,2,3],"b":'.repeat(150)}0${'}'.repeat(150)}`;
  const reader = read(nested, { each: 200, together: 400 });
  expect(await reader.lookUp({ path: '$.b.a[1]' })).toEqual({ isEmpty: false, value: 2 });
  const every = { path: '$..*..*..*..*', comparison: { op: 'notEquals', wanted: 'nowhere' } } as const;
  const hostile = reader.lookUp(every);
  expect(await turnsDuring(hostile)).toBeGreaterThan(100);
  await expect(hostile).rejects.toThrow('it takes more than 200 ms of processor time');
  // Each question uses most of what is left.
  for (let question = 0; question < 6; question += 1) await reader.lookUp(every).catch(() => undefined);
  await expect(reader.lookUp(every)).rejects.toThrow('The checks of this call took more than 400 ms together.');
});

test('a process that was closed answers nothing more', async () => {
  const reader = read(large);
  const asked = reader.lookUp({ path: '$..id' });
  reader.close();
  await expect(asked).rejects.toThrow('The process has ended.');
});
