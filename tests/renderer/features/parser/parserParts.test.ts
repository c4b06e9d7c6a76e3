import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, ref } from 'vue';

import { applyEdits } from '../../../../renderer/features/parser/applyEdits.ts';
import { comparedTo, compareReadings } from '../../../../renderer/features/parser/compareReadings.ts';
import { exampleIds, exampleText } from '../../../../renderer/features/parser/examples.ts';
import { lineFinder, parseReportText } from '../../../../renderer/features/parser/parseReportText.ts';
import {
  addSavedExample,
  exampleNameOf,
  readSavedExamples,
} from '../../../../renderer/features/parser/savedExamples.ts';
import { problemsOf } from '../../../../renderer/features/parser/problemsOf.ts';
import { previewFix } from '../../../../renderer/features/parser/previewFix.ts';
import { stillComing } from '../../../../renderer/features/parser/stillComing.ts';
import { refusedBlocks } from '../../../../renderer/ui/editor/vcp/refusedBlocks.ts';
import { useReplay } from '../../../../renderer/features/parser/useReplay.ts';
import type { ParseReport, VcpDialect } from '../../../../src-core/contract/types.ts';
import { boundReading, windowLimits } from '../../../../src-core/protocols/boundReading.ts';
import { readReply } from '../../../../src-core/protocols/readReply.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';

const read = (text: string, dialect: VcpDialect = 'standard'): ParseReport & { text: string } => ({
  ...parseVcp(text, { dialect }),
  calls: [],
  text,
});

describe('applyEdits', () => {
  it('makes every edit at the offsets of the text as it was, in whichever order they come', () => {
    const edits = [
      { start: 6, end: 6, newText: '」' },
      { start: 0, end: 1, newText: 'A' },
      { start: 3, end: 5, newText: '' },
    ];
    expect(applyEdits('abcdefg', edits)).toBe('Abcf」g');
  });

  it('leaves out what overlaps or lies outside, and keeps insertions at one place in order', () => {
    expect(
      applyEdits('abc', [
        { start: 0, end: 2, newText: 'x' },
        { start: 1, end: 3, newText: 'y' },
      ]),
    ).toBe('xc');
    expect(applyEdits('abc', [{ start: 1, end: 9, newText: 'x' }])).toBe('abc');
    expect(
      applyEdits('ab', [
        { start: 1, end: 1, newText: '1' },
        { start: 1, end: 1, newText: '2' },
      ]),
    ).toBe('a12b');
  });

  it('every fix that the engine offers can be made, and the problem it was for is gone', () => {
    const text = exampleText('broken', 'en');
    const { diagnostics } = parseVcp(text, { dialect: 'standard' });
    expect(diagnostics).toHaveLength(4);
    for (const diagnostic of diagnostics) {
      const after = parseVcp(applyEdits(text, diagnostic.fix!.edits), { dialect: 'standard' });
      expect(after.diagnostics).toHaveLength(3);
      expect(after.requests).toHaveLength(1);
    }
  });
});

describe('the preview of a fix', () => {
  it('shows the lines of edits in one line together, and marks what it leaves out', () => {
    const edits = [
      { start: 0, end: 1, newText: 'A' },
      { start: 2, end: 3, newText: 'C' },
      { start: 4, end: 5, newText: 'D\nE' },
      { start: 6, end: 7, newText: 'F' },
    ];
    expect(previewFix('abc\nd\nf', edits, 9).map(({ sign, text }) => sign + text)).toEqual([
      '−abc',
      '+AbC',
      '−d',
      '+D',
      '+E',
      '−f',
      '+F',
    ]);
    expect(previewFix('abc\nd\nf', edits, 2).map(({ sign }) => sign)).toEqual(['−', '+', '…']);
  });

  it('joins lines whose break an edit removes', () => {
    const edits = [
      { start: 1, end: 2, newText: '' },
      { start: 3, end: 4, newText: 'x' },
    ];
    expect(previewFix('a\nbc\nd', edits, 8).map(({ sign, text }) => sign + text)).toEqual(['−a', '−bc', '+abx']);
  });
});

