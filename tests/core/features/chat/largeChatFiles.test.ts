import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { exportedFile, inPieces } from '../../../helpers/chatFileText.ts';
import { chatFileOf, messageOf, replyOf } from '../../../helpers/largeChatFiles.ts';
import { ToolError } from '../../../../src-core/base/errors.ts';
import { databasePath, openChatBench } from './chatBench.ts';
import { createTestModel } from './testModel.ts';

/** 6 MB in 300 messages. */
const large = chatFileOf(
  Array.from({ length: 300 }, (_, at) => messageOf(at, `${at} `.padEnd(20_000, 'The lamp is on. '))),
);

/** The most characters of texts that `measure` reports within one turn of the event loop. */
function mostInOneTurn(): {
  add: (characters: number) => void;
  most: () => number;
} {
  let most = 0;
  let now = 0;
  let isRunning = true;
  const reset = (): void => {
    now = 0;
    if (isRunning) setImmediate(reset);
  };
  reset();
  onTestFinished(() => void (isRunning = false));
  return {
    add(characters) {
      now += characters;
      most = Math.max(most, now);
    },
    most: () => most,
  };
}

function rowsIn(path: string): { chats: number; entries: number } {
  const database = new DatabaseSync(path);
  const count = (table: string): number => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
  const rows = { chats: count('chats'), entries: count('chat_entries') };
  database.close();
  return rows;
}

describe('a large file', () => {
  test('is stored in parts, and there is no chat until all of it is', async () => {
    const lab = openChatBench();
    const turn = mostInOneTurn();
    const listed: number[] = [];
    const { putEntry } = lab.store.chats;
    vi.spyOn(lab.store.chats, 'putEntry').mockImplementation((entry) => {
      turn.add(entry.record.length);
      listed.push(lab.service.list().length);
      return putEntry(entry);
    });
    const { sessionId } = await lab.service.importChat(inPieces(large));
    expect(listed).toEqual(Array.from({ length: 300 }, () => 0));
    expect(turn.most()).toBeGreaterThan(100_000);
    expect(turn.most()).toBeLessThan(600_000);
    expect(lab.service.list()).toMatchObject([{ id: sessionId, title: 'Large', entryCount: 300, running: false }]);
  });

  test('is exported in parts, as it came', async () => {
    const lab = openChatBench();
    const { sessionId } = await lab.service.importChat([large]);
    const turn = mostInOneTurn();
    const { records } = lab.store.chats;
    vi.spyOn(lab.store.chats, 'records').mockImplementation((...input) => {
      const rows = records(...input);
      turn.add(rows.reduce((sum, { record }) => sum + record.length, 0));
      return rows;
    });
    const { text } = await exportedFile(lab.service.exportChat({ sessionId }));
    expect(turn.most()).toBeGreaterThan(100_000);
    expect(turn.most()).toBeLessThan(1_100_000);
    expect({ ...JSON.parse(text), exportedAt: '' }).toEqual({
      ...JSON.parse(large),
      exportedAt: '',
    });
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
  });

  test('of more than 20,000,000 characters is exported all the same, with what an import will say', async () => {
    const lab = openChatBench();
    const most = chatFileOf(Array.from({ length: 9_900 }, (_, at) => messageOf(at, 'x'.repeat(1_950))));
    const { sessionId } = await lab.service.importChat(inPieces(most));
    // Indented, it is longer.
    const { text, problem } = await exportedFile(lab.service.exportChat({ sessionId }));
    expect(text.length).toBeGreaterThan(20_000_000);
    expect(problem).toBe('The chat cannot be imported. text: the file has more than 20,000,000 characters.');
    await expect(lab.service.importChat(inPieces(text))).rejects.toThrow(problem);
  });

  test('says at its export that an entry is too large to be imported', async () => {
    const lab = openChatBench({
      models: { test: createTestModel([{ toolCalls: [{ id: 'a', name: 'lab_fail', argumentsText: '{}' }] }]) },
      methods: [
        {
          name: 'fail',
          handler() {
            throw new ToolError('tool-error', 'Failed.', { details: { list: Array<number>(10_000).fill(1) } });
          },
        },
      ],
    });
    const chat = lab.chat({ protocol: 'native' });
    await lab.turn(chat);
    const { text, problem } = await exportedFile(lab.service.exportChat({ sessionId: chat }));
    expect(problem).toBe('The chat cannot be imported. entries.1: it has more than 10,000 values.');
    await expect(lab.service.importChat([text])).rejects.toThrow(problem);
  });

  test('of a usual size is exported without a warning', async () => {
    const lab = openChatBench();
    const { sessionId } = await lab.service.importChat([large]);
    expect(await exportedFile(lab.service.exportChat({ sessionId }))).not.toHaveProperty('problem');
  });

  test('comes to a window in pages that are short', async () => {
    const lab = openChatBench();
    const { sessionId } = await lab.service.importChat([large]);
    const last = lab.service.get({ sessionId, limit: 500 });
    expect(JSON.stringify(last).length).toBeLessThan(1_100_000);
    expect(last.entries.at(-1)).toMatchObject({ position: 300 });
    expect(last.more).toBe(true);
    const positions: number[] = [];
    for (let after = 0, more = true; more;) {
      const page = lab.service.get({
        sessionId,
        afterRevision: after,
        limit: 200,
      });
      expect(JSON.stringify(page).length).toBeLessThan(1_100_000);
      positions.push(...page.entries.map(({ position }) => position));
      ({ revision: after, more } = page);
    }
    expect(positions).toEqual(Array.from({ length: 300 }, (_, at) => at + 1));
  });

  test.each([
    ['an entry of more than 3,000,000 characters', messageOf(1, '\n'.repeat(2_000_000)), '3,000,000 characters'],
    ['more than 10,000 values in an entry', replyOf(1, { details: { list: Array(10_000).fill(1) } }), '10,000 values'],
  ])('with %s is refused, and the entry is named', async (_what, entry, words) => {
    const lab = openChatBench();
    const refused = lab.service.importChat([chatFileOf([messageOf(0, 'x'), entry])]);
    await expect(refused).rejects.toMatchObject({
      field: 'entries.1',
      message: expect.stringContaining(words) as string,
    });
    expect(rowsIn(lab.path)).toEqual({ chats: 0, entries: 0 });
  });

  test('of more than 20,000,000 characters is refused before all of it has come', async () => {
    const lab = openChatBench();
    let sent = 0;
    function* pieces(): Generator<string, void, void> {
      for (; sent < 100; sent += 1) yield 'x'.repeat(1_000_000);
    }
    await expect(lab.service.importChat(pieces())).rejects.toMatchObject({
      field: 'text',
    });
    expect(sent).toBe(20);
  });
});

