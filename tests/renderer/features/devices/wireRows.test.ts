import { mount } from '@vue/test-utils';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { isShown, searchWords, type LogFilter, type WordHits } from '../../../../renderer/features/log/logFilter.ts';
import RowCells from '../../../../renderer/features/log/RowCells.vue';
import { orderRows, type RowOrder } from '../../../../renderer/features/log/useRowOrder.ts';
import { wordSummary } from '../../../../renderer/features/log/wordSummary.ts';
import { barOf, timeAxis, type Bar, type TimeAxis } from '../../../../renderer/features/log/waterfall.ts';
import { placeOf, WireRows } from '../../../../renderer/features/log/wireRows.ts';
import type { FrameRow } from '../../../../src-core/contract/types.ts';
import { answer, request, row } from './rows.ts';

const everything: LogFilter = { fold: true, unfolded: new Set() };
const rowsOf = (...all: FrameRow[]): WireRows => {
  const rows = new WireRows();
  rows.add(all);
  return rows;
};
const shown = (rows: WireRows, filter: Partial<LogFilter> = {}): number[] =>
  rows.entries.filter((entry) => isShown(entry, { ...everything, ...filter })).map(({ row: { seq } }) => seq);

describe('requests and answers', () => {
  it('find one another by id and way, also if answers come out of order', () => {
    const rows = rowsOf(request(1, 7), request(2, 8), answer(3, 8), answer(4, 7));
    expect(rows.entries[0]?.answer?.row.seq).toBe(4);
    expect(rows.entries[1]?.answer?.row.seq).toBe(3);
    expect(rows.entries[2]?.request?.row.seq).toBe(2);
    expect(shown(rows)).toEqual([1, 2]);
    expect(shown(rows, { fold: false })).toEqual([1, 2, 3, 4]);
  });

  it('of another device or direction with the same id stay apart', () => {
    const rows = rowsOf(
      request(1, 7),
      { ...answer(2, 7), connection: 'other' },
      { ...answer(3, 7), direction: 'out' },
      { ...request(4, 7), direction: 'in' },
      answer(5, 7),
    );
    expect(rows.entries[0]?.answer?.row.seq).toBe(5);
    expect(rows.entries[3]?.answer).toBeUndefined();
    expect(shown(rows)).toEqual([1, 2, 3, 4]);
  });

  it('of one connection are not taken for those of the next: what had no answer has lost it', () => {
    const rows = rowsOf(
      request(1, 1),
      row({ seq: 2, kind: 'close', type: 'close' }),
      row({ seq: 3, kind: 'open', type: 'open' }),
      answer(4, 1),
    );
    expect(rows.entries[0]).toMatchObject({ lostAt: 2 });
    expect(rows.entries[0]?.answer).toBeUndefined();
    expect(shown(rows)).toEqual([1, 2, 3, 4]);
  });

  it('show which request was cancelled, unless an answer came all the same', () => {
    const cancel = (seq: number, rpcId: number): FrameRow =>
      row({ seq, rpcId, direction: 'out', role: 'notification', method: 'notifications/cancelled' });
    const rows = rowsOf(
      request(1, 7),
      request(2, 8),
      cancel(3, 7),
      cancel(4, 8),
      { ...cancel(5, 9), direction: 'in' },
      answer(6, 8),
    );
    expect(rows.entries.map(({ cancelled, answer: found }) => found?.row.seq ?? (cancelled && 'cancelled'))).toEqual([
      'cancelled',
      6,
      ...Array.from({ length: 4 }),
    ]);
    expect(rows.failures).toBe(1);
  });

  it('come apart again if the request was dropped by the limit', () => {
    const rows = rowsOf(request(1, 1), answer(2, 1));
    expect(rows.dropBefore(2)).toBe(1);
    expect(shown(rows)).toEqual([2]);
  });

  it('give the next id', () => {
    const rows = rowsOf(request(1, 41), answer(2, 41));
    expect(rows.highestRequestId).toBe(41);
    rows.clear();
    expect([rows.entries.length, rows.lastSeq, rows.highestRequestId]).toEqual([0, -1, 0]);
  });

  it('are failures if they say so, cannot be read or are never answered; a probe that is refused is none', () => {
    const rows = rowsOf(
      request(1, 1),
      { ...answer(2, 1), failed: true },
      row({ seq: 3, type: 'invalid' }),
      request(4, 2),
      { ...request(5, 3), source: 'mcp', method: 'server/discover' },
      { ...request(6, 4), connection: 'other' },
    );
    expect(rows.failures).toBe(2);
    rows.add([row({ seq: 7, kind: 'close', type: 'close', summary: '1006 the connection broke' })]);
    rows.add([row({ seq: 8, kind: 'close', type: 'close', summary: '1000 bye' })]);
    expect(rows.failures).toBe(4);
    expect([...rows.waiting()].map((entry) => entry.row.seq)).toEqual([6]);
    expect(shown(rows, { failed: () => false })).toEqual([1, 3, 7]);
    expect(shown(rows, { failed: (entry) => entry.lostAt !== undefined })).toEqual([1, 3, 4, 5, 7]);
    rows.dropBefore(5);
    expect(rows.failures).toBe(1);
  });

  it.each([
    ['before', ['open', 'out']],
    ['while', ['out', 'open']],
  ] as const)(
    'do not lose the requests of a device that connected again %s its earlier connection was closed',
    (_when, order) => {
      const close = { kind: 'close', type: 'close', summary: '1000 the device connected again' } as const;
      const between = order.map((what, at) =>
        what === 'open'
          ? row({ seq: 2 + at, kind: 'open', type: 'open' })
          : row({ seq: 2 + at, direction: 'out', ...close }),
      );
      const end = row({ seq: 5, direction: 'in', ...close });
      const rows = rowsOf(request(1, 1), ...between, request(4, 2), end);
      expect(rows.entries.map(({ lostAt }) => lostAt)).toEqual([2, undefined, undefined, undefined, undefined]);
      rows.add([answer(6, 2)]);
      expect(rows.entries[3]!.answer).toBe(rows.entries[5]);
      expect(rows.failures).toBe(1);
    },
  );

  it('need no answer if they asked the device to leave', () => {
    const close = row({
      seq: 3,
      direction: 'in',
      kind: 'close',
      type: 'close',
      summary: '1006 as self.reboot requires',
    });
    const rows = rowsOf(request(1, 7), request(2, 8), { ...close, rpcId: 8 });
    expect(rows.entries.map(({ asAsked }) => asAsked)).toEqual([undefined, true, undefined]);
    expect(rows.failures).toBe(1);
    rows.dropBefore(2);
    expect(rows.failures).toBe(0);
    const textual = rowsOf(row({ seq: 1, role: 'request', method: 'tools/call', callId: '"a"' }), close);
    expect([textual.entries[0]?.lostAt, textual.entries[0]?.asAsked]).toEqual([3, undefined]);
    expect(barOf(rowsOf(request(1, 7)).entries[0]!, false, { why: 'asAsked', until: 3 }).kind).toBe('stream');
  });

  it('lose no answer by the end of a connection if the log has dropped them', () => {
    const rows = rowsOf(request(1, 1), request(2, 2));
    rows.dropBefore(2);
    rows.add([row({ seq: 3, kind: 'close', type: 'close', summary: '1000' })]);
    expect(rows.failures).toBe(1);
  });
});

