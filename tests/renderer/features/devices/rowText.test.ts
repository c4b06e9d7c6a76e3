import { mount } from '@vue/test-utils';
import { describe, expect, it } from 'vitest';

import RowCells from '../../../../renderer/features/log/RowCells.vue';
import { rowText } from '../../../../renderer/features/log/rowText.ts';
import { WireRows } from '../../../../renderer/features/log/wireRows.ts';
import { answer, request, row } from './rows.ts';

describe('rowText', () => {
  it.each([
    ['device', ''],
    ['gateway', 'call_1'],
  ] as const)('has only an id that the wire of a %s has', (source, id) => {
    const frame = row({ seq: 1, source, callId: 'call_1' });
    const bar = { kind: 'tick', from: 0, to: 0 } as const;
    expect(rowText({ row: frame }, true).split('\t')[4]).toBe(id);
    expect(
      mount(RowCells, { props: { row: frame, bar } })
        .get('.id')
        .text(),
    ).toBe(id);
  });

  it('is a line with the time, the way, and both halves of a folded pair', () => {
    const rows = new WireRows();
    rows.add([request(1, 7), { ...answer(2, 7), durationMs: 171, bytes: 206 }]);
    const { entries } = rows;
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
