import { describe, expect, test } from 'vitest';
import { applyEdits, callsIn, codesIn, onlyDiagnostic, read } from './reading.ts';

const inTags = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;

describe('JSON with a plain meaning is not run, but mended at a click', () => {
  test.each([
    ['a comma before the end of an object', '{"name":"a_b","arguments":{"x":"1",}}', { x: '1' }],
    ['a comma before the end of a list', '{"name":"a_b","arguments":{"x":[1,2,]}}', { x: '[1,2]' }],
    ['single quotes', "{'name':'a_b','arguments':{'x':'say \"hi\"'}}", { x: 'say "hi"' }],
    ['curly quotes', '{“name”:“a_b”,“arguments”:{“x”:“1”}}', { x: '1' }],
    ['line breaks in a string', '{"name":"a_b","arguments":{"x":"one\ntwo\r\n\tthree"}}', { x: 'one\ntwo\r\n\tthree' }],
    ['a bad escape', '{"name":"a_b","arguments":{"x":"C:\\dir, it\\\'s"}}', { x: "C:\\dir, it's" }],
    ['a short \\u', '{"name":"a_b","arguments":{"x":"\\u12"}}', { x: '\\u12' }],
    ['keys without quotes', '{name:"a_b",arguments:{x:"1"}}', { x: '1' }],
    [
      'words of Python',
      '{"name":"a_b","arguments":{"x":True,"y":None,"z":False}}',
      { x: 'true', y: 'null', z: 'false' },
    ],
    ['a missing comma', '{"name":"a_b" "arguments":{"x":"1"\n"y":"2"}}', { x: '1', y: '2' }],
    ['full-width digits', '{"name":"a_b","arguments":{"x":－１２．５}}', { x: '-12.5' }],
    ['full-width punctuation', '{"name"："a_b"，"arguments"：{"x":"1"}}', { x: '1' }],
    ['a missing bracket', '{"name":"a_b","arguments":{"x":[1,2}}', { x: '[1,2]' }],
    ['cut off in a string', '{"name":"a_b","arguments":{"x":"one two', { x: 'one two\n' }],
    ['cut off behind a comma', '{"name":"a_b","arguments":{"x":"1",', { x: '1' }],
    ['a bracket too many', '{"name":"a_b","arguments":{"x":"1"}}}', { x: '1' }],
    ['words after it', '{"name":"a_b","arguments":{"x":"1"}} That is all.', { x: '1' }],
  ])('%s', (_, json, args) => {
    const text = inTags(json);
    expect(callsIn(text)).toEqual([]);
    const { code, severity, fix, start } = onlyDiagnostic(text);
    expect([code, severity]).toEqual(['broken-json', 'error']);
    expect(start).toBeGreaterThan(10);
    const mended = applyEdits(text, fix!.edits);
    expect(callsIn(mended)).toEqual([['a_b', args, 'tool_call']]);
    expect(codesIn(mended)).toEqual([]);
  });

  test('inside a string of JSON the edits are spelled as the string spells', () => {
    const text = inTags('{"name":"a_b","arguments":"{\'x\': \\"it\\", \\"y\\": [1,],}"}');
    const { code, fix, start } = onlyDiagnostic(text);
    expect([code, text.slice(start, start + 3)]).toEqual(['broken-json', "'x'"]);
    expect(callsIn(applyEdits(text, fix!.edits))).toEqual([['a_b', { x: 'it', y: '[1]' }, 'tool_call']]);
  });

  test('a string of JSON that is cut off', () => {
    const text = '{"tool_calls":[{"function":{"name":"a_b","arguments":"{\\"x\\": \\"on"}}]}';
    expect(callsIn(text)).toEqual([]);
    expect(callsIn(applyEdits(text, onlyDiagnostic(text).fix!.edits))).toEqual([['a_b', { x: 'on' }, 'api']]);
  });

  test.each([
    ['in a fence', '```json\n{"name":"a_b","arguments":{"x":1,}}\n```', 'fenced'],
    ['alone', '{"name":"a_b","arguments":{"x":1,}}', 'bare'],
    ['cut off by the end', '{"name":"a_b","arguments":{"x":1', 'bare'],
  ])('%s', (_, text, form) => {
    expect(callsIn(text)).toEqual([]);
    const { code, fix } = onlyDiagnostic(text);
    expect(code).toBe('broken-json');
    expect(callsIn(applyEdits(text, fix!.edits))).toEqual([['a_b', { x: '1' }, form]]);
  });
});

