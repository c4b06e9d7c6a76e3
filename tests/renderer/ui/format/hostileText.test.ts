/** Texts of 1 MB made of one repeated unit: what takes quadratic time with them does not end within the test's limit. */
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { expect, test } from 'vitest';

import { csvCell } from '../../../../renderer/features/calls/result/table/toCsv.ts';
import { mediaUrl } from '../../../../renderer/features/calls/result/mediaUrl.ts';
import { jsonTokens } from '../../../../renderer/ui/jsonTokens.ts';
import { markDifferences } from '../../../../renderer/features/calls/compare/markDifferences.ts';
import { prettyFrame } from '../../../../renderer/features/log/prettyFrame.ts';
import { wordSummary } from '../../../../renderer/features/log/wordSummary.ts';
import { caretPlace } from '../../../../renderer/ui/editor/vcp/caretPlace.ts';
import { provideCompletions } from '../../../../renderer/ui/editor/vcp/provideCompletions.ts';
import { vcpContexts } from '../../../../renderer/ui/editor/vcp/vcpContext.ts';
import { addSteps, compareNumbers, isMultipleOf, isWhole } from '../../../../renderer/ui/forms/json/decimal.ts';
import { indentJson } from '../../../../renderer/ui/forms/json/indentJson.ts';
import { countWays } from '../../../../renderer/ui/forms/schema/countWays.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import MarkdownText from '../../../../renderer/features/chat/text/MarkdownText.vue';
import { inlinePieces } from '../../../../renderer/features/chat/text/inlinePieces.ts';
import { countElements, readMarkdown } from '../../../../renderer/features/chat/text/readMarkdown.ts';
import { readBytes } from '../../../../renderer/features/devices/composer/bytesText.ts';

const size = 1_000_000;
const units = [' ', '"', '\\"', '0', '=', '#', '# ', '*', '`', '[', '(', '> ', '- ', '|', 'a', '\r', '"\\', '--'];
const texts = units.map((unit) => unit.repeat(size / unit.length));

test('a picture of spaces is not shown, a line break in base64 is ignored', () => {
  const image = (data: string): string | undefined => mediaUrl({ type: 'image', mimeType: 'image/png', data });
  expect(image(`${' '.repeat(size)}!`)).toBeUndefined();
  expect(image('iVBO\nRw==\n')).toBe('data:image/png;base64,iVBORw==');
});

test('a picture above 8 MB of base64 is offered as a file', () => {
  const block = { type: 'image', mimeType: 'image/png' } as const;
  expect(mediaUrl({ ...block, data: 'A'.repeat(8_000_000) })).toHaveLength('data:image/png;base64,'.length + 8_000_000);
  expect(mediaUrl({ ...block, data: 'A'.repeat(8_000_004) })).toBeUndefined();
});

test.each(['image/svg+xml', 'text/html', 'image/png,<script>', 'IMAGE/SVG+XML; charset=utf-8', ''])(
  'a picture of the type %j is not shown',
  (mimeType) => {
    expect(mediaUrl({ type: 'image', mimeType, data: 'AAAA' })).toBeUndefined();
  },
);

test('JSON is split into tokens and laid out whatever it repeats', () => {
  for (const text of texts) {
    const joined = jsonTokens(text)
      .map((token) => token.text)
      .join('');
    expect(joined === text).toBe(true);
  }
  for (const unit of ['"', '\\"', 'a', ' ', '0']) {
    const laid = indentJson(unit.repeat(size / unit.length));
    expect(laid.length).toBeLessThanOrEqual(size);
  }
});

test('what follows 20,000 tokens is not laid out', () => {
  const laid = indentJson('[1,'.repeat(10_000));
  expect(laid.split('\n').length).toBeLessThan(20_000);
  expect(laid.endsWith('[1,[1,')).toBe(true);
  expect(laid.replaceAll(/\s/g, '')).toBe('[1,'.repeat(10_000));
});

test('a summary of a frame that repeats the words of a note stays as it is', () => {
  setLanguage('zh');
  for (const unit of [' times ', 'answer to ', ', by hand', 'answer #1, ']) {
    const summary = `1${unit.repeat(size / unit.length)}\n`;
    expect(wordSummary({ kind: 'text', direction: 'in', summary })).toBe(summary);
  }
  setLanguage('en');
});

