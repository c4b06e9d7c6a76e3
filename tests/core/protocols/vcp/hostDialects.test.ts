import { describe, expect, test } from 'vitest';

import { createVcpParser } from '../../../../src-core/protocols/vcp/createVcpParser.ts';
import { refusedSpans } from '../../../../src-core/protocols/blockSpans.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import type { VcpDialect } from '../../../../src-core/base/replyTypes.ts';
import { edgeCases, haveEdgeCases } from './edgeCases.ts';
import { block, call } from './blocks.ts';

const raw = (text: string, dialect: VcpDialect) => parseVcp(text, { dialect }).requests.map((request) => request.raw);
const defects = (text: string, dialect: VcpDialect) =>
  parseVcp(text, { dialect })
    .diagnostics.filter(({ code }) => code === 'host-defect')
    .map(({ message }) => message);

describe.runIf(haveEdgeCases)('the hosts’ dialects return what the hosts returned', () => {
  test.each(edgeCases)('vcptoolbox: $id', ({ text, vcptoolbox }) => {
    expect(raw(text, 'vcptoolbox')).toStrictEqual(vcptoolbox.map(({ name, args }) => ({ name, args })));
  });

  test.each(edgeCases)('vcptoolbox-fuzzy: $id', ({ text, vcptoolbox, vcptoolbox_fuzzy }) => {
    const expected = (vcptoolbox_fuzzy ?? vcptoolbox).map(({ name, args }) => ({ name, args }));
    expect(raw(text, 'vcptoolbox-fuzzy')).toStrictEqual(expected);
  });

  test.each(edgeCases)('aiohub: $id', ({ text, aiohub }) => {
    expect(raw(text, 'aiohub')).toStrictEqual(aiohub.map(({ toolName, args }) => ({ name: toolName, args })));
    const { requests, diagnostics } = parseVcp(text, { dialect: 'aiohub' });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const isValid = ({ range }: (typeof requests)[number]) =>
      !errors.some(({ start }) => start >= range.start && start < range.end);
    expect(requests.map(isValid)).toEqual(aiohub.map(({ validation }) => validation.isValid));
    expect(requests.map(({ toolName, command }) => [toolName, command])).toEqual(
      aiohub.map(({ toolId, methodName }) => [toolId, methodName]),
    );
  });
});

describe('a host’s dialect', () => {
  test('names the calls that the host runs where none is meant', () => {
    expect(defects(`~~~\n${call}\n~~~`, 'aiohub')).toEqual([expect.stringContaining('is in code')]);
    expect(defects(`<think>${call}</think>`, 'aiohub')).toEqual([expect.stringContaining('reasoning')]);
    expect(defects(`<<<[TOOL_RESULT]>>>${call}<<<[END_TOOL_RESULT]>>>`, 'vcptoolbox')).toEqual([
      expect.stringContaining('repeated result'),
    ]);
  });

  test('says that AIO Hub takes digits at a key’s end for a call number', () => {
    const text = block('tool_name:「始」t「末」', 'command:「始」c「末」', 'a1:「始」x「末」', 'a2:「始」y「末」');
    expect(raw(text, 'aiohub')).toEqual([
      { name: 't_c', args: { command: 'c', a: 'x' } },
      { name: 't_c', args: { command: 'c', a: 'y' } },
    ]);
    expect(defects(text, 'aiohub')).toEqual([expect.stringContaining('“a1”')]);
  });

  test('says which fields, blocks and characters a host loses', () => {
    expect(defects(block('tool_name:「始」t「末」', '参数:「始」1「末」'), 'vcptoolbox')).toEqual([
      expect.stringContaining('lost without a word'),
    ]);
    expect(defects(block('tool_name:「始」t「末」', 'v:「始」a<think>b</think>c「末」'), 'vcptoolbox')).toEqual([
      expect.stringContaining('deletes the reasoning'),
    ]);
    expect(defects(block('tool_name:「始」t「末」', 'v:「始ESCAPE」a「末」') + call, 'vcptoolbox')).toEqual([
      'The host loses this block, since an ESCAPE value is never closed.',
      expect.stringContaining('every later one'),
      'The host loses this block, since an ESCAPE value is never closed.',
    ]);
    expect(defects(block('tool_name:「始」t「末」', 'v:「始」abc', 'w:「始」1「末」'), 'aiohub')).toEqual([
      expect.stringContaining('next field into its value'),
    ]);
    expect(defects(block('tool_name:「始」t「末」', 'v:「始」\\\\a「末」'), 'aiohub')).toEqual([
      expect.stringContaining('one backslash'),
    ]);
  });

  test('names each block that VCPToolBox loses by an open ESCAPE as one that is not run', () => {
    const open = block('tool_name:「始」t「末」', 'v:「始ESCAPE」a「末」');
    const text = `${open}\nThen\n${call}\n<<<[TOOL_REQUEST]>>>`;
    const reading = parseVcp(text, { dialect: 'vcptoolbox' });
    const spans = refusedSpans(reading, reading.diagnostics);
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual([open, call, '<<<[TOOL_REQUEST]>>>']);
  });

  test('says which calls AIO Hub rejects', () => {
    const errors = (text: string) =>
      parseVcp(text, { dialect: 'aiohub' })
        .diagnostics.filter(({ severity }) => severity === 'error')
        .map(({ code, start, end, message }) => [code, text.slice(start, end), message]);
    const nameless = block('tool_name:「始」t「末」', 'v:「始」1「末」');
    expect(errors(nameless)).toEqual([
      ['host-rejects', nameless, 'The host rejects the call: the block has no command.'],
    ]);
    expect(errors(block('tool_name:「始」t「末」', 'command:「始」c「末」, // a remark'))).toEqual([
      ['host-rejects', '// a remark', 'The host rejects the call: it cannot read the text after the last field.'],
    ]);
    expect(errors(block('tool_name:「始」t「末」', 'command1:「始」c「末」', 'command2:「始」d「末」,'))).toEqual([]);
  });

  test.each(['.', '-'])('says that VCPToolBox loses what precedes a “%s” in a key', (sign) => {
    const text = block('tool_name:「始」t「末」', `user${sign}name:「始」x「末」`);
    expect(raw(text, 'vcptoolbox')).toEqual([{ name: 't', args: { name: 'x' } }]);
    expect(defects(text, 'vcptoolbox')).toEqual([
      `The host takes “name” for the key: what stands before the “${sign}” is lost.`,
    ]);
  });

  test('keeps control fields apart from the arguments and the host’s own view in raw', () => {
    const text = block(
      'tool_name:「始」t「末」',
      'command:「始」c「末」',
      'valet:「始」V「末」',
      'river:「始」full「末」',
      'v:「始」 1 「末」',
    );
    const [request] = parseVcp(text, { dialect: 'vcptoolbox' }).requests;
    expect(request).toMatchObject({ toolName: 't', command: 'c', args: { v: '1' }, rawArgs: { v: ' 1 ' } });
    expect(request!.control).toEqual({ valet: 'V', maid: 'V', river: 'full' });
    expect(request!.raw).toEqual({ name: 't', args: { command: 'c', valet: 'V', maid: 'V', v: '1' } });
  });

  test('announces at the end, as a host reads a finished reply', () => {
    const announced: string[] = [];
    const parser = createVcpParser({ dialect: 'aiohub', onRequest: ({ toolName }) => announced.push(toolName) });
    parser.feed(call);
    expect(announced).toEqual([]);
    const result = parser.end();
    expect(announced).toEqual(['t']);
    expect(parser.end()).toBe(result);
    expect(() => {
      parser.feed('more');
    }).toThrow('The text has ended');
  });
});
