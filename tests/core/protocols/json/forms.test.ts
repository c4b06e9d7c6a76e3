import { describe, expect, test } from 'vitest';
import { applyEdits, callsIn, codesIn, onlyDiagnostic, read } from './reading.ts';

const call = '{"name": "lab_set", "arguments": {"volume": 50}}';
const set = (form: string): unknown[] => ['lab_set', { volume: '50' }, form];

describe('tags', () => {
  test('one call, its ranges and its parts', () => {
    const text = `I set it.\n<tool_call>\n${call}\n</tool_call>\nDone.`;
    const { requests, regions, diagnostics } = read(text);
    expect(diagnostics).toEqual([]);
    const [request] = requests;
    expect(request).toMatchObject({ requestId: 'n1', toolName: 'lab_set', args: { volume: '50' }, form: 'tool_call' });
    expect(request?.rawBlock).toBe(`<tool_call>\n${call}\n</tool_call>`);
    expect(regions.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
      ['prose', 'I set it.\n'],
      ['marker', '<tool_call>'],
      ['delimiter', '\n'],
      ['delimiter', '{"'],
      ['key', 'name'],
      ['delimiter', '": "'],
      ['name', 'lab_set'],
      ['delimiter', '", "'],
      ['key', 'arguments'],
      ['delimiter', '": {"'],
      ['key', 'volume'],
      ['delimiter', '": '],
      ['value', '50'],
      ['delimiter', '}}'],
      ['delimiter', '\n'],
      ['marker', '</tool_call>'],
      ['prose', '\nDone.'],
    ]);
    expect(new Set(regions.slice(1, -1).map(({ block }) => block))).toEqual(new Set([0]));
  });

  test.each([
    ['several in a row', `<tool_call>${call}</tool_call><tool_call>${call}</tool_call>`],
    ['a list', `<tool_call>[${call}, ${call}]</tool_call>`],
    ['several objects between one pair', `<tool_call>\n${call}\n${call}\n</tool_call>`],
  ])('%s', (_, text) => {
    expect(callsIn(text)).toEqual([set('tool_call'), set('tool_call')]);
    expect(codesIn(text)).toEqual(['repeated-call']);
    const { requests, regions } = read(text);
    const blocks = requests.map(({ range }) => regions.find(({ start }) => start === range.start)?.block);
    expect(blocks).toEqual([0, 1]);
  });

  test('a tag in a string ends nothing', () => {
    const text = '<tool_call>{"name":"a_b","arguments":{"x":"</tool_call><tool_call>"}}</tool_call>';
    expect(callsIn(text)).toEqual([['a_b', { x: '</tool_call><tool_call>' }, 'tool_call']]);
    expect(codesIn(text)).toEqual([]);
  });

  test('a call without arguments needs none between tags', () => {
    expect(callsIn('<tool_call>{"name":"time_now"}</tool_call>')).toEqual([['time_now', {}, 'tool_call']]);
  });

  test.each([`<tool_call>${call}`, `<tool_call>\n${call}\n  `])(
    'the last tag may be missing, and that is said',
    (text) => {
      expect(callsIn(text)).toEqual([set('tool_call')]);
      expect(codesIn(text)).toEqual(['unclosed-block']);
      expect(callsIn(`${text}<tool_call>{"name":"x_y","arguments":{}}</tool_call>`)).toHaveLength(2);
    },
  );
});

