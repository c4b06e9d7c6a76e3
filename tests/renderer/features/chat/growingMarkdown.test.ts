/** A reply that comes in many pieces is read in time linear in its length. */
import { mount } from '@vue/test-utils';
import fc from 'fast-check';
import { createPinia } from 'pinia';
import { expect, test, vi } from 'vitest';
import { nextTick, ref } from 'vue';

import { useGrowingText } from '../../../../renderer/ui/composables/useGrowingText.ts';
import { isDrawing } from '../../../../renderer/ui/composables/useSlices.ts';
import MarkdownText from '../../../../renderer/features/chat/text/MarkdownText.vue';
import { createGrowingMarkdown } from '../../../../renderer/features/chat/text/growingMarkdown.ts';
import { readMarkdown, type MarkdownBlock } from '../../../../renderer/features/chat/text/readMarkdown.ts';

const megabyte = 1_000_000;
const delta = 8;
const shapes: [string, string][] = [
  ['paragraphs', 'The lamp in the kitchen is on, and the door is closed.\n\n'],
  ['one paragraph of many lines', 'The lamp in the kitchen is on.\n'],
  ['one line', 'The lamp `is` **on**, '],
  ['one list', '- the lamp of the kitchen, which is on and stays on\n'],
  ['one code block', '```js\n'],
  ['code blocks', '```js\nconst lamp = { on: true };\nconst door = { open: false };\n```\n'],
  ['blank lines', '\n'],
];
const streamOf = (unit: string): string =>
  unit === '```js\n'
    ? `${unit}${'const lamp = { on: true };\n'.repeat(megabyte / 27)}`
    : unit.repeat(megabyte / unit.length);

test.each(shapes)('1 MB of %s in pieces of 8 characters: at most 30 characters are read for each', (_, unit) => {
  const stream = streamOf(unit);
  let read = 0;
  const markdown = createGrowingMarkdown((text) => {
    read += text.length;
    return readMarkdown(text);
  });
  const text = ref('');
  const coming = ref(true);
  const plain = useGrowingText(
    () => text.value,
    () => coming.value,
  );
  let shown = '';
  for (let end = delta; end <= stream.length; end += delta) {
    text.value = stream.slice(0, end);
    if (markdown.read(text.value, true) !== undefined || plain.value === shown) continue;
    shown = plain.value;
    read += shown.length;
    expect(shown.length).toBeGreaterThan(end * 0.87);
  }
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(30 * stream.length);
  [text.value, coming.value] = [stream, false];
  expect(plain.value).toBe(stream);
});

const line = fc.constantFrom(
  ...[
    '',
    ' ',
    '- a',
    '  - b',
    '  more',
    '1. c',
    '> q',
    '# h',
    '---',
    '```',
    '```ts',
    '~~~',
    'x',
    '**b** `c`',
    '| a | b |',
    '| --- | :-: |',
    '|---|',
    'a | b',
    '-',
    '#',
  ],
);

test('every beginning of a reply is read as if it came at once', () => {
  const blocksOf = (blocks: readonly MarkdownBlock[] | undefined): unknown =>
    blocks?.map((block) => ({ ...block, start: 0 }));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.array(fc.nat({ max: 5 })), (lines, steps) => {
      const text = lines.join('\n');
      const markdown = createGrowingMarkdown();
      let end = 0;
      for (const step of [...steps, text.length]) {
        end = Math.min(text.length, end + step);
        const begun = text.slice(0, end);
        expect(blocksOf(markdown.read(begun, true))).toEqual(blocksOf(readMarkdown(begun)));
      }
    }),
  );
});

test('another text is read anew, and a long block completely at the end', () => {
  const markdown = createGrowingMarkdown();
  const long = `one\n\n${'a '.repeat(10_000)}`;
  const first = markdown.read(long, true);
  expect(markdown.read(`${long}b`, true)).toBe(first);
  expect(markdown.read(`${long}b`, false)?.[1]).toMatchObject({ text: `${'a '.repeat(10_000)}b` });
  expect(markdown.read('two', true)).toEqual([{ start: 0, kind: 'paragraph', text: 'two' }]);
  expect(markdown.read('a'.repeat(60_001), true)).toBeUndefined();
  expect(markdown.read('a'.repeat(60_002), true)).toBeUndefined();
  expect(markdown.read('three', true)).toEqual([{ start: 0, kind: 'paragraph', text: 'three' }]);
});