describe('examples', () => {
  it.each(exampleIds)('%s says the same to the parser in both languages', (id) => {
    const [en, zh] = (['en', 'zh'] as const).map((language) =>
      parseVcp(exampleText(id, language), { dialect: 'standard' }),
    );
    expect(zh!.requests.map(({ toolName, command }) => [toolName, command])).toEqual(
      en!.requests.map(({ toolName, command }) => [toolName, command]),
    );
    expect(zh!.diagnostics.map(({ code }) => code)).toEqual(en!.diagnostics.map(({ code }) => code));
  });

  it('contain what their names say', () => {
    const count = (id: (typeof exampleIds)[number]) =>
      parseVcp(exampleText(id, 'en'), { dialect: 'standard' }).requests.length;
    expect(exampleIds.map((id) => [id, count(id)])).toEqual([
      ['one', 1],
      ['two', 2],
      ['device', 1],
      ['reasoning', 1],
      ['fenced', 0],
      ['broken', 0],
      ['serial', 1],
      ['nested', 1],
    ]);
  });
});

describe('a comparison of hosts', () => {
  it('puts what they make of one block beside each other and marks what differs', () => {
    const call = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\nx:「始」1「末」\n<<<[END_TOOL_REQUEST]>>>';
    const text = `\`\`\`\n${call}\n\`\`\`\n\n${call}`;
    const rows = compareReadings([read(text), read(text, 'vcptoolbox')]);
    expect(rows.map(({ start }) => text.slice(start, start + 20))).toEqual([
      '<<<[TOOL_REQUEST]>>>',
      '<<<[TOOL_REQUEST]>>>',
    ]);
    expect(rows[0]!.cells.map(({ calls, differs }) => [calls.length, differs])).toEqual([
      [0, false],
      [1, true],
    ]);
    expect(rows[1]!.cells[0]).toMatchObject({ calls: [{ name: 'a_b', args: [['x', '1']] }], differs: false });
  });
});

describe('control fields', () => {
  it('are not shown as differences between hosts', () => {
    const text = '<<<[TOOL_REQUEST]>>>\nmaid:「始」Nova「末」,\ntool_name:「始」a_b「末」\n<<<[END_TOOL_REQUEST]>>>';
    const [row] = compareReadings([read(text), read(text, 'vcptoolbox')]);
    expect(row!.cells.map(({ differs }) => differs)).toEqual([false, false]);
    expect(row!.cells[0]!.calls[0]!.args).toEqual([['maid', 'Nova']]);
  });
  it('are in the report, with a masked password', () => {
    const text =
      '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」,\ntool_password:「始」hunter2「末」,\nink:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>';
    const error = { code: 'unknown-tool' as const, message: 'no', candidates: ['a_c'] };
    const call = {
      request: 0,
      requestId: '1',
      toolName: 'a_b',
      arguments: [],
      argsJson: '{}',
      resolution: { ok: false as const, error },
    };
    const report = parseReportText({ ...read(text), calls: [call] });
    expect(report).toContain('→ Not run');
    expect(report).toContain('- tool_password: ••••••');
    expect(report).toContain('- ink: x');
    expect(report).toContain('tool_password:「始」••••••「末」');
    expect(report).not.toContain('hunter2');
  });
});

describe('a text with very many parts', () => {
  const secret =
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」,\ntool_password:「始」hunter2「末」\n<<<[END_TOOL_REQUEST]>>>\n';
  const whole = read(secret.repeat(3));
  const half = { ...whole, regions: whole.regions.slice(0, Math.ceil(whole.regions.length / 2)) };

  it('has its report end where passwords are known, and says how much is left out', () => {
    for (let kept = 0; kept < whole.regions.length; kept += 1) {
      const omitted = { calls: 12_345, diagnostics: 1, regions: whole.regions.length - kept, refused: 0 };
      const report = parseReportText({ ...whole, regions: whole.regions.slice(0, kept), omitted });
      expect(report).not.toContain('hunter2');
      expect(report).toContain('Calls: 0 of 12,345 · Problems: 2 of 3');
      expect(report).toMatch(/… \(\+\d+\)/);
    }
  });

  it('has its report whole if only calls are left out', () => {
    const report = parseReportText({ ...whole, omitted: { calls: 1, diagnostics: 0, regions: 0, refused: 0 } });
    expect(report.match(/「始」••••••「末」/g)).toHaveLength(3);
    expect(report).toContain('Calls: 0 of 1 · Problems: 2');
  });

  it('has no differences between hosts if it is written as it should be', () => {
    const text =
      '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a「末」,\ncommand:「始」b「末」,\nx:「始」1「末」\n<<<[END_TOOL_REQUEST]>>>';
    const reports = (['standard', 'vcptoolbox', 'vcptoolbox-fuzzy', 'aiohub'] as const).map((one) => read(text, one));
    const [row] = compareReadings(reports);
    expect(row!.cells.map(({ differs }) => differs)).toEqual([false, false, false, false]);
    expect(row!.cells[3]!.calls).toEqual([{ name: 'a · b', args: [['x', '1']] }]);
  });

  it('is compared as far as every host was read', () => {
    const omitted = { calls: 2, diagnostics: 0, regions: 0, refused: 0 };
    const cut = { ...read(whole.text, 'vcptoolbox'), requests: half.requests.slice(0, 1), omitted };
    expect(comparedTo([whole, whole])).toBeUndefined();
    expect(comparedTo([whole, cut])).toBe(cut.requests[0]!.range.end);
    const rows = compareReadings([whole, cut]);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.cells.map(({ calls }) => calls.length)).toEqual([1, 1]);
  });
});