describe('rows of sound', () => {
  const sound = (seq: number, about: Partial<FrameRow> = {}): FrameRow =>
    row({
      seq,
      direction: 'in',
      kind: 'binary',
      type: 'audio',
      summary: '100 audio frames',
      durationMs: 6_000,
      ...about,
    });

  it('are counted and can be hidden; what may be an answer, is malformed or was sent by hand stays', () => {
    const rows = rowsOf(
      sound(1),
      request(2, 7),
      sound(3, { summary: '1 audio frame, timestamp 60 ms' }),
      sound(4, { callId: 'call' }),
      sound(5, { type: 'invalid', summary: 'a binary frame of 2 bytes, too short for version 3' }),
      sound(6, { direction: 'out', summary: 'audio of 80 bytes, by hand' }),
    );
    expect(rows.sounds).toBe(2);
    expect(shown(rows, { hidesSound: true })).toEqual([2, 4, 5, 6]);
    expect(shown(rows)).toEqual([1, 2, 3, 4, 5, 6]);
    rows.dropBefore(2);
    expect(rows.sounds).toBe(1);
    rows.clear();
    expect(rows.sounds).toBe(0);
  });
});

describe('the filter', () => {
  const rows = rowsOf(
    row({ seq: 1, kind: 'open', type: 'open' }),
    row({ seq: 2, type: 'hello', direction: 'in' }),
    request(3, 9),
    row({ seq: 4, type: 'listen', direction: 'in' }),
    answer(5, 9),
    { ...request(6, 10), method: 'tools/list' },
  );
  /** What a search found for words, of which those with a `-` are excluded. */
  const found = (hits: Record<string, number[]>, upTo = 6): WordHits => ({
    words: Object.entries(hits).map(([word, seqs]) => ({
      text: word.replace('-', ''),
      excluded: word.startsWith('-'),
      seqs: new Set(seqs),
    })),
    upTo,
  });
  const hits = (words: Record<string, number[]>, more: Partial<LogFilter> = {}): number[] =>
    shown(rows, { found: found(words), onlyHits: true, ...more });

  it('lists the rows with all words; a pair may hold them in either half', () => {
    expect(hits({ a: [5] })).toEqual([3]);
    expect(hits({ a: [5], b: [3, 4] })).toEqual([3]);
    expect(hits({ a: [5], b: [4] })).toEqual([]);
    expect(hits({ a: [5] }, { fold: false })).toEqual([5]);
    expect(hits({ a: [5] }, { onlyHits: false })).toEqual([1, 2, 3, 4, 6]);
  });

  it('hides a row with an excluded word in either half, and what has not been searched', () => {
    const hidden = (excluded: WordHits) => shown(rows, { found: excluded });
    expect(hidden(found({ '-a': [5] }))).toEqual([1, 2, 4, 6]);
    expect(hidden(found({ '-a': [2], b: [3] }))).toEqual([1, 3, 4, 6]);
    expect(hidden(found({ '-a': [] }, 4))).toEqual([1, 2, 3, 4]);
  });

  it('shows an answer at its own place if its pair is unfolded', () => {
    expect(shown(rows, { unfolded: new Set([3]) })).toEqual([1, 2, 3, 4, 5, 6]);
    expect(hits({ a: [1] }, { unfolded: new Set([3]) })).toEqual([1]);
  });
});

