import { describe, expect, test } from 'vitest';

import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { block, call, otherCall } from './blocks.ts';

const names = (text: string): string[] => parseVcp(text).requests.map(({ toolName }) => toolName);
const codes = (text: string): string[] => parseVcp(text).diagnostics.map(({ code }) => code);
const only = (text: string) => {
  const { requests } = parseVcp(text);
  expect(requests).toHaveLength(1);
  return requests[0]!;
};

describe('values', () => {
  test('rawArgs are byte-exact, args lose white space at both ends', () => {
    const request = only(
      block('tool_name:「始」t「末」', 'v:「始」 \n a \t「末」', 'w:「始ESCAPE」 「末」 「末ESCAPE」'),
    );
    expect(request.rawArgs).toEqual({ v: ' \n a \t', w: ' 「末」 ' });
    expect(request.args).toEqual({ v: 'a', w: '「末」' });
  });

  test('fields carry their source ranges', () => {
    const text = `x ${block('tool_name:「始」t「末」', 'v : 「始escape」abc「末ESCAPE」')}`;
    const at = (range: { start: number; end: number }) => text.slice(range.start, range.end);
    const [, field] = only(text).fields;
    expect(at(field!)).toBe('v : 「始escape」abc「末ESCAPE」');
    expect([at(field!.keyRange), at(field!.valueRange), field!.escaped]).toEqual(['v', 'abc', true]);
  });

  test('keys that every object inherits are plain data', () => {
    const request = only(block('tool_name:「始」t「末」', '__proto__:「始」x「末」', 'toString:「始」y「末」'));
    expect(Object.entries(request.args)).toEqual([
      ['__proto__', 'x'],
      ['toString', 'y'],
    ]);
    expect(Object.getPrototypeOf(request.args)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('an escaped call inside an escaped value is data at any depth', () => {
    const inner = block('tool_name:「始」x「末」').replaceAll('TOOL_REQUEST]', 'TOOL_REQUEST_ESCAPE]');
    const request = only(block('tool_name:「始」t「末」', `v:「始ESCAPE」${inner}「末ESCAPE」`));
    expect(request.args.v).toBe(block('tool_name:「始」x「末」'));
  });

  test('an END alone on its line inside an escaped value is data', () => {
    const value = 'see\n<<<[END_TOOL_REQUEST]>>>\n<<<[TOOL_REQUEST]>>>\nhere';
    expect(only(block('tool_name:「始」t「末」', `v:「始ESCAPE」${value}「末ESCAPE」`)).args.v).toBe(value);
  });
});

describe('what is not closed', () => {
  test('an END alone on its line closes the block, and ESCAPE is the fix once the value goes on', () => {
    const text = block('tool_name:「始」t「末」', 'v:「始」see\n  <<<[END_TOOL_REQUEST]>>> \nhere「末」');
    const { requests, diagnostics } = parseVcp(text);
    expect(requests).toEqual([]);
    expect(diagnostics[0]).toMatchObject({
      code: 'unclosed-value',
      fix: { title: expect.stringContaining('Escape') as string },
    });
  });

  test('the message shows what the value was probably meant to be', () => {
    const [diagnostic] = parseVcp(block('tool_name:「始」t「末」', 'v:「始」abc', 'w:「始」1「末」')).diagnostics;
    expect(diagnostic!.message).toContain('“abc”');
  });

  test.each([
    ['「始」abc「未」', 'ends with 「未」, not with 「末」'],
    ['「始」abc「末ESCAPE」', 'ends with 「末ESCAPE」, not with 「末」'],
    ['「始」abc『末』', 'ends with 『末』, not with 「末」'],
    ['「始」abc「末', 'has no 「末」'],
    ['「始」abc', 'has no 「末」'],
  ])('the message names what stands at the end of the value instead: %s', (value, what) => {
    const [diagnostic] = parseVcp(block('tool_name:「始」t「末」', `v:${value}`)).diagnostics;
    expect(diagnostic!.message).toBe(
      `The value of “v” ${what}, so the call is not run. It was probably meant to be “abc”.`,
    );
  });

  test.each([
    ['a block', '<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」\n'],
    ['a START that is only talked about', 'Begin with <<<[TOOL_REQUEST]>>> and go on.\n'],
    ['a value', '<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」,\nv:「始」abc\n'],
    ['an escaped value', '<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」,\nv:「始ESCAPE」abc\n'],
    ['an escaped value in a block that ends', `${block('tool_name:「始」x「末」', 'v:「始ESCAPE」abc')}\n`],
    ['an opening fence in a comment', '<<<[TOOL_REQUEST]>>>\n// 「始ESCAPE」\n'],
    ['a malformed value', '<<<[TOOL_REQUEST]>>>\ntool_name:『始』x\n'],
    ['a code fence', '```js\ncode\n'],
    ['inline code', 'a stray ` in the text\n'],
    ['bare fields', 'tool_name:「始」x\n'],
    ['a retired marker', '<<<[TOOL_REQUEST_EXP]>>>\n'],
    ['half a marker', '<<<[TOOL_REQ'],
  ])('%s hides no later block', (_, text) => {
    expect(names(`${text}${call}`)).toEqual(['t']);
    expect(names(`${text}\n${call}\n${otherCall}`)).toEqual(['t', 'u']);
  });

  test('a later block may have escaped values of its own', () => {
    const open = block('tool_name:「始」x「末」', 'v:「始ESCAPE」abc');
    const good = block('tool_name:「始」t「末」', 'v:「始ESCAPE」a「末」b「末ESCAPE」');
    expect(parseVcp(`${open}\n${good}`).requests.map(({ toolName, args }) => [toolName, args])).toEqual([
      ['t', { v: 'a「末」b' }],
    ]);
  });
});

describe('what is only shown or thought', () => {
  test.each([
    ['a fence', `\`\`\`\n${call}\n\`\`\``],
    ['a longer fence that holds a shorter one', `\`\`\`\`\n\`\`\`\n${call}\n\`\`\`\n\`\`\`\``],
    ['a fence deep in a list', `- do\n    \`\`\`\n    ${call}\n    \`\`\``],
    ['a fence at a list’s number', `1. \`\`\`vcp\n   ${call}\n   \`\`\``],
    ['a fence in a quotation', `> \`\`\`\n> ${call.replaceAll('\n', '\n> ')}\n> \`\`\``],
    ['a fence that holds one in a list', `\`\`\`\n- do\n    \`\`\`\n    ${call}\n    \`\`\`\n\`\`\``],
    ['a fence of tildes after one that never closes', `\`\`\`\ntext\n~~~\n${call}\n~~~`],
    ['a fence whose marker stands between fields', `<<<[TOOL_REQUEST]>>> begins it:\n\`\`\`\n${call}\n\`\`\``],
    ['inline code over several lines', `\`${call}\``],
    ['inline code with two backticks', `\`\` ${call} \`\``],
  ])('a call in %s is not run', (_, text) => {
    expect(names(text)).toEqual([]);
    expect(codes(text)).toContain('fenced');
  });

  test('a marker that is only talked about in code is no call and no fault', () => {
    expect(codes('Use `<<<[TOOL_REQUEST]>>>` and `<think>`, then wait.\n')).toEqual([]);
  });

  test.each(['think', 'thinking', 'thought', 'reasoning'])('a call in <%s> is not run', (tag) => {
    expect(names(`<${tag}>${call}</${tag}>\n${otherCall}`)).toEqual(['u']);
    expect(codes(`<${tag}>${call}</${tag}>`)).toEqual(['in-reasoning']);
  });

  test.each([
    ['ours', '<<<[TOOL_RESULT]>>>\n', '\n<<<[END_TOOL_RESULT]>>>'],
    ['VCPToolBox’s', '[[VCP调用结果信息汇总:\n', '\nVCP调用结果结束]]'],
    ['AIO Hub’s', '[[AIO工具调用结果信息汇总:\n', '\nAIO工具调用结果结束]]'],
  ])('a call in a repeated result (%s) is not run', (_, open, close) => {
    expect(names(open + call + close + otherCall)).toEqual(['u']);
    expect(codes(open + call + close)).toEqual(['echoed-result']);
    expect(names(open + call)).toEqual([]);
  });
});

describe('series of calls', () => {
  test('each call has its own id, in numeric order', () => {
    const request = only(
      block(
        'tool_name:「始」t「末」',
        'request_id:「始」r「末」',
        'command2:「始」b「末」',
        'command10:「始」c「末」',
        'command1:「始」a「末」',
      ),
    );
    expect(request.calls!.map(({ requestId, command }) => [requestId, command])).toEqual([
      ['r#1', 'a'],
      ['r#2', 'b'],
      ['r#10', 'c'],
    ]);
  });

  test('a number that is no call’s belongs to its key', () => {
    const request = only(
      block('tool_name:「始」t「末」', 'command1:「始」a「末」', 'BM25:「始」x「末」', 'p1:「始」y「末」'),
    );
    expect(request.calls).toEqual([
      { requestId: expect.any(String) as string, command: 'a', args: { BM25: 'x', p: 'y' } },
    ]);
  });

  test('too many calls are refused, so that what they share cannot fill the memory', () => {
    const commands = Array.from({ length: 101 }, (_, index) => `command${index}:「始」c「末」`);
    const { requests, diagnostics } = parseVcp(block('tool_name:「始」t「末」', ...commands));
    expect(requests).toEqual([]);
    expect(diagnostics[0]!.message).toContain('more than 100');
  });
});

describe('ids and repetition', () => {
  test('a missing id is made by newId, a given one is kept', () => {
    const text = `${call}${block('tool_name:「始」u「末」', 'request_id:「始」 mine 「末」')}`;
    expect(parseVcp(text, { newId: () => 'made' }).requests.map(({ requestId }) => requestId)).toEqual([
      'made',
      'mine',
    ]);
  });

  test('ids made without newId differ from turn to turn', () => {
    const ids = [parseVcp(call), parseVcp(call)].map(({ requests }) => requests[0]!.requestId);
    expect(new Set(ids).size).toBe(2);
  });

  test('the same call is told by its arguments, not by how it is written', () => {
    const one = block('tool_name:「始」t「末」', 'a:「始」1「末」', 'b:「始」2「末」');
    const again = block('b:「始ESCAPE」2「末ESCAPE」', 'a: 「始」 1「末」', 'tool_name:「始」t「末」');
    const other = block('tool_name:「始」t「末」', 'a:「始」12「末」', 'b:「始」「末」');
    expect(codes(one + again)).toEqual(['repeated-call']);
    expect(codes(one + other)).toEqual([]);
  });
});

test.each(['<<<[T', '<<<[TOOL_REQ', '<<<[TOOL_REQUEST]>>'])(
  'a text that ends within a START is reported: %s',
  (tail) => {
    const text = `Well.\n${tail}`;
    const place = { start: 6, end: text.length };
    expect(parseVcp(text).diagnostics).toMatchObject([{ code: 'unclosed-block', severity: 'warning', ...place }]);
    expect(parseVcp('Well.\n<<<[').diagnostics).toEqual([]);
  },
);