test('lines of many signs are not compared word by word', () => {
  const [left, right] = ['!'.repeat(401), '?'.repeat(401)];
  expect(markDifferences(left, right).left).toEqual([{ text: left, differs: false }]);
  expect(markDifferences('a b', 'a c').left).toEqual([
    { text: 'a ', differs: false },
    { text: 'b', differs: true },
  ]);
});

test('the editor reads what is before the caret, and numbers and patterns are read, whatever they repeat', () => {
  const monaco = {
    languages: { CompletionItemKind: {}, CompletionItemInsertTextRule: {} },
    Range: { fromPositions: () => ({}) },
  } as unknown as Parameters<typeof provideCompletions>[0];
  const provider = provideCompletions(monaco);
  vcpContexts.set('hostile:', {
    words: () => ({ newRequest: '', required: '', notRun: () => '' }),
    problems: () => [],
    methods: () => [],
    reading: () => undefined,
  });
  for (const text of [...texts, '<'.repeat(size), ': '.repeat(size / 2)]) {
    expect(caretPlace(text)).toEqual({ in: 'text' });
    const block = `<<<[TOOL_REQUEST]>>>${text}「始」`;
    expect(caretPlace(block.slice(0, 19_000)).in).toBeDefined();
    const model = { uri: 'hostile:', getValueInRange: () => text, getPositionAt: () => ({}) };
    const [position, context, token] = [{ lineNumber: 1, column: 1 }, {}, {}];
    const found = provider.provideCompletionItems(model as never, position as never, context as never, token as never);
    expect(found).toBeDefined();
    expect(compareNumbers(text, '1')).toBeDefined();
    isWhole(text);
    isMultipleOf(text, '1');
    addSteps(text, '1', 1);
    countWays(text.slice(0, 4_000));
  }
  vcpContexts.delete('hostile:');
});

test('brackets that open 64,000 levels take few spaces', () => {
  const nested = '['.repeat(64_000);
  expect(prettyFrame(nested, true).length).toBeLessThan(66 * nested.length);
  expect(prettyFrame('{"a": "b', true)).toBe('{\n  "a": "b');
});

test('Markdown keeps every character that is not one of its signs', () => {
  for (const text of [...texts, `${' '.repeat(size)}#`, `# ${' '.repeat(size)}a\ra`, `# a${' '.repeat(size)}x`]) {
    for (const block of readMarkdown(text)) if ('text' in block) inlinePieces(block.text);
  }
  expect(readMarkdown('## Title ##\n# C#\n# ###')).toMatchObject([
    { kind: 'heading', text: 'Title' },
    { kind: 'heading', text: 'C#' },
    { kind: 'heading', text: '###' },
  ]);
});

test.each([
  ['code blocks', '```\n```\n', 7_500],
  ['list items', '- a\n', 15_000],
  ['pieces of code', '`a`', 20_000],
])('%s are counted, so that a reply of 60 kB cannot fill the page', (_, unit, times) => {
  expect(countElements(readMarkdown(unit.repeat(times)))).toBeGreaterThan(15_000);
});

test('a cell of digits or signs, and bytes that end in signs', () => {
  expect(csvCell(`-${'0'.repeat(size)}!`)).toMatch(/^'-0/);
  expect(csvCell('-1.')).toBe('-1.');
  expect(readBytes(`${'='.repeat(size)}x`, 'base64')).toBeUndefined();
  expect(readBytes('AQI=', 'base64')).toEqual({ base64: 'AQI=', bytes: 2 });
});

test.each([
  ['code blocks', '```\n```\n'],
  ['list items', '- a\n'],
  ['pieces of code', '`a`'],
])('a reply of 60 kB of %s is shown as plain text, of which only the lines in view exist', (_, unit) => {
  const text = unit.repeat(60_000 / unit.length);
  const global = { plugins: [createPinia()] };
  const reply = mount(MarkdownText, { props: { text }, global });
  expect(reply.find('.markdown').exists()).toBe(false);
  expect(reply.findAll('*').length).toBeLessThan(500);
  expect(
    mount(MarkdownText, { props: { text: unit.repeat(50) }, global })
      .find('.markdown')
      .exists(),
  ).toBe(true);
});
