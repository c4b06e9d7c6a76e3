import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { maxChatSteps } from '../../../src-core/store/chats.ts';
import type { ChatTable } from '../../../src-core/store/chatTypes.ts';
import { migrate } from '../../../src-core/store/migrations.ts';
import { openStore } from './tables.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-chats-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function open(path = join(folder(), 'toolwire.db')): ChatTable {
  const store = openStore({ path });
  onTestFinished(() => store.close());
  return store.chats;
}

const chatRecord = (title: string): string => JSON.stringify({ title, options: {} });
const entryRecord = (text: string): string => JSON.stringify({ role: 'user', text });
const stepRecord = (text: string): string => JSON.stringify({ messages: [text] });

const chat = (id: string, updatedAt = 1): Parameters<ChatTable['put']>[0] => ({
  id,
  updatedAt,
  running: false,
  record: chatRecord(id),
});

const entry = (chatId: string, id: string, record = entryRecord('')): Parameters<ChatTable['putEntry']>[0] => ({
  chatId,
  id,
  record,
  updatedAt: 5,
});

test('chats are listed changed last first, and every change counts', () => {
  const chats = open();
  expect(chats.get('a')).toBeUndefined();
  chats.put(chat('a', 1));
  chats.put(chat('b', 2));
  chats.putEntry(entry('a', 'e1'));
  expect(chats.list().map(({ id }) => id)).toEqual(['a', 'b']);
  expect(chats.put({ ...chat('b', 9), running: true, record: chatRecord('new') })).toEqual({
    id: 'b',
    updatedAt: 9,
    running: true,
    revision: 2,
    entryCount: 0,
    record: chatRecord('new'),
  });
  expect(chats.list().map(({ id }) => id)).toEqual(['b', 'a']);
  expect(chats.get('a')).toMatchObject({ revision: 2, entryCount: 1, updatedAt: 5 });
});

test('of chats changed in the same millisecond, the one created last is listed first', () => {
  const chats = open();
  for (const id of ['b', 'c', 'a']) chats.put(chat(id, 1));
  expect(chats.list().map(({ id }) => id)).toEqual(['a', 'c', 'b']);
});

test('entries come by page, and by what changed since', () => {
  const chats = open();
  chats.put(chat('a'));
  for (const id of ['e1', 'e2', 'e3', 'e4']) chats.putEntry(entry('a', id));
  const ids = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
  expect(ids(chats.entries('a', { limit: 2 }))).toEqual(['e3', 'e4']);
  expect(ids(chats.entries('a', { before: 3, limit: 10 }))).toEqual(['e1', 'e2']);
  const { revision } = chats.get('a')!;
  expect(chats.changes('a', { after: revision, limit: 10 })).toEqual([]);
  expect(chats.putEntry(entry('a', 'e2', entryRecord('later')))).toEqual({
    id: 'e2',
    position: 2,
    revision: revision + 1,
    record: entryRecord('later'),
  });
  expect(ids(chats.changes('a', { after: revision, limit: 10 }))).toEqual(['e2']);
  expect(ids(chats.changes('a', { after: 0, limit: 2 }))).toEqual(['e1', 'e3']);
  expect(chats.entry('a', 'e2')?.record).toBe(entryRecord('later'));
  expect(chats.entry('b', 'e2')).toBeUndefined();
});

test('an entry of no chat is refused, and nothing is left of it', () => {
  const chats = open();
  expect(() => chats.putEntry(entry('gone', 'e1'))).toThrow('There is no chat "gone"');
  chats.put(chat('gone'));
  expect(chats.entries('gone', { limit: 10 })).toEqual([]);
});

test('a chat goes with its entries and steps, and with nobody else’s', () => {
  const chats = open();
  for (const id of ['a', 'b']) {
    chats.put(chat(id));
    chats.putEntry(entry(id, 'e1'));
    chats.putStep({ id: `step ${id}`, chatId: id, record: stepRecord('') });
  }
  expect(chats.remove('a')).toBe(true);
  expect(chats.remove('a')).toBe(false);
  expect(chats.step('step a')).toBeUndefined();
  expect(chats.step('step b')).toEqual({ id: 'step b', chatId: 'b', record: stepRecord('') });
  chats.put(chat('a'));
  expect(chats.entries('a', { limit: 10 })).toEqual([]);
  expect(chats.entries('b', { limit: 10 })).toHaveLength(1);
});

test('another chat gets the entries up to a place, and changes its own copy only', () => {
  const chats = open();
  chats.put(chat('a'));
  for (const id of ['e1', 'e2', 'e3']) chats.putEntry(entry('a', id, entryRecord(id)));
  chats.put(chat('b'));
  chats.copyEntries({ from: 'a', to: 'b', upTo: 2 });
  chats.putEntry(entry('b', 'e2', entryRecord('other')));
  chats.putEntry(entry('b', 'f1'));
  const rows = chats.entries('b', { limit: 10 });
  expect(rows.map(({ id, position, record }) => [id, position, record])).toEqual([
    ['e1', 1, entryRecord('e1')],
    ['e2', 2, entryRecord('other')],
    ['f1', 3, entryRecord('')],
  ]);
  expect(chats.entry('a', 'e2')?.record).toBe(entryRecord('e2'));
});