describe('JSON whose meaning does not follow has no fix', () => {
  test.each([
    '{"name":"a_b","arguments":{"x":}}',
    '{"name":"a_b","arguments":{"x":oops}}',
    '{"name":"a_b","arguments":{"x":012}}',
    '{"name":"a_b","arguments":{"x":NaN}}',
    '{"name":"a_b","arguments":{"x"',
    '{"name":"a_b","arguments":{"x":',
    "{'name':'a_b','arguments':{'x':'it's'}}",
    `{"name":"a_b","arguments":{"x":${'['.repeat(300)}${']'.repeat(300)}}}`,
  ])('%s', (json) => {
    const { code, fix } = onlyDiagnostic(inTags(json));
    expect([code, fix]).toEqual(['broken-json', undefined]);
  });
});

describe('what is wrong is named', () => {
  test.each([
    ['nothing between the tags', '<tool_call>\n</tool_call>', 'empty-block', 'warning'],
    ['other text', '<tool_call><function=a_b></function></tool_call>', 'not-a-call', 'error'],
    ['other JSON', '<tool_call>[1]</tool_call>', 'not-a-call', 'error'],
    ['a fence of a call without one', '```tool_call\nlab_set()\n```', 'not-a-call', 'error'],
    ['no name', '<tool_call>{"arguments":{}}</tool_call>', 'missing-tool-name', 'error'],
    ['an empty name', '<tool_call>{"name":" ","arguments":{}}</tool_call>', 'missing-tool-name', 'error'],
    ['no name in a list', '{"tool_calls":[{"function":{"arguments":"{}"}}]}', 'missing-tool-name', 'error'],
    ['arguments in a list', '<tool_call>{"name":"a_b","arguments":[1]}</tool_call>', 'arguments-not-object', 'error'],
    ['a number in a string', '<tool_call>{"name":"a_b","arguments":"1"}</tool_call>', 'arguments-not-object', 'error'],
    ['text for arguments', '<tool_call>{"name":"a_b","arguments":"go on"}</tool_call>', 'broken-json', 'error'],
    ['an end alone', 'x </tool_call> y', 'stray-end', 'warning'],
    ['a tag that is talked about', 'Write <tool_call> first.', 'unclosed-block', 'warning'],
    ['no end, and text', '<tool_call>{"name":"a_b"} and more', 'unclosed-block', 'error'],
    [
      'a definition',
      '<tool_call>{"name":"a","parameters":{"type":"object","properties":{}}}</tool_call>',
      'tool-definition',
      'info',
    ],
  ])('%s', (_, text, code, severity) => {
    expect(callsIn(text)).toEqual([]);
    expect(onlyDiagnostic(text)).toMatchObject({ code, severity });
  });

  test('a broken call costs no other call', () => {
    const good = '<tool_call>{"name":"a_b"}</tool_call>';
    for (const broken of [
      '<tool_call>{"name":"x',
      '<tool_call>',
      '<tool_call>{"name":"x</tool_call>',
      '{"name":"x","args":"',
      '```',
    ]) {
      expect(callsIn(`${broken}\n${good}`)).toEqual([['a_b', {}, 'tool_call']]);
      expect(callsIn(`${good}\n${broken}\n${good}`)).toHaveLength(2);
    }
  });

  test('the fix of each kind does what it says', () => {
    for (const [text, count] of [
      ['x </tool_call> y', 0],
      ['<tool_call>{"name":"a_b"} and more', 1],
      ['So {"name":"a_b","args":{}} it is.', 1],
      ['<think>hm', 0],
      ['```sh\n<tool_call>{"name":"a_b"}</tool_call>\n```', 1],
      ['<tool_call>{"name":"a_b","args":{"x":1, "x":2}}</tool_call>', 1],
    ] as const) {
      const mended = read(applyEdits(text, onlyDiagnostic(text).fix!.edits));
      expect([text, mended.diagnostics, mended.requests.length]).toEqual([text, [], count]);
    }
  });
});