test('finished blocks keep their elements while a reply comes', async () => {
  const text = '# Title\n\nfirst **words**\n\n- a\n- b\n\n```json\n{"a": 1}\n```\n\nlast words\n';
  const global = { plugins: [createPinia()] };
  const reply = mount(MarkdownText, { props: { text: text.slice(0, 40), coming: true }, global });
  const before = [...reply.get('.markdown').element.children].slice(0, 2);
  for (let end = 40; end <= text.length; end += 3) await reply.setProps({ text: text.slice(0, end) });
  await reply.setProps({ text, coming: false });
  await nextTick();
  expect([...reply.get('.markdown').element.children].slice(0, 2)).toEqual(before);
  expect(before.map((element) => element.textContent)).toEqual(['Title', 'first words']);
  const atOnce = mount(MarkdownText, { props: { text }, global });
  // The lines of code are drawn once their list knows its height.
  await expect.poll(() => atOnce.get('.markdown').text()).toBe(reply.get('.markdown').text());
});

test.each(['start', 'end'] as const)('a long reply is drawn in parts, from its %s, and completely', async (from) => {
  const text = Array.from({ length: 700 }, (_, at) => `# title ${at}`).join('\n');
  const global = { plugins: [createPinia()] };
  const reply = mount(MarkdownText, { props: { text, from }, global, attachTo: document.body });
  const markdown = reply.get('.markdown');
  const titles = (): (string | null)[] => [...markdown.element.children].map((element) => element.textContent);
  const all = text.split('\n').map((line) => line.slice(2));
  const first = titles();
  expect(first.length).toBeLessThan(200);
  expect(first).toEqual(from === 'start' ? all.slice(0, first.length) : all.slice(-first.length));
  expect(markdown.attributes('aria-busy')).toBe('true');
  const [shown] = markdown.element.children;
  if (shown === undefined) throw new Error('Nothing is drawn');
  getSelection()?.selectAllChildren(shown);
  await vi.waitUntil(() => titles().length === all.length, 10_000);
  expect(titles()).toEqual(all);
  await nextTick();
  expect(markdown.attributes('aria-busy')).toBe('false');
  expect(getSelection()?.toString()).toBe(first[0]);
  reply.unmount();
});

test('a long reply that is closed half-way is not drawn any further', async () => {
  const global = { plugins: [createPinia()] };
  const reply = mount(MarkdownText, { props: { text: '# a\n'.repeat(1_400) }, global });
  const { element } = reply.get('.markdown');
  expect(isDrawing()).toBe(true);
  const drawn = element.children.length;
  reply.unmount();
  expect(isDrawing()).toBe(false);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(element.children.length).toBeLessThanOrEqual(drawn);
});

test('a table of a reply is one that a screen reader can walk, with markup as text', () => {
  const text = '| zone | time |\n| --- | ---: |\n| `UTC` | <b>12</b> |\n';
  const reply = mount(MarkdownText, { props: { text }, global: { plugins: [createPinia()] } });
  expect(reply.get('.md-table').attributes()).toMatchObject({ role: 'region', tabindex: '0', 'aria-label': 'Table' });
  expect(reply.findAll('th[scope="col"]').map((cell) => cell.text())).toEqual(['zone', 'time']);
  expect(reply.findAll('td').map((cell) => cell.text())).toEqual(['UTC', '<b>12</b>']);
  expect(reply.findAll('td')[1]?.attributes('style')).toContain('text-align: right');
});

test('a table with too many cells is shown as plain text', () => {
  const text = `| a |\n| --- |\n${'| b |\n'.repeat(800)}`;
  expect(createGrowingMarkdown().read(text, false)).toBeUndefined();
});

test('a longer text that replaces the text before is read anew, while it comes and at its end', () => {
  const markdown = createGrowingMarkdown();
  const [before, after] = [
    'old one\n\nold two\n\nold three',
    'a new text\n\nthat is longer\n\nthan the text before it',
  ];
  markdown.read(before, true);
  expect(markdown.read(after, true)).toEqual(readMarkdown(after));
  expect(markdown.read(after, false)).toEqual(readMarkdown(after));
});

test('a cell with a number and its unit does not wrap', () => {
  const text = '| p50 | note |\n| --: | --- |\n| 61 ms | it times out |\n| −1,024.5 kB/s | 7 |\n';
  const reply = mount(MarkdownText, { props: { text }, global: { plugins: [createPinia()] } });
  expect(reply.findAll('td').map((cell) => cell.classes('nowrap'))).toEqual([true, false, true, true]);
  reply.unmount();
});