describe('fences', () => {
  test.each(['json', 'tool_call', '', 'JSON title=x'])('%s', (info) => {
    const text = `Look:\n\`\`\`${info}\n${call}\n\`\`\`\nDone.`;
    expect(callsIn(text)).toEqual([set('fenced')]);
    expect(codesIn(text)).toEqual([]);
    const [request] = read(text).requests;
    expect(request?.rawBlock).toBe(`\`\`\`${info}\n${call}\n\`\`\``);
  });

  test('tildes, and a list of calls', () => {
    expect(callsIn(`~~~json\n[${call},\n${call}]\n~~~`)).toEqual([set('fenced'), set('fenced')]);
  });

  test('JSON that is no call stays code', () => {
    const { requests, diagnostics, regions } = read('```json\n{"name": "toolwire", "version": "1.0.0"}\n```');
    expect([requests, diagnostics]).toEqual([[], []]);
    expect(regions.map(({ kind }) => kind)).toEqual(['code']);
    expect(codesIn('```json\n{"a": oops, "b": 1}\n```')).toEqual([]);
  });

  test.each(['name', 'function', 'tool'])('the name as %s, the arguments under each of their keys', (key) => {
    for (const under of ['arguments', 'parameters', 'args', 'input'])
      expect(callsIn(`\`\`\`json\n{"${key}":"lab_set","${under}":{"volume":50}}\n\`\`\``)).toEqual([set('fenced')]);
  });

  test.each([
    ['another language', `\`\`\`python\n${call}\n\`\`\``],
    ['tags in a fence deep in a list', `- so:\n    \`\`\`\n    <tool_call>${call}</tool_call>\n    \`\`\``],
    ['tags in a fence of a quotation', `> \`\`\`\n> <tool_call>${call}</tool_call>\n> \`\`\``],
    ['tags in a fence', `\`\`\`\n<tool_call>${call}</tool_call>\n\`\`\``],
    ['inline code', `Write \`${call}\` and it runs.`],
  ])('%s is shown, not run', (_, text) => {
    expect(callsIn(text)).toEqual([]);
    expect(codesIn(text)).toEqual(['fenced']);
  });

  test('no fix closes a fence before a call if other text in the fence would then run in its place', () => {
    const text = `\`\`\`json\n{"name":"not_run","arguments":{}} <tool_call>${call}</tool_call>`;
    expect(callsIn(text)).toEqual([set('tool_call')]);
    const unclosed = read(text).diagnostics.find(({ code }) => code === 'unclosed-fence');
    expect(unclosed).toBeDefined();
    expect(unclosed).not.toHaveProperty('fix');
  });

  test('a fence that never closes hides nothing', () => {
    const text = `\`\`\`json\n${call}\n`;
    expect(callsIn(text)).toEqual([set('bare')]);
    expect(codesIn(text)).toEqual(['unclosed-fence']);
  });

  describe('the fix of a fence that never closes', () => {
    function fixed(text: string): string {
      const { fix } = onlyDiagnostic(text);
      return applyEdits(text, fix!.edits);
    }

    test.each([
      ['calls alone in a fence for them', `\`\`\`json\n${call}`, `\`\`\`json\n${call}\n\`\`\``],
      ['the same before a line break', `\`\`\`json\n${call}\n`, `\`\`\`json\n${call}\n\`\`\``],
      ['a list of calls', `\`\`\`\n[${call}]`, `\`\`\`\n[${call}]\n\`\`\``],
      ['in a list', `- so:\n  ~~~json\n  ${call}`, `- so:\n  ~~~json\n  ${call}\n  ~~~`],
      ['beside a bullet', `1. \`\`\`json\n   ${call}`, `1. \`\`\`json\n   ${call}\n   \`\`\``],
    ])('closes it after %s', (_, text, closed) => {
      expect(fixed(text)).toBe(closed);
      expect(callsIn(closed)).toEqual([set('fenced')]);
      expect(codesIn(closed)).toEqual([]);
    });

    test.each([
      ['code', `\`\`\`js\ncode();\n${call}\n`, `\`\`\`js\ncode();\n\`\`\`\n${call}\n`, 'bare'],
      ['text in a fence of calls', `\`\`\`\ntext\n${call}`, `\`\`\`\ntext\n\`\`\`\n${call}`, 'bare'],
      ['another language', `\`\`\`js\n${call}`, `\`\`\`js\n\`\`\`\n${call}`, 'bare'],
      [
        'tags',
        `\`\`\`json\n<tool_call>${call}</tool_call>`,
        `\`\`\`json\n\`\`\`\n<tool_call>${call}</tool_call>`,
        'tool_call',
      ],
      ['a quotation', `> \`\`\`js\n> code();\n\n${call}`, `> \`\`\`js\n> code();\n\n> \`\`\`\n${call}`, 'bare'],
      ['a list', `- \`\`\`js\n  code();\n  ${call}`, `- \`\`\`js\n  code();\n  \`\`\`\n  ${call}`, 'bare'],
      [
        'text on its line',
        `\`\`\`js\ncode(); <tool_call>${call}</tool_call>`,
        `\`\`\`js\ncode(); \n\`\`\`\n<tool_call>${call}</tool_call>`,
        'tool_call',
      ],
      ['a list of calls', `\`\`\`js\ncode();\n[\n${call}\n]`, `\`\`\`js\ncode();\n\`\`\`\n[\n${call}\n]`, 'bare'],
      [
        'a message of a chat API',
        `\`\`\`js\nx\n{"tool_calls":[\n{"function":{"name":"lab_set","arguments":{"volume":50}}}]}`,
        `\`\`\`js\nx\n\`\`\`\n{"tool_calls":[\n{"function":{"name":"lab_set","arguments":{"volume":50}}}]}`,
        'api',
      ],
    ] as const)('closes it before the call: %s', (_, text, closed, form) => {
      const [made] = callsIn(text) as [string, unknown, string][];
      expect(fixed(text)).toBe(closed);
      expect(callsIn(closed)).toEqual([made]);
      expect(made![2]).toBe(form);
      expect(codesIn(closed)).toEqual([]);
    });

    test('closes it at the end without a call, with its indentation', () => {
      expect(fixed('- ```js\n  code();\n')).toBe('- ```js\n  code();\n  ```');
      expect(fixed('> ~~~~\n> code')).toBe('> ~~~~\n> code\n> ~~~~');
    });
  });
});

