import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { expect, test } from 'vitest';

import ParameterTable from '../../../../renderer/features/calls/ParameterTable.vue';
import BlockText from '../../../../renderer/features/calls/result/BlockText.vue';
import ContentBlocks from '../../../../renderer/features/calls/result/ContentBlocks.vue';
import CodeBlock from '../../../../renderer/ui/CodeBlock.vue';
import FieldHint from '../../../../renderer/ui/forms/fields/FieldHint.vue';
import MarkedText from '../../../../renderer/ui/MarkedText.vue';
import { sourceName, toolName } from '../../../../renderer/ui/format/sourceName.ts';
import { namedText, visibleProse, visibleText } from '../../../../renderer/ui/format/visibleText.ts';
import { t } from '../../../../renderer/i18n/index.ts';
import MarkdownText from '../../../../renderer/features/chat/text/MarkdownText.vue';
import { createElementVNode, createVNode, toDisplayString } from '../../../../renderer/templateRuntime.ts';

test.each([
  ['a direction override', 'unlock\u202edaer', 'unlock\\u202edaer'],
  ['an isolate', 'a\u2066b\u2069', 'a\\u2066b\\u2069'],
  ['a zero-width space', 'read\u200b_file', 'read\\u200b_file'],
  ['a terminal escape', '\u001b[2Jx', '\\u001b[2Jx'],
  ['a C1 control', '\u009bx', '\\u009bx'],
  ['a tag character', 'x\u{e0041}', 'x\\u{e0041}'],
  ['a Hangul filler', '\u3164', '\\u3164'],
  ['a byte order mark', '\ufeffx', '\\ufeffx'],
])('%s is written as its code', (_, text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

test('words of any language, tabs and line breaks stay', () => {
  const text = 'Küche\t书房\nمطبخ 🔧';
  expect(visibleText(text)).toBe(text);
});

test('the names of tools and sources hide nothing', () => {
  const source = { kind: 'device', id: 'd', label: 'lamp\u202e' } as const;
  expect(sourceName(source)).toBe('lamp\\u202e');
  expect(toolName({ name: 'lamp\u202e', source })).toBe('lamp\\u202e');
  expect(toolName({ name: 'read\u200b', source })).toBe('read\\u200b');
});

test('text of a device or model hides nothing, marked or in a block of code', () => {
  expect(mount(MarkedText, { props: { text: 'a\u202eb', words: ['a'] } }).text()).toBe('a\\u202eb');
  const block = mount(CodeBlock, {
    props: { text: '{"path":"\u2066/etc"}', label: 'Arguments', fit: true, wrap: true },
  });
  expect(block.text()).toBe('{"path":"\\u2066/etc"}');
});

test('every text and tooltip of a template shows control characters and marks of direction', () => {
  expect(toDisplayString('a\u202eb\u001b')).toBe('a\\u202eb\\u001b');
  expect(toDisplayString({ name: 'x' })).toBe('{\n  "name": "x"\n}');
  const props = { title: 'a\u2066', class: 'cut' };
  for (const create of [createElementVNode, createVNode])
    expect(create('span', props).props).toEqual({ title: 'a\\u2066', class: 'cut' });
  expect(createElementVNode('span').props).toBeNull();
});

test('a sentence with a name in it hides nothing', () => {
  expect(t('questions.title', { tool: 'lamp\u202e' })).toContain('lamp\\u202e');
});

test('a result and a reply show what reorders them, and keep emoji and joined letters', () => {
  const joined = 'نمی\u200cدانم 👩\u200d🔧 ❤\ufe0f';
  expect(visibleProse(`${joined}\u202e\u2067\u001b[2J`)).toBe(`${joined}\\u202e\\u2067\\u001b[2J`);
  const reply = mount(MarkdownText, { props: { text: '**a\u202eb** `c\u2066`\n- d\u202d' } });
  expect(reply.text()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(reply.text()).toContain('a\\u202eb');
  expect(mount(BlockText, { props: { text: 'a\u202eb', label: 'Text' } }).text()).toBe('a\\u202eb');
});

test('the address, name and type of a resource hide nothing', () => {
  const block = { type: 'resource', uri: 'https://a\u202egpj.exe', name: 'b\u200b', mimeType: 'text/\u2066x' } as const;
  const text = mount(ContentBlocks, { props: { blocks: [block] }, global: { plugins: [createPinia()] } }).text();
  for (const shown of ['https://a\\u202egpj.exe', 'b\\u200b', 'text/\\u2066x']) expect(text).toContain(shown);
});

test('a description names its hidden characters wherever it is shown, and reads tags', () => {
  const description = 'Adds.\u200b\u{e0068}\u{e0069} 👩\u200d🔧';
  const parameters = [{ name: 'a', type: 'string', required: false, description }];
  for (const shown of [
    mount(ParameterTable, { props: { parameters } }),
    mount(FieldHint, { props: { text: description } }),
  ])
    expect(shown.text()).toContain('Adds.ZWSPTAG ×2 “hi” 👩\u200d🔧');
  expect(namedText(description)).toBe('Adds.[ZWSP][TAG ×2 “hi”] 👩\u200d🔧');
});
