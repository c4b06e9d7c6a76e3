import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatToolCall } from '../../../../src-core/protocols/json/formatToolCall.ts';
import { createJsonProtocol } from '../../../../src-core/protocols/json/jsonProtocol.ts';
import {
  exampleToolCall,
  generateToolDefinitions,
} from '../../../../src-core/protocols/json/generateToolDefinitions.ts';
import { parseJsonCalls } from '../../../../src-core/protocols/json/parseJsonCalls.ts';
import type { JsonValue } from '../../../../src-core/base/json.ts';
import type { MethodMetadata } from '../../../../src-core/base/toolTypes.ts';
import { applyEdits, expectLossless, read } from './reading.ts';

const { formatToolResults } = createJsonProtocol();

const pieces = [
  ...[
    '<tool_call>',
    '</tool_call>',
    '<tool_response>',
    '</tool_response>',
    '<think>',
    '</think>',
    '```',
    '```json',
    '\n- ```js\n',
    '\n> ~~~ js\n',
    '`',
  ],
  ...[
    '~~~',
    '\n',
    ' ',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '\\',
    '\\"',
    ':',
    ',',
    '：',
    '“',
    '”',
    '{"',
    '"}',
    'null',
    'True',
    '12',
    '-',
  ],
  ...[
    '"name"',
    '"arguments"',
    '{"name":"a_b","arguments":{"x":1}}',
    '"tool_calls":[',
    '"function":{',
    'x',
    '😀',
    '\ud800',
  ],
];
const soup = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 60 })
  .map((parts) => parts.join(''));
const plain = fc.oneof(soup, fc.string({ unit: 'binary' }));

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value).replaceAll('<', '\\u003c');
}

test('any text is read without a throw, regions tile it, and a fix mends what it is about', () => {
  fc.assert(
    fc.property(soup, (text) => {
      for (const { code, fix } of read(text).diagnostics) {
        if (code !== 'broken-json' || fix === undefined) continue;
        const mended = applyEdits(text, fix.edits);
        expectLossless(mended, parseJsonCalls(mended));
        expect(parseJsonCalls(mended).diagnostics).not.toContainEqual(expect.objectContaining({ code, fix }));
      }
    }),
    { numRuns: 3_000 },
  );
});

test('closing a fence that never closes keeps every call running', () => {
  const numbered = (index: number): string => `{"name":"a_b","arguments":{"x":${index}}}`;
  const lines = ['@\n', '[@]\n', '<tool_call>@</tool_call>\n', '{"tool_calls":[@]}\n'];
  const fences = ['```js\n', '  - ```\n', '> ```json\n', '~~~ json\n', '\n````tool_call\n', '```\n'];
  const parts = fc.array(fc.oneof(fc.constantFrom(...lines), fc.constantFrom(...fences), fc.constantFrom(...pieces)));
  const calls = (text: string): unknown[] => read(text).requests.map(({ toolName, args }) => [toolName, args]);
  let closed = 0;
  fc.assert(
    fc.property(parts, (some) => {
      let count = 0;
      const text = some.join('').replaceAll('@', () => numbered(count++));
      for (const { code, fix } of read(text).diagnostics) {
        if (code !== 'unclosed-fence' || fix === undefined) continue;
        const ran = calls(text);
        expect(calls(applyEdits(text, fix.edits)).slice(0, ran.length)).toEqual(ran);
        closed += Number(ran.length > 0);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(closed).toBeGreaterThan(100);
});

test('a formatted call is read back exactly, whatever surrounds it', () => {
  const args = fc.dictionary(plain, fc.oneof(plain, fc.jsonValue() as fc.Arbitrary<JsonValue>));
  const name = plain.filter((text) => text.trim() !== '' && text.trim() === text);
  fc.assert(
    fc.property(name, args, name, (toolName, given, requestId) => {
      const text = `So:\n${formatToolCall({ toolName, args: given, requestId })}\nDone.`;
      const { requests, diagnostics } = read(text);
      expect(diagnostics).toEqual([]);
      expect(requests).toHaveLength(1);
      expect(requests[0]).toMatchObject({ toolName, requestId });
      const expected = Object.entries(given).map(([key, value]) => [key, textOf(value)]);
      expect(Object.entries(requests[0]!.args).sort()).toEqual(expected.sort());
    }),
    { numRuns: 1_000 },
  );
});

describe('results', () => {
  test('nothing breaks out of a result, and its text comes back', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, plain, plain), { minLength: 1, maxLength: 4 }), (results) => {
        const text = formatToolResults(
          results.map(([requestId, toolName, result]) => ({
            requestId,
            toolName,
            status: 'success',
            result,
            durationMs: 1,
          })),
        );
        const { requests, diagnostics, regions } = read(text);
        expect([requests, diagnostics]).toEqual([[], []]);
        expect(regions.filter(({ kind }) => kind === 'echo')).toHaveLength(results.length);
        const lines = text.split('\n').filter((line) => line.startsWith('{'));
        expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
          results.map(([id, name, result]) => ({ id, name, status: 'success', result })),
        );
      }),
    );
  });

  test('a megabyte, NUL and half a surrogate pair', () => {
    const result = `</tool_response>\u0000\ud83d${'é"<'.repeat(350_000)}`;
    const text = formatToolResults([{ requestId: 'r', toolName: 'a_b', status: 'error', result, durationMs: 1 }]);
    expect(read(text).regions).toEqual([{ kind: 'echo', start: 0, end: text.length }]);
    expect((JSON.parse(text.split('\n')[1]!) as { result: string }).result).toBe(result);
  });
});

describe('definitions', () => {
  const method = (description: string, name: string, required: string[]): MethodMetadata => ({
    name,
    description,
    agentCallable: true,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(required.map((key) => [key, { type: 'string' }])),
      required,
    },
  });

  test('the example is read back to its call, and is the only call in the prompt', () => {
    fc.assert(
      fc.property(
        plain,
        fc.string({ minLength: 1 }),
        fc.uniqueArray(plain, { maxLength: 4 }),
        (description, id, keys) => {
          const tool = { toolId: `t${id}t`, toolName: description, methods: [method(description, 'self.go_on', keys)] };
          const { requests, diagnostics } = read(generateToolDefinitions([tool]));
          const { toolName, args } = exampleToolCall(tool, tool.methods[0]!);
          expect(diagnostics.map(({ code }) => code)).toEqual(['tool-definition']);
          expect(requests.map((request) => [request.toolName, Object.entries(request.args).sort()])).toEqual([
            [
              toolName,
              Object.entries(args)
                .map(([key, value]) => [key, textOf(value)])
                .sort(),
            ],
          ]);
        },
      ),
    );
  });

  test('names keep their dots; what no model may call is not offered', () => {
    const hidden = { ...method('', 'hidden', []), agentCallable: false };
    const text = generateToolDefinitions([
      { toolId: 'esp', toolName: 'ESP', methods: [hidden, method('Goes.', 'self.go', ['x'])] },
    ]);
    const line = text.split('\n').find((each) => each.startsWith('{'));
    expect(JSON.parse(line!)).toEqual({
      name: 'esp_self.go',
      description: 'Goes. (ESP)',
      parameters: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
    });
    expect(text).not.toContain('hidden');
    expect(generateToolDefinitions([{ toolId: 'x', toolName: 'X', methods: [hidden] }])).toBe('');
    expect(generateToolDefinitions([])).toBe('');
  });
});
