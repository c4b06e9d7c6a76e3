import { describe, expect, test } from 'vitest';

import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { applyEdits } from './applyEdits.ts';
import { block, call, otherCall } from './blocks.ts';

/** Applies the first fix there is, again and again, as a person does. */
function mend(text: string): { text: string; steps: number } {
  let mended = text;
  for (let steps = 0; ; steps++) {
    const fix = parseVcp(mended).diagnostics.find((diagnostic) => diagnostic.fix !== undefined)?.fix;
    if (fix === undefined || steps > 10) return { text: mended, steps };
    mended = applyEdits(mended, fix.edits);
  }
}

const t = 'tool_name:「始」t「末」';

describe('each fix makes the call run', () => {
  test.each([
    ['full-width colon', block('tool_name：「始」t「末」', 'v:「始」1「末」'), { v: '1' }],
    ['key in quotes', block('"tool_name":「始」t「末」', '“v”:「始」1「末」'), { v: '1' }],
    ['bold key', block('**tool_name**:「始」t「末」', '`v`:「始」1「末」'), { v: '1' }],
    ['invisible character in a key', block('tool\u200b_name:「始」t「末」', 'v:「始」1「末」'), { v: '1' }],
    ['full-width letters', block(t, 'ｖ:「始」1「末」'), { v: '1' }],
    ['braces', block('tool_name:{始}t{末}', 'v:{始」1「末}'), { v: '1' }],
    ['book quotes', block('tool_name:『始』t『末』', 'v:『始』1『末』'), { v: '1' }],
    ['angle brackets', block('tool_name:<始>t<末>', 'v:《始》1《末》'), { v: '1' }],
    ['round brackets', block(t, 'v:(始)1(末)'), { v: '1' }],
    ['bracket the wrong way round', block('tool_name:「始「t「末」', 'v:「始「1「末」'), { v: '1' }],
    ['retired fences', block(t, 'v:「始exp」a「始」b「末」c「末exp」'), { v: 'a「始」b「末」c' }],
    ['wrong upper case', block('Tool-Name:「始」t「末」', 'v:「始」1「末」'), { v: '1' }],
    ['a value without its fence', block(t, 'v:「始」1', 'w:「始」2「末」'), { v: '1', w: '2' }],
    ['a value closed by the wrong fence', block(t, 'v:「始」1「末ESCAPE」'), { v: '1' }],
    ['an escaped value closed by the wrong fence', block(t, 'v:「始ESCAPE」1「末」'), { v: '1' }],
    ['a value closed by a look-alike', block(t, 'v:「始」1「未」'), { v: '1' }],
    [
      'an END inside a value',
      block(t, 'v:「始」a\n<<<[END_TOOL_REQUEST]>>>\nb「末」'),
      { v: 'a\n<<<[END_TOOL_REQUEST]>>>\nb' },
    ],
    ['a call inside a value', block(t, `v:「始」\n${call}\n「末」`), { v: call }],
    [
      'a call inside a value with text',
      block(t, `v:「始」Write:\n${call}\nSo.「末」`, 'w:「始」1「末」'),
      { v: `Write:\n${call}\nSo.`, w: '1' },
    ],
    ['a second closing fence', block(t, 'v:「始」a「末」b「末」'), { v: 'a「末」b' }],
    [
      'a 「末」 in a value whose ESCAPE is cut short',
      block(t, 'v：「始ESC」含「末」的文字「末ESC」', 'w:「始」1「末」'),
      { v: '含「末」的文字', w: '1' },
    ],
    ['a 「末」 in a value with look-alike fences', block(t, 'v:『始』a「末」b『末』c『末』'), { v: 'a「末」b『末』c' }],
    ['no END', `<<<[TOOL_REQUEST]>>>\n${t},\nv:「始」1「末」`, { v: '1' }],
    ['no markers', `${t},\nv:「始」1「末」\n`, { v: '1' }],
    ['markers with two brackets', `<<[TOOL_REQUEST]>>\n${t},\nv:「始」1「末」\n<<[END_TOOL_REQUEST]>>`, { v: '1' }],
    ['retired markers', `<<<[TOOL_REQUEST_EXP]>>>\n${t},\nv:「始」1「末」\n<<<[END_TOOL_REQUEST_EXP]>>>`, { v: '1' }],
    [
      'escaped markers',
      `<<<[TOOL_REQUEST_ESCAPE]>>>\n${t},\nv:「始」1「末」\n<<<[END_TOOL_REQUEST_ESCAPE]>>>`,
      { v: '1' },
    ],
    ['\\n as two characters', `<<<[TOOL_REQUEST]>>>\\n${t},\\nv:「始」1「末」\\n<<<[END_TOOL_REQUEST]>>>`, { v: '1' }],
    ['a code fence', `\`\`\`text\n${block(t, 'v:「始」1「末」')}\n\`\`\`\n`, { v: '1' }],
    ['inline code', `\`${block(t, 'v:「始」1「末」')}\``, { v: '1' }],
    ['reasoning without an end', `<think>So.\n${block(t, 'v:「始」1「末」')}`, { v: '1' }],
  ])('%s', (_, text, args) => {
    const mended = mend(text);
    expect(mended.steps).toBeGreaterThan(0);
    const { requests, diagnostics } = parseVcp(mended.text);
    expect(diagnostics).toEqual([]);
    expect(requests.map((request) => [request.toolName, request.args])).toEqual([['t', args]]);
  });

  test('a marker inside a value is one problem, whichever it is, and the END of the block is not a stray one', () => {
    for (const inner of [call, '<<<[END_TOOL_REQUEST]>>>']) {
      const { diagnostics } = parseVcp(block(t, `v:「始」\n${inner}\n「末」`));
      const fixes = diagnostics.filter(({ fix }) => fix !== undefined);
      expect(fixes.map(({ code }) => code)).toEqual(['unclosed-value']);
      expect(fixes[0]!.message).toBe(
        'A marker on a line of its own ends the value of “v”, so the call is not run. In an escaped value, the marker is plain text.',
      );
      expect(diagnostics.map(({ code }) => code)).not.toContain('stray-end');
    }
  });

  test('a value without its end is not closed after nothing, nor is nothing quoted', () => {
    const open = `<<<[TOOL_REQUEST]>>>\n${t},\nv:「始」\n`;
    for (const text of [open, `${open}${call}`, `${open}${call}\nA value ends with 「末」.`]) {
      const diagnostic = parseVcp(text).diagnostics.find(({ code }) => code === 'unclosed-value');
      expect(diagnostic!.message).toBe('The value of “v” has no 「末」, so the call is not run.');
      expect(diagnostic).not.toHaveProperty('fix');
    }
    expect(mend(block(t, 'v:「始」「未」')).text).toBe(block(t, 'v:「始」「末」'));
  });

  test.each([
    ['a key in another script', block(t, '参数:「始」1「末」'), 'malformed-field'],
    ['a key with a dot', block(t, 'a.b:「始」1「末」'), 'malformed-field'],
    ['a tool_name with text before it', block('Well.tool_name:「始」t「末」'), 'malformed-field'],
    ['a block without a tool name', block('v:「始」1「末」'), 'missing-tool-name'],
  ])('%s has no fix that would write something made up', (_, text, code) => {
    expect(parseVcp(text).diagnostics).toMatchObject([{ code }]);
    expect(parseVcp(text).diagnostics[0]).not.toHaveProperty('fix');
  });

  test('a fence without an end is closed before the call, which still runs', () => {
    const text = `\`\`\`js\nlet a;\n${call}`;
    const { text: mended, steps } = mend(text);
    const { requests, diagnostics } = parseVcp(mended);
    expect([steps, requests.length, diagnostics]).toEqual([1, 1, []]);
    expect(mended).toBe(`\`\`\`js\nlet a;\n\`\`\`\n${call}`);
  });

  test.each([
    ['a quotation', '> ', '> '],
    ['a quotation in a quotation', '> > ', '> > '],
    ['a list', '- ', '  '],
    ['a numbered list', '1. ', '   '],
    ['an indented list', '    ', '    '],
  ])('in %s, a fence without an end is closed on a line of its own that is as far in', (_, first, next) => {
    const lines = (...all: string[]): string => all.join('\n').replaceAll('\n', `\n${next}`);
    const open = (...all: string[]): string => first + lines('```js', 'let a;', ...all);
    expect(mend(open(call)).text).toBe(open('```', call));
    expect(mend(open(`let b; ${call}`)).text).toBe(open('let b; ', '```', call));
    expect(mend(open()).text).toBe(open('```'));
    expect(mend(`${open()}\n`).text).toBe(`${open('```')}`);
    expect(parseVcp(open('```', call)).requests).toHaveLength(1);
  });

  test('an earlier duplicate goes with its comma and its line', () => {
    const text = block(t, 'v:「始」1「末」 ', 'v:「始」2「末」');
    expect(mend(text).text).toBe(block(t, 'v:「始」2「末」'));
  });

  test('a stray END and an earlier duplicate are removed', () => {
    expect(mend(`<<<[END_TOOL_REQUEST]>>>${call}`).text).toBe(call);
    const { requests, diagnostics } = parseVcp(mend(block(t, 'v:「始」1「末」', 'v:「始」2「末」')).text);
    expect([requests[0]!.args, diagnostics]).toEqual([{ v: '2' }, []]);
  });
});

describe('the fix of a call in code keeps what stands beside it', () => {
  const one = block(t, 'v:「始」1「末」');
  const two = block(t, 'v:「始」2「末」');
  const first = (text: string): string => applyEdits(text, parseVcp(text).diagnostics[0]!.fix!.edits);

  test.each([
    ['code before', `\`\`\`js\nconst a = 1;\n${one}\n\`\`\`\nEnd`, ['const a = 1;', 'End']],
    ['code after', `\`\`\`js\n${one}\nconsole.log(a);\n\`\`\``, ['console.log(a);']],
    ['code on both sides', `~~~js\nconst a = 1;\n${one}\nconsole.log(a);\n~~~`, ['const a = 1;', 'console.log(a);']],
    ['code on the line of the call', `\`\`\`\nrun ${one} now\n\`\`\``, ['run ', ' now']],
    ['words in inline code', `\`see ${one} there\``, ['see ', ' there']],
  ])('%s', (_, text, kept) => {
    const mended = first(text);
    for (const part of kept) expect(mended).toContain(part);
    const { requests, diagnostics, regions } = parseVcp(mended);
    expect([requests.map(({ rawBlock }) => rawBlock), diagnostics]).toEqual([[one], []]);
    const code = regions.filter(({ kind }) => kind === 'code').map(({ start, end }) => mended.slice(start, end));
    for (const part of kept.filter((part) => part !== 'End')) expect(code.join('\n')).toContain(part);
  });

  test.each([
    ['a quotation', '> ', '> '],
    ['a list', '- ', '  '],
    ['a numbered list', '1. ', '   '],
    ['an indented list', '    ', '    '],
  ])('in %s, the delimiters are on lines of their own that are as far in', (_, head, next) => {
    const lines = (...all: string[]): string => head + all.join('\n').replaceAll('\n', `\n${next}`);
    expect(first(lines('```js', one, '```'))).toBe(lines(one));
    expect(first(lines('```js', 'let a;', one, 'let b;', '```'))).toBe(
      lines('```js', 'let a;', '```', one, '```js', 'let b;', '```'),
    );
    expect(first(lines('```js', `run ${one} now`, '```'))).toBe(
      lines('```js', 'run ', '```', one, '```js', ' now', '```'),
    );
    for (const text of [lines('```js', one, '```'), lines('```js', 'let a;', one, 'let b;', '```')]) {
      const { requests, diagnostics } = parseVcp(first(text));
      expect([requests.length, diagnostics]).toEqual([1, []]);
    }
  });

  test('a line that ends in a carriage return goes with both characters', () => {
    const text = `\`\`\`\r\n${one}\r\n\`\`\`\r\nEnd`;
    expect(first(text)).toBe(`${one}\r\nEnd`);
  });

  test('of two calls in one fence, and of both at once', () => {
    const text = `\`\`\`js\n${one}\nlet b;\n${two}\n\`\`\``;
    expect(parseVcp(first(text)).requests.map(({ rawBlock }) => rawBlock)).toEqual([one]);
    const edits = parseVcp(text).diagnostics.flatMap(({ fix }) => fix!.edits);
    const { requests, diagnostics } = parseVcp(applyEdits(text, edits));
    expect([requests.map(({ rawBlock }) => rawBlock), diagnostics]).toEqual([[one, two], []]);
    expect(applyEdits(text, edits)).toContain('```js\nlet b;\n');
  });
});

test.each([`\`\`\`js\n${call}\n  - \`\`\`\n${call}\n> \`\`\`\n`, `\`\`\`js\n${call}\n\`${call}\``])(
  'no fix closes a fence if a call after it would then be code: %j',
  (text) => {
    const { requests, diagnostics } = parseVcp(text);
    expect(requests).toHaveLength(2);
    expect(diagnostics.find(({ code }) => code === 'unclosed-fence')).not.toHaveProperty('fix');
  },
);

test('no fix closes a fence if one call would then be code, even if another would no longer be reasoning', () => {
  const hidden = block('tool_name:「始」hidden「末」');
  const text = `\`\`\`js\nx ${call}\`${otherCall}<think>\`${hidden}`;
  const { requests, diagnostics } = parseVcp(text);
  expect(requests.map(({ rawBlock }) => rawBlock)).toEqual([call, otherCall]);
  expect(diagnostics.find(({ code }) => code === 'unclosed-fence')).not.toHaveProperty('fix');
});

test('of two fences that never close only the first has a fix', () => {
  const text = `\`\`\`js\n${call}\n~~~ y\n`;
  const [first, second] = parseVcp(text).diagnostics;
  expect([first?.code, second?.code, second?.fix]).toEqual(['unclosed-fence', 'unclosed-fence', undefined]);
  const closed = applyEdits(text, first!.fix!.edits);
  expect(closed).toBe(`\`\`\`js\n\`\`\`\n${call}\n~~~ y\n`);
  expect(parseVcp(closed).requests).toHaveLength(1);
});

test.each([
  'tool_name: lamp_set\nlevel: 5,',
  'tool_name: lamp_set\nlevel:「始」5「末」',
  'tool_name:"lamp_set",\nlevel: “5”',
])('values without fences are named, and fenced by the fix: %j', (body) => {
  const text = `<<<[TOOL_REQUEST]>>>\n${body}\n<<<[END_TOOL_REQUEST]>>>`;
  const [diagnostic, ...others] = parseVcp(text).diagnostics;
  expect(others).toEqual([]);
  expect(diagnostic).toMatchObject({
    code: 'malformed-field',
    message: 'The value of “tool_name” is not between 「始」 and 「末」, so the block is not run.',
  });
  const [request] = parseVcp(applyEdits(text, diagnostic!.fix!.edits)).requests;
  expect([request!.toolName, request!.args]).toEqual(['lamp_set', { level: '5' }]);
});

test.each([
  ['tool_name: lamp_set\naction: 开始\nday: 周末', { action: '开始', day: '周末' }],
  ['tool_name: lamp_set\naction: 开始\nlevel:「始」5「末」', { action: '开始', level: '5' }],
])('a Chinese value with 始 or 末 in it is fenced like any other: %j', (body, args) => {
  const text = `<<<[TOOL_REQUEST]>>>\n${body}\n<<<[END_TOOL_REQUEST]>>>`;
  const [diagnostic] = parseVcp(text).diagnostics;
  const [request] = parseVcp(applyEdits(text, diagnostic!.fix!.edits)).requests;
  expect(request!.args).toEqual(args);
});

test.each([
  'tool_name: lamp_set\nnote: first\nsecond',
  'tool_name: lamp_set\nnote: first\nsecond\nlevel:「始」5「末」',
  'tool_name: lamp_set\nnote:\nlevel: 5',
  'tool_name: lamp_set\nlevel: 「始」5',
  'tool_name: lamp_set\nlevel: 【始】5',
])('values are not fenced if one of them may have another end: %j', (body) => {
  const { diagnostics, requests } = parseVcp(`<<<[TOOL_REQUEST]>>>\n${body}\n<<<[END_TOOL_REQUEST]>>>`);
  expect(requests).toEqual([]);
  expect(diagnostics.length).toBeGreaterThan(0);
  expect(diagnostics.filter(({ fix }) => fix?.title.startsWith('Put the values'))).toEqual([]);
});

test.each([
  ['tool_name:「始」lamp_set「末」\nlevel: 5', { level: '5' }],
  ['tool_name:「始」lamp_set「末」, level: 5, day:「始」1「末」', { level: '5', day: '1' }],
  ['level: half a day,\ntool_name:「始」lamp_set「末」', { level: 'half a day' }],
])('a value without fences in a block that runs is ignored, and the fix fences it: %j', (body, args) => {
  const text = `<<<[TOOL_REQUEST]>>>\n${body}\n<<<[END_TOOL_REQUEST]>>>`;
  const { requests, diagnostics } = parseVcp(text);
  expect(requests[0]!.args).not.toHaveProperty('level');
  expect(diagnostics).toMatchObject([
    {
      code: 'malformed-field',
      severity: 'warning',
      message: 'The value of “level” is not between 「始」 and 「末」, so it is ignored.',
    },
  ]);
  const fixed = parseVcp(applyEdits(text, diagnostics[0]!.fix!.edits));
  expect([fixed.requests[0]!.args, fixed.diagnostics]).toEqual([args, []]);
});

test.each(['// note: x', '- what: x', '我现在调用', 'see https://example.com/', '```js\nlevel: 5\n```', 'level:'])(
  'other text in a block is no field: %j',
  (other) => {
    const text = `<<<[TOOL_REQUEST]>>>\ntool_name:「始」lamp_set「末」\n${other}\n<<<[END_TOOL_REQUEST]>>>`;
    expect(parseVcp(text).diagnostics.filter(({ code }) => code === 'malformed-field')).toEqual([]);
  },
);

test.each([
  ['v:「始」a「末」, 你好', '你好'],
  ['v:「始」a「末」b「末ESCAPE」,', 'b「末ESCAPE」,'],
  ['v:「始」a「末」 and w:「始」b「末」', 'and'],
])('text after a value is a problem: %j', (line, rest) => {
  expect(parseVcp(block(t, line)).diagnostics).toMatchObject([
    {
      code: 'malformed-field',
      severity: 'warning',
      message: `“${rest}” after the value of “v” belongs to no field, so it is ignored.`,
    },
  ]);
});

test('the end marker behind the last value stays outside its fences', () => {
  const text = '<<<[TOOL_REQUEST]>>>\nlevel:「始」5「末」\ntool_name: lamp_set <<<[END_TOOL_REQUEST]>>>';
  const [diagnostic] = parseVcp(text).diagnostics;
  const [request] = parseVcp(applyEdits(text, diagnostic!.fix!.edits)).requests;
  expect([request!.toolName, request!.args]).toEqual(['lamp_set', { level: '5' }]);
});

test('lines that name no tool are no certain fields', () => {
  const text = '<<<[TOOL_REQUEST]>>>\nlevel: 5\n<<<[END_TOOL_REQUEST]>>>';
  const [diagnostic] = parseVcp(text).diagnostics;
  expect([diagnostic!.code, diagnostic!.fix]).toEqual(['malformed-field', undefined]);
});

test('control fields with fixed values are checked', () => {
  const messages = (key: string, value: string): string[] =>
    parseVcp(
      `<<<[TOOL_REQUEST]>>>\ntool_name:「始」a「末」\n${key}:「始」${value}「末」\n<<<[END_TOOL_REQUEST]>>>`,
    ).diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
  for (const [key, value] of [
    ['archery', 'true'],
    ['archery', 'no_reply'],
    ['ink', 'mark_history'],
    ['river', 'last:5'],
    ['river', 'semantic:3'],
    ['maid', 'anyone'],
  ] as const)
    expect(messages(key, value), `${key} ${value}`).toEqual([]);
  expect(messages('river', 'last')).toEqual([
    'warning: The control field “river” takes full, text, last:N or semantic:N, not “last”.',
  ]);
  expect(messages('archery', 'yes')).toHaveLength(1);
  expect(messages('ink', '1')).toHaveLength(1);
});