describe('chat APIs', () => {
  const entry = '{"id":"call_1","type":"function","function":{"name":"lab_set","arguments":"{\\"volume\\": 50}"}}';

  test.each([
    ['an assistant message', `{"role":"assistant","content":null,"tool_calls":[${entry}]}`],
    [
      'a response in a log line',
      `12:00 INFO got {"choices":[{"index":0,"message":{"tool_calls":[${entry}]}}],"x":[1]} in 3 s`,
    ],
    ['a request body in a fence', `\`\`\`json\n{"messages":[{"role":"assistant","tool_calls":[${entry}]}]}\n\`\`\``],
    ['an entry alone', entry],
    [
      'Anthropic',
      '{"content":[{"type":"text","text":"x"},{"type":"tool_use","id":"call_1","name":"lab_set","input":{"volume":50}}]}',
    ],
    [
      'Responses',
      '{"output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"lab_set","arguments":"{\\"volume\\":50}"}]}',
    ],
  ])('%s', (_, text) => {
    const { requests, diagnostics } = read(text);
    expect(requests).toMatchObject([{ requestId: 'call_1', toolName: 'lab_set', args: { volume: '50' } }]);
    expect(diagnostics).toEqual([]);
  });

  test('the old function_call, and arguments that are empty', () => {
    expect(callsIn('x {"message":{"function_call":{"name":"time_now","arguments":""}}} y')).toEqual([
      ['time_now', {}, 'api'],
    ]);
  });

  test('tools that are offered are not called, and pieces of a stream are none', () => {
    const offered = '{"type":"function","function":{"name":"a_b","parameters":{"type":"object","properties":{}}}}';
    expect(callsIn(`{"tools":[${offered}],"tool_choice":{"type":"function","function":{"name":"a_b"}}}`)).toEqual([]);
    expect(callsIn(`[${offered}]`)).toEqual([]);
    expect(codesIn(`[${offered}]`)).toEqual(['tool-definition']);
    const chunk = `data: {"choices":[{"delta":{"tool_calls":[${entry.replace('{\\"volume\\": 50}', '')}]}}]}`;
    expect(callsIn(chunk)).toEqual([]);
    expect(codesIn(chunk)).toEqual(['stream-fragment']);
  });

  test('places in a string of JSON are those in the text', () => {
    const text =
      '{"tool_calls":[{"function":{"name":"a_b","arguments":"{\\"k\\u0065y\\": \\"va\\\\nl\\", \\"n\\": 12}"}}]}';
    const [request] = read(text).requests;
    expect({ ...request?.args }).toEqual({ key: 'va\nl', n: '12' });
    expect({ ...request?.rawArgs }).toEqual({ key: '"va\\nl"', n: '12' });
    const slices = request?.fields.map(({ keyRange, valueRange }) => [
      text.slice(keyRange.start, keyRange.end),
      text.slice(valueRange.start, valueRange.end),
    ]);
    expect(slices).toEqual([
      ['k\\u0065y', 'va\\\\nl'],
      ['n', '12'],
    ]);
  });
});

