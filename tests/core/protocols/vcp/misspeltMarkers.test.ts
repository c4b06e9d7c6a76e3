import { describe, expect, test } from 'vitest';

import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { applyEdits } from './applyEdits.ts';
import { block, call } from './blocks.ts';

const start = '<<<[TOOL_REQUEST]>>>';
const end = '<<<[END_TOOL_REQUEST]>>>';
const fields = 'tool_name:「始」t「末」,\nv:「始」1「末」';
const codes = (text: string): string[] => parseVcp(text).diagnostics.map(({ code }) => code);

/** The only diagnostic of a text, and the text with its fix applied. */
function only(text: string) {
  const { requests, diagnostics } = parseVcp(text);
  expect(diagnostics).toMatchObject([{ code: 'misspelt-marker' }]);
  const [diagnostic] = diagnostics;
  return { requests, ...diagnostic!, mended: applyEdits(text, diagnostic!.fix!.edits) };
}

describe('a block with a misspelt marker is not run, and one fix writes its markers', () => {
  test.each([
    ['<<[TOOL_REQUEST]>>', '<<[END_TOOL_REQUEST]>>'],
    ['<<[TOOL_REQUEST]>>', end],
    ['<<<[tool_request]>>>', '<<<[end_tool_request]>>>'],
    ['<<<[Tool Request]>>>', '<<<[End Tool Request]>>>'],
    ['[TOOL_REQUEST]', '[END_TOOL_REQUEST]'],
    ['[TOOL_REQUEST]', end],
    ['<<<TOOL_REQUEST>>>', '<<<END_TOOL_REQUEST>>>'],
    ['<<<[TOOL_REQUEST]', '<<<[END_TOOL_REQUEST]'],
    ['<<<[ TOOL_REQUEST ]>>>', '<<<[ END_TOOL_REQUEST ]>>>'],
    ['<<<[TOOL-REQUEST]>>>', '<<<[TOOL-REQUEST-END]>>>'],
    ['<<<[ToolRequest]>>>', '<<<[/ToolRequest]>>>'],
    ['<tool_request>', '</tool_request>'],
    ['{{{[TOOL_REQUEST]}}}', '{{{[END_TOOL_REQUEST]}}}'],
    ['《《《[TOOL_REQUEST]》》》', '《《《[END_TOOL_REQUEST]》》》'],
    ['&lt;&lt;&lt;[TOOL_REQUEST]&gt;&gt;&gt;', '&lt;&lt;&lt;[END_TOOL_REQUEST]&gt;&gt;&gt;'],
  ])('%s … %s', (open, close) => {
    const { requests, severity, message, mended, ...range } = only(`Well.\n${open}\n${fields}\n${close}\nDone.`);
    expect(requests).toEqual([]);
    expect(severity).toBe('error');
    expect(message).toContain(`“${open}”`);
    expect(message.includes(`“${close}”`)).toBe(close !== end);
    expect(range).toMatchObject({ start: 6, end: 6 + `${open}\n${fields}\n${close}`.length });
    expect(mended).toBe(`Well.\n${start}\n${fields}\n${end}\nDone.`);
    expect(parseVcp(mended)).toMatchObject({ diagnostics: [], requests: [{ toolName: 't', args: { v: '1' } }] });
  });

  test('a misspelt START without an END gets both', () => {
    expect(only(`[TOOL_REQUEST]\n${fields}\n\nDone.`).mended).toBe(`${start}\n${fields}\n${end}\n\nDone.`);
    const { mended } = only(`[TOOL_REQUEST]\n${fields}\n\n${call}`);
    expect(parseVcp(mended).requests.map(({ toolName }) => toolName)).toEqual(['t', 't']);
  });

  test('fields that cannot be read, and prose before the fields, do not hide the misspelt marker', () => {
    const malformed = '<<[TOOL_REQUEST]>>\ntool_name：「始」t「末」\n<<[END_TOOL_REQUEST]>>';
    expect(only(malformed).mended).toBe(`${start}\ntool_name：「始」t「末」\n${end}`);
    const prose = `<<[TOOL_REQUEST]>>\nThe call:\n${fields}\n<<[END_TOOL_REQUEST]>>`;
    expect(only(prose).mended).toBe(`${start}\nThe call:\n${fields}\n${end}`);
  });

  test('each of several blocks is reported', () => {
    const text = `[TOOL_REQUEST]\n${fields}\n[END_TOOL_REQUEST]\n`.repeat(3);
    const { diagnostics } = parseVcp(text);
    expect(diagnostics.map(({ code }) => code)).toEqual(['misspelt-marker', 'misspelt-marker', 'misspelt-marker']);
    const edits = diagnostics.flatMap(({ fix }) => fix!.edits);
    expect(parseVcp(applyEdits(text, edits)).requests).toHaveLength(3);
  });

  test('in a quotation', () => {
    const text = `> <<[TOOL_REQUEST]>>\n> ${fields.replace('\n', '\n> ')}\n> <<[END_TOOL_REQUEST]>>`;
    expect(parseVcp(only(text).mended).requests).toHaveLength(1);
  });
});

