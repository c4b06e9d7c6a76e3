/** Texts of 1 MB made of one repeated unit: what takes quadratic time with them does not end within the test's limit. */
import { expect, test } from 'vitest';

import { csvCell } from '../../../renderer/calls/result/table/toCsv.ts';
import { mediaUrl } from '../../../renderer/calls/result/mediaUrl.ts';
import { jsonTokens } from '../../../renderer/components/jsonTokens.ts';
import { prettyFrame } from '../../../renderer/components/log/prettyFrame.ts';
import { indentJson } from '../../../renderer/forms/json/indentJson.ts';
import { inlinePieces } from '../../../renderer/panes/chat/text/inlinePieces.ts';
import { countElements, readMarkdown } from '../../../renderer/panes/chat/text/readMarkdown.ts';
import { readBytes } from '../../../renderer/panes/devices/composer/bytesText.ts';

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

test('brackets that open 64,000 levels take few spaces', () => {
  const nested = '['.repeat(64_000);
  expect(prettyFrame(nested, true).length).toBeLessThan(66 * nested.length);
  expect(prettyFrame('{"a": "b', true)).toBe('{\n  "a": "b');
});

test('Markdown keeps every character that is not one of its signs', () => {
  for (const text of [...texts, `${' '.repeat(size)}#`, `# ${' '.repeat(size)}a\ra`, `# a${' '.repeat(size)}x`]) {
    for (const block of readMarkdown(text)) if ('text' in block) inlinePieces(block.text);
  }
  expect(readMarkdown('## Title ##\n# C#\n# ###')).toEqual([
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
  expect(countElements(readMarkdown(unit.repeat(times)))).toBeGreaterThan(30_000);
});

test('a cell of digits or signs, and bytes that end in signs', () => {
  expect(csvCell(`-${'0'.repeat(size)}!`)).toMatch(/^'-0/);
  expect(csvCell('-1.')).toBe('-1.');
  expect(readBytes(`${'='.repeat(size)}x`, 'base64')).toBeUndefined();
  expect(readBytes('AQI=', 'base64')).toEqual({ base64: 'AQI=', bytes: 2 });
});
