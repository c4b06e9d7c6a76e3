import type { DatabaseSync } from 'node:sqlite';

import type { ChatRow, ChatTable, EntryPage, ReadEntryRow } from './chatTypes.ts';
import type { StorageHealth } from './storageHealth.ts';
import { transaction } from './transaction.ts';

/** Steps kept, of all chats; the oldest go first. */
export const maxChatSteps = 200;

const chatColumns = `id, updated_at, running, revision, record,
  (SELECT COALESCE(MAX(position), 0) FROM chat_entries WHERE chat_id = chats.id) AS entry_count`;
const entryColumns = 'id, position, revision, record';

type Together = ChatTable['together'];

/** The chats in their tables. */
export function createChats(database: DatabaseSync, health: Pick<StorageHealth, 'readable'>): ChatTable {
  // In SQL, so that a damaged row does not take a place on its page.
  database.function('is_readable', (table, key, record) => {
    const read = (): true => requireMembers(String(table), JSON.parse(String(record)));
    return health.readable('chats', String(key), read) === undefined ? 0 : 1;
  });
  const together: Together = (work) => (database.isTransaction ? work() : transaction(database, work));
  return {
    ...chatRows(database, together),
    ...entryRows(database, health, together),
    ...stepRows(database, together),
    together,
  };
}

function chatRows(database: DatabaseSync, together: Together) {
  const all = database.prepare(
    `SELECT ${chatColumns} FROM chats WHERE is_whole AND is_readable('chats', id, record) ORDER BY updated_at DESC, rowid DESC`,
  );
  const one = database.prepare(
    `SELECT ${chatColumns} FROM chats WHERE id = ? AND is_whole AND is_readable('chats', id, record)`,
  );
  const begin = database.prepare(
    'INSERT INTO chats (id, updated_at, running, revision, record, is_whole) VALUES (?, ?, 0, 1, ?, 0)',
  );
  const finish = database.prepare('UPDATE chats SET is_whole = 1 WHERE id = ?');
  const removeUnfinished = database.prepare('DELETE FROM chats WHERE NOT is_whole AND id = ifnull(?, id)');
  const put = database.prepare(
    `INSERT INTO chats (id, updated_at, running, revision, record) VALUES (?, ?, ?, 1, ?)
     ON CONFLICT (id) DO UPDATE SET
       updated_at = excluded.updated_at, running = excluded.running, revision = revision + 1, record = excluded.record`,
  );
  const remove = database.prepare('DELETE FROM chats WHERE id = ?');

  const get = (id: string): ChatRow | undefined => {
    const row = one.get(id);
    return row && toChat(row);
  };

  return {
    list: () => all.all().map(toChat),
    get,
    put({ id, updatedAt, running, record }) {
      together(() => put.run(id, updatedAt, running ? 1 : 0, record));
      const row = get(id);
      if (row === undefined) throw new Error(`The chat "${id}" was written and is not there.`);
      return row;
    },
    remove: (id) => together(() => remove.run(id)).changes > 0,
    begin: ({ id, updatedAt, record }) => void together(() => begin.run(id, updatedAt, record)),
    finish: (id) => void together(() => finish.run(id)),
    removeUnfinished: (id) => void together(() => removeUnfinished.run(id ?? null)),
  } satisfies Partial<ChatTable>;
}