test('only the newest 200 steps stay', () => {
  const chats = open();
  chats.put(chat('a'));
  for (let i = 0; i <= maxChatSteps; i++) chats.putStep({ id: `s${i}`, chatId: 'a', record: stepRecord(`${i}`) });
  expect(chats.step('s0')).toBeUndefined();
  chats.putStep({ id: 's1', chatId: 'a', record: stepRecord('again') });
  expect(chats.step('s1')?.record).toBe(stepRecord('again'));
  expect(chats.step(`s${maxChatSteps}`)).toBeDefined();
});

test('several changes come together or not at all', () => {
  const chats = open();
  chats.put(chat('a'));
  expect(() =>
    chats.together(() => {
      chats.putEntry(entry('a', 'e1'));
      throw new Error('half-way');
    }),
  ).toThrow('half-way');
  expect(chats.entries('a', { limit: 10 })).toEqual([]);
  expect(chats.together(() => (chats.putEntry(entry('a', 'e1')), chats.get('a')?.entryCount))).toBe(1);
});

test.each(['5', 'null', '"x"', '[1]', '{}', '{"title":5,"options":{}}', '{"title":"x","role":5,"messages":{}}'])(
  'a record %s is hidden and counted as damaged',
  (record) => {
    const path = join(folder(), 'toolwire.db');
    const store = openStore({ path });
    onTestFinished(() => store.close());
    const { chats } = store;
    for (const id of ['a', 'b']) {
      chats.put(chat(id));
      chats.putEntry(entry(id, `entry ${id}`));
      chats.putStep({ id: `step ${id}`, chatId: id, record: stepRecord('') });
    }
    const database = new DatabaseSync(path);
    for (const [table, id] of [
      ['chats', 'b'],
      ['chat_entries', 'entry a'],
      ['chat_steps', 'step a'],
    ]) {
      database.prepare(`UPDATE ${table} SET record = ? WHERE id = ?`).run(record, id!);
    }
    database.close();
    expect(chats.list().map(({ id }) => id)).toEqual(['a']);
    expect(chats.get('b')).toBeUndefined();
    expect(chats.entries('a', { limit: 9 })).toEqual([]);
    expect(chats.step('step a')).toBeUndefined();
    expect(chats.step('step b')).toBeDefined();
    expect(store.health.state().unreadable).toEqual({ chats: 3 });
  },
);

test('what was put is there after kill -9', async () => {
  const path = join(folder(), 'toolwire.db');
  const source = new URL('../../../src-core/store/openStore.ts', import.meta.url).href;
  const script = `
    import { openStore } from ${JSON.stringify(source)};
    const { chats } = openStore({ path: ${JSON.stringify(path)} });
    chats.put({ id: 'a', updatedAt: 1, running: true, record: '${chatRecord('')}' });
    for (let i = 1; i <= 50; i++) chats.putEntry({ chatId: 'a', id: 'e' + i, record: '${entryRecord('')}', updatedAt: i });
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  await once(child, 'exit');
  expect(open(path).get('a')).toMatchObject({ running: true, entryCount: 50, updatedAt: 50 });
});

test('calls of chats that an older Toolwire kept have their arguments as text', () => {
  const path = join(folder(), 'toolwire.db');
  const database = new DatabaseSync(path);
  migrate(database, 4);
  database.exec("INSERT INTO chats (id, updated_at, running, revision, record) VALUES ('a', 1, 0, 1, '{}')");
  const calls = [
    { id: 'one', askedArgs: { n: '5' }, args: { n: 5, deep: [{ text: 'ein "Text"\n' }] }, state: 'done' },
    { id: 'two', askedArgs: {}, args: {}, edited: true },
  ];
  const records = [
    { role: 'user', text: 'x' },
    { role: 'assistant', calls: [] },
    { role: 'assistant', calls, step: 1 },
  ];
  const insert = database.prepare(
    "INSERT INTO chat_entries (chat_id, id, position, revision, record) VALUES ('a', ?, ?, 1, ?)",
  );
  for (const [at, record] of records.entries()) insert.run(`e${at}`, at + 1, JSON.stringify(record));
  database.close();
  const kept = open(path).entries('a', { limit: 9 });
  expect(kept.map(({ record }) => JSON.parse(record) as unknown)).toEqual([
    ...records.slice(0, 2),
    {
      role: 'assistant',
      step: 1,
      calls: [
        { id: 'one', state: 'done', askedArgsJson: '{"n":"5"}', argsJson: JSON.stringify(calls[0]?.args) },
        { id: 'two', edited: true, askedArgsJson: '{}', argsJson: '{}' },
      ],
    },
  ]);
});