describe('an object that stands alone', () => {
  test.each([call, `Sure.\n\n  ${call}  \n`, `[${call}]`, JSON.stringify(JSON.parse(call), null, 2)])('%s', (text) => {
    expect(callsIn(text)).toEqual([set('bare')]);
    expect(codesIn(text)).toEqual([]);
  });

  test('in a sentence it is an example', () => {
    expect(callsIn(`A call is ${call}, say.`)).toEqual([]);
    expect(codesIn(`A call is ${call}, say.`)).toEqual(['inline-call']);
  });

  test.each(['{"name":"x"}', 'use {braces} and [links](x)', '{"a":{"name":"x","arguments":{}}}', '[1, 2] {} []'])(
    '%s is none',
    (text) => {
      expect(callsIn(text)).toEqual([]);
      expect(codesIn(text)).toEqual([]);
    },
  );
});

describe('set aside', () => {
  test.each(['think', 'Thinking', 'reasoning', 'thought id="1"'])('<%s>', (tag) => {
    const text = `<${tag}>I could ${call}\n<tool_call>${call}</tool_call></${tag.split(' ')[0]}>\n<tool_call>{"name":"a_b"}</tool_call>`;
    expect(callsIn(text)).toEqual([['a_b', {}, 'tool_call']]);
    expect(codesIn(text)).toEqual(['in-reasoning']);
  });

  test('reasoning that never ends', () => {
    const text = `<think>hm\n<tool_call>${call}</tool_call>`;
    expect(callsIn(text)).toEqual([]);
    expect(codesIn(text)).toEqual(['unclosed-reasoning', 'in-reasoning']);
  });

  test('a result that the model repeats', () => {
    const text = `<tool_response>\n<tool_call>${call}</tool_call>\n</tool_response>\n<tool_call>{"name":"a_b"}</tool_call>`;
    expect(callsIn(text)).toEqual([['a_b', {}, 'tool_call']]);
    expect(codesIn(text)).toEqual(['echoed-result']);
    expect(read(text).regions[0]?.kind).toBe('echo');
    expect(codesIn('<tool_response>abc')).toEqual(['echoed-result']);
  });
});

describe('values', () => {
  const argsOf = (json: string): Record<string, string> => ({
    ...read(`<tool_call>{"name":"a_b","arguments":${json}}</tool_call>`).requests[0]?.args,
  });

  test('numbers keep their digits, other values their JSON text', () => {
    expect(
      argsOf('{"a":9223372036854775807,"b":-1.50e+3,"c":true,"d":null,"e":[1, 2],"f":{"g": "h"},"s":"5"}'),
    ).toEqual({ a: '9223372036854775807', b: '-1.50e+3', c: 'true', d: 'null', e: '[1, 2]', f: '{"g": "h"}', s: '5' });
  });

  test('keys of prototypes are plain data', () => {
    const args = argsOf('{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d"}');
    expect(Object.keys(args)).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect(callsIn('{"__proto__":{"name":"x","arguments":{}}}')).toEqual([]);
  });

  test('strings are undone exactly', () => {
    const value = 'a"b\\c\n\t\u0000\ud83d\ude00\ud800 </tool_call> ‘x’';
    expect(argsOf(JSON.stringify({ value }))).toEqual({ value });
  });

  test('of a key that comes twice the last counts', () => {
    const text = '<tool_call>{"name":"a_b","arguments":{"x":1,"x":2}}</tool_call>';
    const { requests, diagnostics } = read(text);
    expect(requests).toMatchObject([{ args: { x: '2' } }]);
    expect(diagnostics).toMatchObject([{ code: 'duplicate-key', severity: 'warning' }]);
  });

  test('ids from the text are kept, others made', () => {
    const ids = ['"id":"call_9",', '"request_id":"r","id":7,', '"id":7,', '"id":"",', ''].map(
      (id) => read(`<tool_call>{${id}"name":"a_b"}</tool_call>`).requests[0]?.requestId,
    );
    expect(ids).toEqual(['call_9', 'r', '7', 'n1', 'n1']);
  });
});
