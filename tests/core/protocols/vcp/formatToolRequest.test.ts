import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ToolError } from '../../../../src-core/base/errors.ts';
import { formatToolRequest } from '../../../../src-core/protocols/vcp/formatToolRequest.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { block } from './blocks.ts';
import { vcpText, vcpValue } from './vcpArbitrary.ts';

const key = fc
  .stringMatching(/^[A-Za-z0-9_-]{1,12}$/)
  .filter((name) => !/^(command\d*|tool_name|request_id|ink|maid|river|valet|vref|archery)$/.test(name));

describe('formatToolRequest', () => {
  test('writes a block that people and models know', () => {
    expect(
      formatToolRequest({
        toolName: 't',
        command: 'c',
        requestId: 'r',
        control: { ink: 'mark_history' },
        args: { v: 'x', n: 5, o: { a: [null] } },
      }),
    ).toBe(
      block(
        'tool_name:「始」t「末」',
        'command:「始」c「末」',
        'request_id:「始」r「末」',
        'ink:「始」mark_history「末」',
        'v:「始」x「末」',
        'n:「始」5「末」',
        'o:「始」{"a":[null]}「末」',
      ),
    );
  });

  test('reads back to the same call, whatever the values hold', () => {
    fc.assert(
      fc.property(fc.dictionary(key, vcpValue, { maxKeys: 5, noNullPrototype: true }), (args) => {
        const text = formatToolRequest({ toolName: 't', command: 'c', requestId: 'r', args });
        const { requests, diagnostics, regions } = parseVcp(text);
        expect(diagnostics).toEqual([]);
        expect(requests).toHaveLength(1);
        expect(requests[0]).toMatchObject({ toolName: 't', command: 'c', requestId: 'r', rawBlock: text });
        expect(Object.entries(requests[0]!.rawArgs).sort()).toEqual(Object.entries(args).sort());
        for (const [name, value] of Object.entries(args)) expect(requests[0]!.args[name]).toBe(value.trim());
        expect(regions.at(-1)!.end).toBe(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  test('a value stays a value in the midst of any text that hides nothing', () => {
    fc.assert(
      fc.property(vcpValue, (v) => {
        const { requests } = parseVcp(`Before.\n${formatToolRequest({ toolName: 't', args: { v } })}\nAfter.`);
        expect(requests.map(({ rawArgs }) => rawArgs)).toEqual([{ v }]);
      }),
      { numRuns: 1000 },
    );
  });

  test('calls carried in values come back at every depth', () => {
    fc.assert(
      fc.property(vcpText(6), fc.integer({ min: 1, max: 5 }), (inner, depth) => {
        let value = inner;
        for (let level = 0; level < depth; level++) value = formatToolRequest({ toolName: 't', args: { v: value } });
        for (let level = 0; level < depth; level++) value = parseVcp(value).requests[0]!.rawArgs.v!;
        expect(value).toBe(inner);
      }),
      { numRuns: 300 },
    );
  });

  test('one megabyte comes back to the byte', () => {
    const v = '「末」\n<<<[END_TOOL_REQUEST]>>>\n\ud800\u0000'.repeat(34_000);
    expect(v.length).toBeGreaterThan(1_000_000);
    expect(parseVcp(formatToolRequest({ toolName: 't', args: { v } })).requests[0]!.rawArgs.v === v).toBe(true);
  });

  test.each([
    ['a key outside A–Z, digits, _ and -', { 参数: '1' }, '参数'],
    ['an empty key', { '': '1' }, 'at least one character'],
    ['a key of the protocol', { request_id: '1' }, 'request_id'],
    ['a control field', { river: '1' }, 'river'],
    ['a key that makes a series', { command2: '1' }, 'command2'],
  ])('%s is an error that names it', (_, args, named) => {
    const format = (): string => formatToolRequest({ toolName: 't', args: args });
    expect(format).toThrow(ToolError);
    expect(format).toThrow(named);
  });

  test('a call without a tool name is an error', () => {
    expect(() => formatToolRequest({ toolName: ' ', args: {} })).toThrow('needs a tool name');
  });
});
