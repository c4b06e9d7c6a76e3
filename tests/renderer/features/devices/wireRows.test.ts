import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isShown, type LogFilter } from '../../../../renderer/features/log/logFilter.ts';
import { rowText } from '../../../../renderer/features/log/rowText.ts';
import { placeOf, WireRows } from '../../../../renderer/features/log/wireRows.ts';
import type { FrameRow } from '../../../../src-core/contract/types.ts';
import { answer, request, row } from './rows.ts';

const everything: LogFilter = { types: new Set(), methods: new Set(), fold: true, unfolded: new Set() };
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
    expect(rows.entries[0]).toMatchObject({ lost: true });
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
    expect(rows.entries.map(({ lost, answer: found }) => found?.row.seq ?? lost)).toEqual([
      'cancelled',
      6,
      ...Array.from({ length: 4 }),
    ]);
  });

  it('come apart again if the request was dropped by the limit', () => {
    const rows = rowsOf(request(1, 1), answer(2, 1));
    expect(rows.dropBefore(2)).toBe(1);
    expect(shown(rows)).toEqual([2]);
    expect(rows.types).toEqual(new Map([['mcp', 1]]));
    expect(rows.methods).toEqual(new Map([['tools/call', 1]]));
  });

  it('are counted by type and method, and give the next id', () => {
    const rows = rowsOf(request(1, 41), answer(2, 41), row({ seq: 3, type: 'listen' }));
    expect(Object.fromEntries(rows.types)).toEqual({ mcp: 2, listen: 1 });
    expect(rows.highestRequestId).toBe(41);
    rows.clear();
    expect([rows.entries.length, rows.types.size, rows.methods.size, rows.lastSeq, rows.highestRequestId]).toEqual([
      0, 0, 0, -1, 0,
    ]);
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

  it('picks by type, method, id and hits; a pair is there if either half fits', () => {
    expect(shown(rows, { types: new Set(['listen', 'hello']) })).toEqual([2, 4]);
    expect(shown(rows, { methods: new Set(['tools/list']) })).toEqual([6]);
    expect(shown(rows, { rpcId: 9 })).toEqual([3]);
    expect(shown(rows, { hits: new Set([5]) })).toEqual([3]);
    expect(shown(rows, { hits: new Set([5]), fold: false })).toEqual([5]);
    expect(shown(rows, { hits: new Set() })).toEqual([]);
  });

  it('by direction has no pairs to fold', () => {
    expect(shown(rows, { direction: 'in' })).toEqual([2, 4, 5]);
    expect(shown(rows, { direction: 'out' })).toEqual([1, 3, 6]);
  });

  it('shows an answer at its own place if its pair is unfolded', () => {
    expect(shown(rows, { unfolded: new Set([3]) })).toEqual([1, 2, 3, 4, 5, 6]);
    expect(shown(rows, { unfolded: new Set([3]), types: new Set(['open']) })).toEqual([1]);
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

describe('rowText', () => {
  it('is a line with the time, the way, and both halves of a folded pair', () => {
    const { entries } = rowsOf(request(1, 7), { ...answer(2, 7), durationMs: 171, bytes: 206 });
    const line = rowText(entries[0]!, true).split('\t').slice(1);
    expect(line).toEqual(['⇄', 'mcp', 'tools/call self.x', '#7', '171 ms', '506 B']);
    expect(rowText(entries[0]!, false).split('\t').slice(1)).toEqual([
      '↑',
      'mcp',
      'tools/call self.x',
      '#7',
      '',
      '300 B',
    ]);
  });
});
