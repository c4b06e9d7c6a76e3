import { describe, expect, test } from 'vitest';

import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { openWorkMeter } from '../measureWork.ts';
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

test('an invisible character in a marker is named by its code, and the fix takes it out', () => {
  const { requests, message, mended } = only(`<<<[TOOL\u200b_REQUEST]>>>\n${fields}\n<<<[END_TOOL_\u2060REQUEST]>>>`);
  expect(requests).toEqual([]);
  expect(message).toContain('“<<<[TOOL\\u200b_REQUEST]>>>” and “<<<[END_TOOL_\\u2060REQUEST]>>>” are not markers');
  expect(mended).toBe(`${start}\n${fields}\n${end}`);
});

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
    ['TOOL_REQUEST', 'END_TOOL_REQUEST'],
    ['TOOL_REQUEST', end],
    ['tool_request', '/tool_request'],
    ['TOOL-REQUEST:', 'TOOL-REQUEST-END'],
    ['**TOOL_REQUEST**', '**END_TOOL_REQUEST**'],
    ['---TOOL_REQUEST---', '---END_TOOL_REQUEST---'],
    ['=== TOOL_REQUEST ===', '=== END_TOOL_REQUEST ==='],
    ['(TOOL_REQUEST)', '(END_TOOL_REQUEST)'],
    ['{{TOOL_REQUEST}}', '{{END_TOOL_REQUEST}}'],
    ['【TOOL_REQUEST】', '【END_TOOL_REQUEST】'],
    ['【TOOL_REQUEST】', end],
    ['【 Tool Request 】', '【 End Tool Request 】'],
    ['《TOOL_REQUEST》', '《END_TOOL_REQUEST》'],
    ['［TOOL_REQUEST］', '［END_TOOL_REQUEST］'],
    ['＜＜＜TOOL_REQUEST＞＞＞', '＜＜＜END_TOOL_REQUEST＞＞＞'],
    ['<<<【TOOL_REQUEST】>>>', '<<<【END_TOOL_REQUEST】>>>'],
    ['《《《【TOOL_REQUEST】》》》', '《《《【END_TOOL_REQUEST】》》》'],
    ['< TOOL_REQUEST >', '< END_TOOL_REQUEST >'],
    ['<<< [TOOL_REQUEST]', '<<< [END_TOOL_REQUEST]'],
    ['<<< [TOOL_REQUEST] >>>', '<<< [END_TOOL_REQUEST] >>>'],
    ['【TOOL_REQUEST', 'END_TOOL_REQUEST】'],
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

  test.each([
    ['[TOOL_REQUEST]', '[END_TOOL_REQUEST]'],
    ['TOOL_REQUEST', 'END_TOOL_REQUEST'],
    ['【TOOL_REQUEST】', '【END_TOOL_REQUEST】'],
  ])('each of several blocks is reported: %s', (open, close) => {
    const text = `${open}\n${fields}\n${close}\n`.repeat(3);
    const { diagnostics } = parseVcp(text);
    expect(diagnostics.map(({ code }) => code)).toEqual(['misspelt-marker', 'misspelt-marker', 'misspelt-marker']);
    const edits = diagnostics.flatMap(({ fix }) => fix!.edits);
    expect(parseVcp(applyEdits(text, edits)).requests).toHaveLength(3);
  });

  test.each([
    ['<<[TOOL_REQUEST]>>', '<<[END_TOOL_REQUEST]>>'],
    ['TOOL_REQUEST', 'END_TOOL_REQUEST'],
    ['《TOOL_REQUEST》', '《END_TOOL_REQUEST》'],
  ])('in a quotation and in a list: %s', (open, close) => {
    for (const lead of ['> ', '- ', '  * ']) {
      const write = (first: string, last: string): string =>
        `${lead}${first}\n${lead}${fields.replace('\n', `\n${lead}`)}\n${lead}${last}\nDone.`;
      expect(only(write(open, close)).mended).toBe(write(start, end));
    }
  });

  test.each([
    ['【TOOL_REQUEST】', '【END_TOOL_REQUEST】'],
    ['TOOL_REQUEST', 'END_TOOL_REQUEST'],
  ])('on one line: %s', (open, close) => {
    const oneLine = fields.replace('\n', ' ');
    expect(only(`${open} ${oneLine} ${close}\nDone.`).mended).toBe(`${start} ${oneLine} ${end}\nDone.`);
  });

  test('bare words without an END get one after the last field, however the fields are written', () => {
    for (const written of [fields, 'tool_name：「始」t「末」', fields.replaceAll(/「(始|末)」/g, '「$1ESCAPE」')])
      expect(only(`TOOL_REQUEST\n${written}\n\nDone.`).mended).toBe(`${start}\n${written}\n${end}\n\nDone.`);
  });

  test('a bare START is not passed over for the fields before it', () => {
    const { diagnostics } = parseVcp(`${fields}\nTOOL_REQUEST\n${fields}\nEND_TOOL_REQUEST`);
    expect(diagnostics.map(({ code }) => code)).toEqual(['bare-fields', 'misspelt-marker']);
  });

  test('a bare END is replaced in the fix of fields without a START', () => {
    const text = `Well.\n${fields}\nEND_TOOL_REQUEST\nDone.`;
    const [diagnostic] = parseVcp(text).diagnostics;
    expect(diagnostic?.code).toBe('bare-fields');
    expect(applyEdits(text, diagnostic!.fix!.edits)).toBe(`Well.\n${start}\n${fields}\n${end}\nDone.`);
  });
});