describe('blocks that are not run', () => {
  const refused = (text: string, dialect: VcpDialect | 'json' = 'standard') => {
    const reading = readReply(text, { dialect });
    return refusedBlocks({ ...reading, text }, reading.diagnostics);
  };
  const good = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n<<<[END_TOOL_REQUEST]>>>';
  const nameless = '<<<[TOOL_REQUEST]>>>\nx:「始」1「末」\n<<<[END_TOOL_REQUEST]>>>';

  it.each([
    ['a block without a name', nameless, undefined, ['missing-tool-name']],
    ['two fields of one block', good.replace('tool_name:', '**tool_name**：'), 'a_b', ['malformed-field']],
    [
      'escaped fences',
      good.replace(/「始」.*「末」/, '「始ESCAPE」a_b「末ESCAPE」\nx：「始」1「末」'),
      'a_b',
      ['malformed-field'],
    ],
    ['retired fences', good.replace(/「始」.*「末」/, '「始exp」a_b「末exp」'), 'a_b', ['legacy-marker']],
    ['braces', good.replace(/「始」.*「末」/, '{始}a_b{末},'), 'a_b', ['malformed-field']],
    ['a hidden character', good.replace('tool_', 'tool\u200b_'), 'a_b', ['malformed-field']],
    ['a call in a code fence', `\`\`\`\n${good}\n\`\`\``, 'a_b', ['fenced']],
    ['fields without a block', 'tool_name:「始」a_b「末」', 'a_b', ['bare-fields']],
    [
      'misspelt markers',
      '<<[TOOL_REQUEST]>>\ntool_name:「始」a_b「末」\n[END_TOOL_REQUEST]',
      'a_b',
      ['misspelt-marker'],
    ],
    [
      'a misspelt END',
      '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n[END_TOOL_REQUEST]',
      'a_b',
      ['misspelt-marker'],
    ],
    ['a block without an end', good.slice(0, -24), 'a_b', ['unclosed-block']],
    ['an empty block', '<<<[TOOL_REQUEST]>>><<<[END_TOOL_REQUEST]>>>', undefined, ['empty-block']],
    ['a block that the end of the text cuts off', 'So: <<<[TOOL_REQ', undefined, ['unclosed-block']],
  ])('%s', (_what, text, name, codes) => {
    const blocks = refused(`${good}\n${text}`);
    expect(blocks).toHaveLength(1);
    expect(blocks[0]!.name).toBe(name);
    expect(new Set(blocks[0]!.problems.map(({ code }) => code))).toEqual(new Set(codes));
    expect(blocks[0]!.start).toBeGreaterThan(good.length);
  });

  it('are absent for calls that run, and outside calls', () => {
    expect(refused(`${good}\n${good}\n<<<[END_TOOL_REQUEST]>>>`)).toEqual([]);
  });

  it('are found in JSON, too', () => {
    const text =
      '<tool_call>{"name":"a_b","arguments":{}}</tool_call>\n<tool_call>{"name":"c_d", "arguments":[}]</tool_call>';
    expect(refused(text, 'json').map(({ name }) => name)).toEqual(['c_d']);
  });

  it('do not include calls that the reading leaves out', () => {
    const reading = readReply(`${good}\n`.repeat(3), { dialect: 'standard' });
    const bounded = boundReading(reading, { ...windowLimits, calls: 1 });
    expect(refusedBlocks({ ...bounded, text: '' }, bounded.diagnostics)).toEqual([]);
  });
});

describe('a text that still comes', () => {
  it('has no unfinished block for a mistake, but keeps the ones that can no more be finished', () => {
    const open = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n';
    expect(read(open).diagnostics).toHaveLength(1);
    expect(stillComing(read(open)).diagnostics).toEqual([]);
    expect(stillComing(read(open + open)).diagnostics.map(({ code }) => code)).toEqual(['unclosed-block']);
  });
});