test.each([
  ['volume -ping', ['volume', '-ping']],
  ['  "set volume"  -"no such" ', ['set volume', '-no such']],
  ['"volume":37 say"', ['"volume":37', 'say"']],
  ['- -- "', ['--', '"']],
  ['1 2 3 4 5 6 7 8 9', ['1', '2', '3', '4', '5', '6', '7', '8']],
  [' ', []],
])('the words of %j are %j', (text, words) => {
  expect(searchWords(text).map((word) => `${word.excluded ? '-' : ''}${word.text}`)).toEqual(words);
});

describe('the order of the rows', () => {
  const entries = rowsOf(
    { ...request(1, 7), bytes: 10 },
    row({ seq: 2, type: 'listen', bytes: 500 }),
    { ...answer(3, 7), bytes: 700, durationMs: 40 },
    { ...request(4, 12), bytes: 20 },
    row({ seq: 5, type: 'audio', kind: 'binary', bytes: 500, durationMs: 900 }),
  ).entries.filter(({ request: of }) => of === undefined);
  const seqs = (order: RowOrder): number[] => orderRows(entries, order, true).map((entry) => entry.row.seq);

  it.each<[RowOrder, number[]]>([
    ['time', [1, 2, 4, 5]],
    ['-time', [5, 4, 2, 1]],
    ['type', [5, 2, 1, 4]],
    ['-size', [1, 2, 5, 4]],
    ['size', [4, 2, 5, 1]],
    ['-duration', [5, 1, 2, 4]],
    ['id', [2, 5, 1, 4]],
    ['-id', [4, 1, 2, 5]],
  ])('by %s; equal ones stay in the order of time', (order, expected) => {
    expect(seqs(order)).toEqual(expected);
  });

  it('count a connection that was closed here once, and word its end as what it is', () => {
    const close = { kind: 'close', type: 'close' } as const;
    const rows = rowsOf(
      row({ seq: 1, ...close, direction: 'out', summary: '1008 waits-for-approval' }),
      row({ seq: 2, ...close, direction: 'in', summary: '1006 waits-for-approval' }),
    );
    expect(rows.failures).toBe(1);
    expect(rows.entries.map(({ row: { ...each } }) => wordSummary(each))).toEqual([
      'It was not approved in time. (1008)',
      '1006 without a close frame',
    ]);
    rows.dropBefore(3);
    expect(rows.failures).toBe(0);
  });
});