describe('a misspelt END in a block', () => {
  test.each(['[END_TOOL_REQUEST]', '<<<[end_tool_request]>>>', '<<[END_TOOL_REQUEST]>>', '<<<[/TOOL_REQUEST]>>>'])(
    '%s is named, and replaced rather than kept beside a second one',
    (close) => {
      const { requests, severity, message, mended, ...range } = only(`${start}\n${fields}\n${close}\nDone.`);
      expect([requests, severity]).toEqual([[], 'error']);
      expect(message).toContain(`“${close}”`);
      const at = `${start}\n${fields}\n`.length;
      expect(range).toMatchObject({ start: at, end: at + close.length });
      expect(mended).toBe(`${block('tool_name:「始」t「末」', 'v:「始」1「末」')}\nDone.`);
      expect(parseVcp(mended).diagnostics).toEqual([]);
    },
  );

  test.each([
    ['END', '[END_TOOL_REQUEST]'],
    ['START', '<<[TOOL_REQUEST]>>'],
  ])('a misspelt %s between fields of a block that runs is a warning', (_, marker) => {
    const { requests, severity, message } = only(`${start}\n${fields}\n${marker}\nw:「始」2「末」\n${end}`);
    expect(requests.map(({ args }) => args)).toEqual([{ v: '1', w: '2' }]);
    expect(severity).toBe('warning');
    expect(message).toContain(`“${marker}”`);
  });

  test('beside a good END it is text', () => {
    expect(codes(`${start}\n${fields}\n<<[END_TOOL_REQUEST]>>\n${end}`)).toEqual([]);
  });
});

test('a misspelt START alone on its line is a warning without any fields', () => {
  for (const text of ['<<[TOOL_REQUEST]>>', 'Well.\n  <<<[tool_request]>>>  \nDone.\n']) {
    const { severity, mended } = only(text);
    expect(severity).toBe('warning');
    expect(mended).toContain(start);
  }
  expect(only('<<[TOOL_REQUEST]>>\n<<[END_TOOL_REQUEST]>>').mended).toBe(`${start}\n${end}`);
});

test.each([
  'Write <<[TOOL_REQUEST]>> before the fields and <<[END_TOOL_REQUEST]>> after them.',
  'The label [TOOL_REQUEST] is for requests, [END_TOOL_REQUEST] for their end.',
  '- [ ] tool request\n- [x] TOOL_REQUEST\n',
  '[TOOL_REQUEST]\n\nA heading, and prose under it.',
  '[tool request](https://example.org/tool_request)',
  '<tool_request>',
  'a < b, a << b, x <<< [y] and &lt;p&gt;',
  '```\n<<[TOOL_REQUEST]>>\ntool_name:「始」t「末」\n<<[END_TOOL_REQUEST]>>\n```\n',
  'See `<<[TOOL_REQUEST]>>`.\n',
  '<think>\n<<[TOOL_REQUEST]>>\n</think>',
])('prose and code are left alone: %j', (text) => {
  expect(codes(text)).toEqual([]);
});

test('what holds a good marker is one', () => {
  for (const text of [`<${call.replace(end, `${end}>`)}`, `<<<<${call}>>>`])
    expect(parseVcp(text)).toMatchObject({ requests: [{ toolName: 't' }], diagnostics: [] });
});

test('a marker that the end of the text cuts off is not misspelt', () => {
  expect(codes(`${start}\n${fields}\n<<<[END_TOOL_REQUEST]>`)).toEqual(['unclosed-block']);
});

test('a host that reads loose markers runs the call, and the others say why they do not', () => {
  const text = `<<[TOOL_REQUEST]>>\n${fields}\n<<[END_TOOL_REQUEST]>>`;
  const read = (dialect: 'vcptoolbox' | 'vcptoolbox-fuzzy' | 'aiohub') => {
    const { requests, diagnostics } = parseVcp(text, { dialect });
    return [requests.length, diagnostics.map(({ code }) => code)];
  };
  expect(read('vcptoolbox-fuzzy')).toEqual([1, []]);
  expect(read('vcptoolbox')).toEqual([0, ['misspelt-marker']]);
  expect(read('aiohub')).toEqual([0, ['misspelt-marker']]);
});

test.each([
  ['<<[TOOL_REQUEST]>>\n'],
  ['[TOOL_REQUEST]'],
  ['[END_TOOL_REQUEST] '],
  ['[TOOL_REQUEST]\nk:「始」v「末」\n'],
  ['<<[TOOL_REQUEST]>>\nk:「始」'],
  ['<<[TOOL_REQUEST]>>        '],
  ['[ tool request'],
  ['&lt;['],
  ['<<<<['],
])('1 MB of %j takes linear work', (unit) => {
  for (const opening of ['', `${start}\nk:「始」v「末」\n`, '<<[TOOL_REQUEST]>>\n']) {
    const [once = 0, twice = 0] = [500_000, 1_000_000].map((length) => {
      const counter = { steps: 0 };
      parseVcp(opening + unit.repeat(length / unit.length), { counter });
      return counter.steps;
    });
    expect(once).toBeGreaterThan(100_000);
    expect(twice).toBeLessThan(2.2 * once);
  }
});