function entryRows(database: DatabaseSync, health: Pick<StorageHealth, 'readable'>, together: Together) {
  const touch = database.prepare(
    'UPDATE chats SET revision = revision + 1, updated_at = ? WHERE id = ? RETURNING revision',
  );
  const page = database.prepare(
    `SELECT ${entryColumns} FROM chat_entries WHERE chat_id = ? AND position < ? ORDER BY position DESC`,
  );
  const changed = database.prepare(
    `SELECT ${entryColumns} FROM chat_entries WHERE chat_id = ? AND revision > ? ORDER BY revision, position`,
  );
  const oneChanged = database.prepare('SELECT 1 FROM chat_entries WHERE chat_id = ? AND revision > ? LIMIT 1');
  const following = database.prepare(
    `SELECT ${entryColumns} FROM chat_entries WHERE chat_id = ? AND position > ? AND position <= ? ORDER BY position`,
  );
  const size = database.prepare(
    'SELECT sum(octet_length(record)) AS bytes FROM chat_entries WHERE chat_id = ? AND position <= ?',
  );
  const oneEntry = database.prepare(`SELECT ${entryColumns} FROM chat_entries WHERE chat_id = ? AND id = ?`);
  const putEntry = database.prepare(
    `INSERT INTO chat_entries (chat_id, id, position, revision, record)
     VALUES (?, ?, (SELECT COALESCE(MAX(position), 0) + 1 FROM chat_entries WHERE chat_id = ?), ?, ?)
     ON CONFLICT (chat_id, id) DO UPDATE SET revision = excluded.revision, record = excluded.record
     RETURNING position`,
  );
  const copy = database.prepare(
    `INSERT INTO chat_entries (chat_id, id, position, revision, record)
     SELECT ?, id, position, position, record FROM chat_entries WHERE chat_id = ? AND position <= ?`,
  );
  const countUp = database.prepare('UPDATE chats SET revision = revision + ? WHERE id = ?');

  /** The first entries of a query that are not damaged; it is run no further than they need. */
  function readable(rows: Iterable<Row>, { limit, characters = Infinity }: EntryPage): ReadEntryRow[] {
    const entries: ReadEntryRow[] = [];
    let length = 0;
    for (const row of rows) {
      const [id, record] = [String(row['id']), String(row['record'])];
      const value = health.readable('chats', id, () => requireRole(JSON.parse(record)));
      if (value === undefined) continue;
      entries.push({ id, position: Number(row['position']), revision: Number(row['revision']), record, value });
      length += record.length;
      if (entries.length >= limit || length >= characters) break;
    }
    return entries;
  }

  return {
    entries: (chatId, { before = Number.MAX_SAFE_INTEGER, limit, characters }) =>
      readable(page.iterate(chatId, before), { limit, characters }).reverse(),
    changes: (chatId, { after, ...most }) => readable(changed.iterate(chatId, after), most),
    hasChanges: (chatId, after) => oneChanged.get(chatId, after) !== undefined,
    records: (chatId, { after, upTo, characters }) =>
      readable(following.iterate(chatId, after, upTo), { limit: Infinity, characters }),
    size: (chatId, last = Number.MAX_SAFE_INTEGER) => Number(size.get(chatId, last)?.['bytes'] ?? 0),
    entry(chatId, entryId) {
      return readable(oneEntry.iterate(chatId, entryId), { limit: 1 })[0];
    },
    putEntry: ({ chatId, id, record, updatedAt }) =>
      together(() => {
        const revision = touch.get(updatedAt, chatId)?.['revision'];
        const row = revision !== undefined && putEntry.get(chatId, id, chatId, revision, record);
        if (!row) throw new Error(`There is no chat "${chatId}" to keep an entry in.`);
        // A record of megabytes is not read back.
        return { id, position: Number(row['position']), revision: Number(revision), record };
      }),
    copyEntries({ from, to, upTo }) {
      together(() => countUp.run(copy.run(to, from, upTo).changes, to));
    },
  } satisfies Partial<ChatTable>;
}

/** The exchanges with models. */
function stepRows(database: DatabaseSync, together: Together) {
  const putStep = database.prepare(
    `INSERT INTO chat_steps (id, chat_id, record) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
  );
  const prune = database.prepare('DELETE FROM chat_steps WHERE seq <= (SELECT MAX(seq) FROM chat_steps) - ?');
  const oneStep = database.prepare(
    `SELECT id, chat_id, record FROM chat_steps WHERE id = ? AND is_readable('chat_steps', id, record)`,
  );

  return {
    putStep({ id, chatId, record }) {
      together(() => {
        putStep.run(id, chatId, record);
        prune.run(maxChatSteps);
      });
    },
    step(id) {
      const row = oneStep.get(id);
      return row && { id: String(row['id']), chatId: String(row['chat_id']), record: String(row['record']) };
    },
  } satisfies Partial<ChatTable>;
}

type Row = Record<string, unknown>;

/** @throws TypeError if a record lacks a member without which its chat cannot be shown. */
function requireMembers(table: string, record: unknown): true {
  // A record that is null throws a TypeError by itself.
  const { title, options, messages } = record as Row;
  const isChat = typeof title === 'string' && typeof options === 'object' && options !== null;
  if (!(table === 'chats' ? isChat : Array.isArray(messages))) throw new TypeError('The record is damaged.');
  return true;
}

function requireRole(record: unknown): object {
  if (typeof (record as Row)['role'] !== 'string') throw new TypeError('The record is damaged.');
  return record as object;
}

function toChat(row: Row): ChatRow {
  return {
    id: String(row['id']),
    updatedAt: Number(row['updated_at']),
    running: row['running'] === 1,
    revision: Number(row['revision']),
    entryCount: Number(row['entry_count']),
    record: String(row['record']),
  };
}