describe('a misspelt END in a block', () => {
  test.each([
    '[END_TOOL_REQUEST]',
    '<<<[end_tool_request]>>>',
    '<<[END_TOOL_REQUEST]>>',
    '<<<[/TOOL_REQUEST]>>>',
    'END_TOOL_REQUEST',
    '**end_tool_request**',
    '【END_TOOL_REQUEST】',
    '《/TOOL_REQUEST》',
  ])('%s is named, and replaced rather than kept beside a second one', (close) => {
    const { requests, severity, message, mended, ...range } = only(`${start}\n${fields}\n${close}\nDone.`);
    expect([requests, severity]).toEqual([[], 'error']);
    expect(message).toContain(`“${close}”`);
    const at = `${start}\n${fields}\n`.length;
    expect(range).toMatchObject({ start: at, end: at + close.length });
    expect(mended).toBe(`${block('tool_name:「始」t「末」', 'v:「始」1「末」')}\nDone.`);
    expect(parseVcp(mended).diagnostics).toEqual([]);
  });

  test.each([
    ['END', '[END_TOOL_REQUEST]'],
    ['START', '<<[TOOL_REQUEST]>>'],
    ['END', 'END_TOOL_REQUEST'],
    ['START', '【TOOL_REQUEST】'],
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

describe('a misspelt START after the fields of a block without END', () => {
  const open = `${start}\ntool_name:「始」a「末」`;
  const wrong = `＜＜＜[TOOL_REQUEST]＞＞＞\n${fields}`;
  const wrongEnd = '＜＜＜[END_TOOL_REQUEST]＞＞＞';

  test.each([
    ['has a misspelt END', `${wrong}\n${wrongEnd}`, end],
    ['has no END', wrong, end],
    ['is written in full-width brackets', `【TOOL_REQUEST】\n${fields}\n【END_TOOL_REQUEST】`, end],
  ])('begins a block of its own: it %s', (_, second, close) => {
    for (const rest of ['', `\n${call}`]) {
      const text = `${open}\n\n${second}${rest}`;
      const { requests, diagnostics } = parseVcp(text);
      expect(requests).toHaveLength(rest === '' ? 0 : 1);
      expect(diagnostics.map(({ code }) => code)).toEqual(['unclosed-block', 'misspelt-marker']);
      const edits = diagnostics.flatMap(({ fix }) => fix!.edits);
      const mended = applyEdits(text, edits);
      expect(mended).toBe(`${open}\n${end}\n\n${start}\n${fields}\n${close}${rest}`);
      expect(parseVcp(mended).diagnostics).toEqual([]);
    }
  });

  test('each of several is reported', () => {
    const text = `${open}\n${wrong}\n${wrong}\n${wrongEnd}\nSo.\n${wrong}`;
    const { diagnostics } = parseVcp(text);
    expect(diagnostics.map(({ code }) => code)).toEqual(['unclosed-block', ...Array(3).fill('misspelt-marker')]);
    const mended = applyEdits(
      text,
      diagnostics.flatMap(({ fix }) => fix!.edits),
    );
    expect(parseVcp(mended).requests.map(({ toolName }) => toolName)).toEqual(['a', 't', 't', 't']);
  });

  test('counts only with fields below it', () => {
    expect(codes(`${open}\n<<[TOOL_REQUEST]>>\nis how a block starts.`)).toEqual(['unclosed-block']);
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
  'TOOL_REQUEST',
  'TOOL_REQUEST\n\nA heading, and prose under it.',
  'TOOL_REQUEST\nEND_TOOL_REQUEST',
  '【TOOL_REQUEST】\n【END_TOOL_REQUEST】',
  'A block starts with TOOL_REQUEST and ends with END_TOOL_REQUEST.',
  'TOOL_REQUEST is what a block starts with,\n`key:「始」value「末」` is a field.',
  'The block 《TOOL_REQUEST》 holds fields such as key:「始」value「末」.',
  '```\nTOOL_REQUEST\ntool_name:「始」t「末」\nEND_TOOL_REQUEST\n```\n',
  '<think>\nTOOL_REQUEST\ntool_name:「始」t「末」\n</think>',
  '[tool request](https://example.org/tool_request)',
  '<tool_request>',
  'a < b, a << b, x <<< [y] and &lt;p&gt;',
  '```\n<<[TOOL_REQUEST]>>\ntool_name:「始」t「末」\n<<[END_TOOL_REQUEST]>>\n```\n',
  'See `<<[TOOL_REQUEST]>>`.\n',
  '<think>\n<<[TOOL_REQUEST]>>\n</think>',
])('prose and code are left alone: %j', (text) => {
  expect(codes(text)).toEqual([]);
});

test.each([
  `Write TOOL_REQUEST\n${fields}`,
  `The tool request:\n${fields}`,
  `### Tool request\n\n${fields}`,
  `The next one (TOOL_REQUEST):\n${fields}`,
  `TOOL_REQUEST\nthat is:\n${fields}`,
  `\`TOOL_REQUEST\`\n${fields}`,
])('words of a sentence or a heading are not a START: %j', (text) => {
  expect(codes(text)).toEqual(['bare-fields']);
});

test('words of a sentence after the fields are not an END', () => {
  const text = `${start}\n${fields}\nEND_TOOL_REQUEST is the end of a block.`;
  expect(codes(text)).toEqual(['unclosed-block']);
  const { mended } = only(`TOOL_REQUEST\n${fields}\nEND_TOOL_REQUEST is the end of a block.`);
  expect(mended).toBe(`${start}\n${fields}\n${end}\nEND_TOOL_REQUEST is the end of a block.`);
});

test('what holds a good marker is one', () => {
  for (const text of [`<${call.replace(end, `${end}>`)}`, `<<<<${call}>>>`])
    expect(parseVcp(text)).toMatchObject({ requests: [{ toolName: 't' }], diagnostics: [] });
});

test('a blank after a misspelt marker is not part of it', () => {
  expect(parseVcp('<<< [TOOL_REQUEST] ').diagnostics).toMatchObject([{ code: 'misspelt-marker', start: 0, end: 18 }]);
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
  ['TOOL_REQUEST\n'],
  ['TOOL_REQUEST\nk:「始」v「末」\n'],
  ['【TOOL_REQUEST】k:「始」v「末」【END_TOOL_REQUEST】'],
  ['- - - TOOL_REQUEST - - - - k：「始」'],
  ['k:「始」v「末」 . '],
])('%j, repeated, takes linear work', async (unit) => {
  await using meter = openWorkMeter();
  for (const opening of [
    '',
    `${start}\nk:「始」v「末」\n`,
    '<<[TOOL_REQUEST]>>\n',
    'TOOL_REQUEST\nk:「始」v「末」\n',
  ]) {
    const once = await meter.measure([opening + unit.repeat(6_250 / unit.length)], 'standard');
    expect(once).toBeGreaterThan(6_250);
    expect(await meter.measure([opening + unit.repeat(50_000 / unit.length)], 'standard')).toBeLessThan(8.8 * once);
  }
});
