import { afterAll, expect, test } from 'vitest';
import { parseJsonCalls } from '../../../../src-core/protocols/json/parseJsonCalls.ts';
import { openWorkMeter } from '../measureWork.ts';
import { expectLossless } from './reading.ts';

const call = '{"name":"a_b","arguments":{"x":1}}';

/** Units of a hostile text; each is repeated, so that what is not linear shows as a growing share. */
const units: [string, (count: number) => string][] = [
  ['opening brackets', (n) => '['.repeat(n * 10)],
  ['opening braces', (n) => '{'.repeat(n * 10)],
  ['brackets both ways', (n) => '['.repeat(n * 5) + ']'.repeat(n * 5)],
  ['keys that open', (n) => '{"a":'.repeat(n)],
  ['brackets and quotes', (n) => '["'.repeat(n)],
  ['curly quotes', (n) => '{“'.repeat(n)],
  ['single quotes', (n) => "{'".repeat(n)],
  ['a long string, then brackets', (n) => `["${'[{'.repeat(n)}" x ${'["'.repeat(n)}`],
  ['unclosed tags', (n) => '<tool_call>'.repeat(n)],
  ['unclosed calls', (n) => '<tool_call>{"name":"a","arguments":{"x":"'.repeat(n)],
  ['calls with an open list', (n) => '<tool_call>["'.repeat(n)],
  ['calls that end in strings', (n) => '<tool_call>{"a":"</tool_call>'.repeat(n)],
  ['whole calls', (n) => `<tool_call>${call}</tool_call>\n`.repeat(n)],
  ['broken calls', (n) => `<tool_call>{"name":'a',"arguments":{,}}</tool_call>`.repeat(n)],
  ['broken calls alone', (n) => `{"name":"a","arguments":{"x":1,}\n`.repeat(n)],
  ['one long string', (n) => `<tool_call>{"name":"a","arguments":{"x":"${'\\n\\"x'.repeat(n)}"}}</tool_call>`],
  ['one long broken string', (n) => `<tool_call>{"name":"a","arguments":{"x":"${'\n\\x'.repeat(n)}"}}</tool_call>`],
  ['a string of JSON', (n) => `<tool_call>{"name":"a","arguments":"{\\"x\\":\\"${'\\\\n'.repeat(n)}\\"}"}</tool_call>`],
  ['openers of fences', (n) => '```a\n'.repeat(n)],
  ['fences of all lengths', (n) => Array.from({ length: n }, (_, i) => `${'`'.repeat(3 + (i % 62))}a\n`).join('')],
  ['fences', (n) => `\`\`\`json\n${call}\n\`\`\`\n`.repeat(n)],
  ['backticks', (n) => '` `` ``` '.repeat(n)],
  ['tags of reasoning', (n) => '<think>'.repeat(n)],
  ['reasoning that ends', (n) => `<think>${call}\n</think>`.repeat(n)],
  ['blanks in tags', (n) => '<        think '.repeat(n)],
  ['echoes', (n) => '<tool_response>'.repeat(n)],
  ['blanks before objects', (n) => `${' '.repeat(20)}${call}`.repeat(n)],
  ['one object with many keys', (n) => `{"tool_calls":[{"name":"a","arguments":{${'"x":1,'.repeat(n)}"y":2}}]}`],
  ['one list of many calls', (n) => `<tool_call>[${`${call},`.repeat(n)}${call}]</tool_call>`],
];

const meter = openWorkMeter();
afterAll(() => meter[Symbol.asyncDispose]());

test.each(units)('%s', async (_, make) => {
  const [short = '', long = ''] = [1_000, 8_000].map(make);
  expectLossless(short, parseJsonCalls(short, { newId: () => 'n' }));
  const once = await meter.measure([short], 'json');
  const eightTimes = await meter.measure([long], 'json');
  expect(once).toBeGreaterThanOrEqual(short.length / 2);
  expect(eightTimes).toBeLessThan(50 * long.length);
  expect(eightTimes / long.length).toBeLessThan((once / short.length) * 1.2 + 1);
});