describe('the waterfall', () => {
  const bars = (...rows: FrameRow[]): Bar[] =>
    rowsOf(...rows)
      .entries.filter(({ request: of }) => of === undefined)
      .map((entry) => barOf(entry, true, undefined));

  it('shows an answered, a failed and a waiting request, a run of frames and a single frame', () => {
    const all = bars(
      { ...request(100, 1) },
      { ...answer(150, 1), durationMs: 50.4 },
      request(200, 2),
      { ...answer(230, 2), failed: true },
      request(300, 3),
      row({ seq: 310, kind: 'binary', type: 'audio', durationMs: 60 }),
      row({ seq: 320 }),
      row({ seq: 330, kind: 'close', summary: '1006' }),
    );
    expect(all.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['answered', 100, 150.4],
      ['failed', 200, 230],
      ['waiting', 300, undefined],
      ['stream', 310, 370],
      ['tick', 320, 320],
      ['failed-tick', 330, 330],
    ]);
    const [, alone] = rowsOf(request(100, 1), { ...answer(104, 1), durationMs: 6.4 }).entries;
    expect(barOf(alone!, false, undefined)).toMatchObject({ kind: 'answered', from: 100, to: 106.4 });
  });

  it('shows a request without an answer until its connection ended', () => {
    const [entry] = rowsOf(request(1, 1), row({ seq: 90, kind: 'close', type: 'close' })).entries;
    const missing = { why: 'noAnswer', until: entry!.lostAt } as const;
    expect(barOf(entry!, true, missing)).toMatchObject({ kind: 'missing', from: 1, to: 90 });
    // What the user cancelled has not failed.
    expect(barOf(entry!, true, { ...missing, why: 'cancelled' })).toMatchObject({ kind: 'stream', why: 'cancelled' });
  });

  it('folds what is idle for over 500 ms, and keeps the proportions of the rest', () => {
    const axis = timeAxis(
      bars({ ...request(0, 1) }, { ...answer(400, 1), durationMs: 400 }, row({ seq: 800 }), row({ seq: 60_000 })),
    );
    expect(axis.ms).toBe(60_000);
    expect(axis.gaps).toMatchObject([{ ms: 59_200, to: 60_000 }]);
    expect(axis.place(0)).toBe(0);
    expect(axis.place(60_000)).toBeCloseTo(1);
    expect(axis.place(400) / axis.place(800)).toBeCloseTo(1 / 2);
    expect(axis.place(800)).toBeLessThan(axis.gaps[0]!.place);
  });

  it('folds shorter idle times, too, if they are longer than all calls together', () => {
    const calls = [0, 400, 800].flatMap((at, id) => [request(at, id), { ...answer(at + 6, id), durationMs: 6 }]);
    const axis = timeAxis(bars(...calls));
    expect(axis.gaps.map(({ ms }) => ms)).toEqual([394, 394]);
    expect(axis.place(6) - axis.place(0)).toBeGreaterThan(0.3);
    // Frames that follow one another closely are not a pause.
    expect(timeAxis(bars(row({ seq: 0 }), row({ seq: 30 }))).gaps).toEqual([]);
  });

  const cellsOf = (row: FrameRow, place: number) => {
    const axis: TimeAxis = { ...timeAxis([]), gaps: [{ ms: 60_000, to: row.at, place }], place: () => place };
    return mount(RowCells, { props: { row, bar: { kind: 'tick', from: row.at, to: row.at }, axis } }).get('.wave');
  };

  it.each([
    [0.7, ['⋯\u200B1\u00A0m\u00A00\u00A0s']],
    [0.2, []],
  ])('marks a folded pause with its length, within the room at its left, at %s', (place, texts) => {
    const wave = cellsOf(row({ seq: 1 }), place);
    expect(wave.attributes('title')).toContain('nothing was sent for 1 m 0 s');
    expect(wave.findAll('em').map((each) => each.text())).toEqual(texts);
    expect(wave.findAll('em').every((each) => each.html().includes('max-width: calc(70% - 4px)'))).toBe(true);
  });

  it('has the time since the row above as any other duration', () => {
    const props = { row: row({ seq: 1 }), bar: { kind: 'tick', from: 0, to: 0 } } as const;
    const cells = [0.4, 30_000, 162_000].map((since) => mount(RowCells, { props: { ...props, since } }));
    expect(cells.map((cell) => cell.get('.since').text())).toEqual(['0.4 ms', '+30.0 s', '+2 m 42 s']);
  });

  it('has the duration, or why there is none, in a column of its own', () => {
    const cell = (bar: Bar) =>
      mount(RowCells, { props: { row: row({ seq: 1 }), bar } })
        .get('.duration')
        .text();
    expect(cell({ kind: 'answered', from: 0, to: 184, ms: 184 })).toBe('184 ms');
    expect(cell({ kind: 'missing', from: 0, why: 'noAnswer' })).toBe('no answer');
  });

  it('places any moments in their order, from 0 to 1', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5_000), fc.nat(2_000)), { minLength: 1, maxLength: 40 }), (spans) => {
        const all = spans.map(([from, ms]): Bar => ({ kind: 'stream', from, to: from + ms }));
        const axis = timeAxis(all);
        const places = all.flatMap(({ from, to = from }) => [from, to]).sort((a, b) => a - b);
        const placed = places.map((at) => axis.place(at));
        expect(placed.every((place, at) => place >= 0 && place <= 1 && place >= (placed[at - 1] ?? 0) - 1e-9)).toBe(
          true,
        );
        expect(axis.gaps.every(({ place, ms }) => place >= 0 && place <= 1 && ms > 50)).toBe(true);
      }),
    );
  });

  it('of no rows is empty', () => {
    expect(timeAxis([])).toMatchObject({ ms: 0, gaps: [] });
    expect(timeAxis([]).place(5)).toBe(0);
  });
});

describe('placeOf', () => {
  it('is where a binary search and a plain look agree, whatever the gaps', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(500)), fc.nat(510), (seqs, wanted) => {
        const { entries } = rowsOf(...seqs.sort((a, b) => a - b).map((seq) => row({ seq })));
        const plain = entries.findIndex((entry) => entry.row.seq >= wanted);
        expect(placeOf(entries, wanted)).toBe(plain === -1 ? entries.length : plain);
      }),
    );
  });
});