test('a chat that is too large for a model is not sent, and says what to do', async () => {
  const lab = openChatBench({
    models: { scripted: createTestModel([{ text: 'Hi.' }]) },
  });
  const { sessionId } = await lab.service.importChat([large]);
  for (const ask of [
    () => lab.service.send({ sessionId, text: 'Go on' }),
    () => lab.service.prompt({ sessionId }),
    () => lab.service.resume({ sessionId }),
    () => lab.service.rerun({ sessionId, entryId: 'm299' }),
  ])
    expect(ask).toThrow('This chat has 6 MB. At most 2 MB are sent to a model. Run an earlier message again');
  expect(lab.service.list()).toMatchObject([{ entryCount: 300 }]);
  const earlier = lab.service.rerun({ sessionId, entryId: 'm89' });
  await lab.idle(earlier.sessionId);
  expect(lab.entries(earlier.sessionId).at(-1)).toMatchObject({
    role: 'assistant',
    text: 'Hi.',
  });
});

describe('an import that ends half-way', () => {
  test.each(['aborted', 'closed'] as const)('because it is %s leaves nothing', async (how) => {
    const lab = openChatBench();
    const abort = new AbortController();
    const { putEntry } = lab.store.chats;
    let stored = 0;
    const closed = Promise.withResolvers<undefined>();
    vi.spyOn(lab.store.chats, 'putEntry').mockImplementation((entry) => {
      stored += 1;
      if (stored === 1) {
        if (how === 'aborted') abort.abort(new Error('aborted'));
        else void lab.close().then(() => closed.resolve(undefined));
      }
      return putEntry(entry);
    });
    await expect(lab.service.importChat([large], abort.signal)).rejects.toThrow(
      how === 'aborted' ? 'The import was cancelled. No chat was added.' : 'Toolwire is closing.',
    );
    if (how === 'closed') await closed.promise;
    expect(stored).toBeLessThan(300);
    expect(rowsIn(lab.path)).toEqual({ chats: 0, entries: 0 });
  });

  test('because the process ended is removed at the next start', async () => {
    const path = databasePath();
    const first = openChatBench({ path });
    first.store.chats.begin({
      id: 'left',
      updatedAt: 1,
      record: JSON.stringify({ title: 'Left', options: {} }),
    });
    first.store.chats.putEntry({
      chatId: 'left',
      id: 'm',
      record: JSON.stringify(messageOf(1, 'x')),
      updatedAt: 1,
    });
    expect(() => first.service.get({ sessionId: 'left', limit: 1 })).toThrow('This chat does not exist');
    await first.close();
    const second = openChatBench({ path });
    expect(second.service.list()).toEqual([]);
    expect(rowsIn(path)).toEqual({ chats: 0, entries: 0 });
  });
});