describe('replay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const start = (text: string) => {
    const scope = effectScope();
    const replay = scope.run(() => useReplay(ref(text)))!;
    return { replay, scope };
  };

  it('lets the text come at its speed, to the end, and stops there', async () => {
    const { replay, scope } = start('0123456789'.repeat(6));
    replay.speed.value = 60;
    replay.play();
    await vi.advanceTimersByTimeAsync(500);
    expect(replay.position.value).toBe(30);
    replay.pause();
    await vi.advanceTimersByTimeAsync(500);
    expect(replay.shown.value).toHaveLength(30);
    replay.play();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([replay.position.value, replay.playing.value]).toEqual([60, false]);
    scope.stop();
  });

  it('steps by lines, never splits a character, and ends with the whole text', () => {
    const { replay, scope } = start('a\nb😀\nc');
    replay.step();
    expect(replay.shown.value).toBe('a\n');
    replay.seek(4);
    expect(replay.shown.value).toBe('a\nb😀');
    replay.stop();
    expect(replay.shown.value).toBe('a\nb😀\nc');
    scope.stop();
  });

  it('leaves no timer behind', () => {
    const { replay, scope } = start('abc');
    replay.play();
    scope.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('saved examples', () => {
  it('replace one of the same name, and are refused if there is no room', () => {
    const one = addSavedExample([], { name: 'a', text: '1' })!;
    expect(addSavedExample(one, { name: 'a', text: '2' })).toEqual([{ name: 'a', text: '2' }]);
    expect(addSavedExample(one, { name: 'b', text: '始'.repeat(30_000) })).toBeUndefined();
    expect(readSavedExamples([{ name: 'a', text: '1' }, { name: 1 }, null, 'x'])).toEqual(one);
    expect(readSavedExamples({ name: 'a' })).toEqual([]);
  });
  it('are named after their tool, or their first words', () => {
    expect(exampleNameOf(exampleText('two', 'en'), [])).toBe('clock_get_time');
    expect(exampleNameOf('<tool_call>{"name": "a_b"}</tool_call>', [])).toBe('a_b');
    expect(exampleNameOf('  I would rather not call anything at all', [])).toBe('I would rather not call');
  });
  it('refuse the name of another text', () => {
    const list = [{ name: 'x', text: 'x' }];
    expect(exampleNameOf('x', list)).toBe('x');
    expect(exampleNameOf('x ', list)).toBe('x 2');
  });
});

describe('the report', () => {
  it('has the problems that the window lists, arguments that do not fit among them', () => {
    const text = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\nx:「始」high「末」\n<<<[END_TOOL_REQUEST]>>>';
    const row = { name: 'x', raw: 'high', type: 'integer', verdict: 'invalid' as const };
    const call = {
      request: 0,
      requestId: '1',
      toolName: 'a_b',
      argsJson: '{}',
      arguments: [row],
      issues: [{ path: '/x', parameter: 'x', message: 'Must be a number.' }],
      resolution: {
        ok: true as const,
        toolId: 'a',
        methodName: 'b',
        qualifiedName: 'a_b',
        toolName: 'A',
        source: { kind: 'builtin' as const, id: 'a', label: 'A' },
        agentCallable: true,
      },
    };
    const reading = { ...read(text), calls: [call] };
    const report = parseReportText(reading);
    expect(report).toContain('Calls: 1 · Problems: 1');
    expect(report).toContain(`### Errors\n- Line 3 · ${problemsOf(reading)[0]!.title} · Must be a number.`);
  });
  it('counts lines as editors do', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n') }), (text) => {
        const lineOf = lineFinder(text);
        for (let at = 0; at <= text.length; at += 1) expect(lineOf(at)).toBe(text.slice(0, at).split('\n').length);
      }),
    );
  });
  it('keeps pipes and line breaks of values inside their cells', () => {
    const reading = read('');
    const row = { name: 'x', raw: 'a|b\nc', type: 'string', verdict: 'ok' as const, valueJson: '"a|b\\nc"' };
    const call = {
      request: 0,
      requestId: '1',
      toolName: 't',
      argsJson: '{}',
      arguments: [row],
      resolution: { ok: false as const, error: { code: 'unknown-tool' as const, message: 'no' } },
    };
    const report = parseReportText({ ...reading, calls: [call] });
    expect(report).toContain('| x | a\\|b⏎c |\n');
    expect(report).toContain('→ Not run');
  });
});
