import { describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import CodeBlock from '../../../renderer/ui/CodeBlock.vue';
import JsonTree from '../../../renderer/ui/JsonTree.vue';
import FrameList from '../../../renderer/features/log/FrameList.vue';
import type { Frame } from '../../../src-core/contract/types.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

describe('CodeBlock', () => {
  it('draws only what is in view of 100,000 lines, and cuts no text short', async () => {
    const text = Array.from({ length: 100_000 }, (_, at) => `line ${at}`).join('\n');
    const wrapper = window.mount(CodeBlock, { text, label: 'Text' });
    await vi.waitUntil(() => wrapper.findAll('.code-line').length > 0);
    expect(wrapper.findAll('.code-line').length).toBeLessThan(100);
    expect(wrapper.find<HTMLElement>('.virtual-all').element.style.height).toBe('2000008px');
  });

  it('breaks a line of a megabyte into pieces', async () => {
    const wrapper = window.mount(CodeBlock, { text: 'x'.repeat(1_000_000), label: 'Text' });
    await vi.waitUntil(() => wrapper.findAll('.code-line').length > 0);
    expect(wrapper.find<HTMLElement>('.virtual-all').element.style.height).toBe(`${4_000 * 20 + 8}px`);
  });

  it('leaves a wrapped line of 20,000 characters whole, and breaks a longer one between words', async () => {
    const piecesOf = async (words: number) => {
      const wrapper = window.mount(CodeBlock, { text: 'word '.repeat(words), label: 'Text', wrap: true });
      await vi.waitUntil(() => wrapper.findAll('.code-line').length > 0);
      return wrapper.findAll('.code-line').map(({ element }) => element.textContent);
    };
    expect(await piecesOf(4_000)).toEqual(['word '.repeat(4_000)]);
    expect(await piecesOf(4_001)).toEqual(['word '.repeat(4_000), 'word ']);
    const wrapper = window.mount(CodeBlock, { text: 'words '.repeat(4_000), label: 'Text', wrap: true });
    await vi.waitUntil(() => wrapper.findAll('.code-line').length > 0);
    expect(wrapper.get('.code-line').element.textContent).toBe('words '.repeat(3_333));
  });

  it('is as high as its lines if they fit, and scrolls if there are more', () => {
    const heights = (count: number) => {
      const text = Array.from({ length: count }, () => '1').join('\n');
      const block = window.mount(CodeBlock, { text, label: 'Text', fit: true, maxLines: 10 }).get('.code-block');
      return [(block.element as HTMLElement).style.height, block.classes('short')];
    };
    expect(heights(1)).toEqual(['28px', true]);
    expect(heights(10)).toEqual(['208px', true]);
    expect(heights(11)).toEqual(['208px', false]);
  });

  it('leaves a line of 1,000 characters whole', async () => {
    const wrapper = window.mount(CodeBlock, { text: 'x'.repeat(1_000), label: 'Text' });
    await vi.waitUntil(() => wrapper.findAll('.code-line').length > 0);
    expect(wrapper.findAll('.code-line').map((line) => line.text())).toEqual(['x'.repeat(1_000)]);
  });

  it.each([
    ['short', 'x'.repeat(20_000), true],
    ['long', 'x'.repeat(20_001), false],
    ['of many lines', '\n'.repeat(2_000), false],
  ])('lays out a wrapped text in its own height completely only if it is short: %s', async (_, text, isWhole) => {
    const wrapper = window.mount(CodeBlock, { text, label: 'Text', fit: true, wrap: true, maxLines: 10 });
    await nextTick();
    expect(wrapper.find('pre').exists()).toBe(isWhole);
    expect(wrapper.findAll('.virtual').map((list) => (list.element as HTMLElement).style.height)).toEqual(
      isWhole ? [] : ['208px'],
    );
    expect(wrapper.get('[role="region"]').attributes('tabindex')).toBe('0');
  });

  it('never renders text as markup', async () => {
    const wrapper = window.mount(CodeBlock, {
      text: '{"a":"<img src=x onerror=alert(1)>"}',
      language: 'json',
      label: 'Text',
    });
    await vi.waitUntil(() => wrapper.findAll('.code-line').length > 0);
    expect(wrapper.find('img').exists()).toBe(false);
    expect(wrapper.text()).toContain('<img');
  });
});

describe('JsonTree', () => {
  it('keeps every digit, folds and unfolds by the keyboard', async () => {
    const wrapper = window.mount(JsonTree, { text: '{"id":9007199254740993,"list":[1,2,3]}', label: 'Result' });
    const rows = (): string[] => wrapper.findAll('[role="treeitem"]').map((row) => row.text());
    await vi.waitUntil(() => rows().length === 8);
    expect(rows()[1]).toContain('9007199254740993');
    const tree = wrapper.get('[role="tree"]');
    await tree.trigger('keydown', { key: 'ArrowDown' });
    await tree.trigger('keydown', { key: 'ArrowDown' });
    await tree.trigger('keydown', { key: 'ArrowLeft' });
    await nextTick();
    expect(rows()).toHaveLength(4);
    expect(rows()[2]).toContain('3 items');
    await tree.trigger('keydown', { key: 'ArrowRight' });
    await nextTick();
    expect(rows()).toHaveLength(8);
  });

  it('begins folded if it is long and asked to, with the sizes of what is folded, and unfolds at once', async () => {
    const tools = Array.from({ length: 20 }, (_, at) => ({ name: `self.tool_${at}`, description: '灯'.repeat(400) }));
    const text = JSON.stringify({ id: 2, result: { tools, nextCursor: '' } });
    const wrapper = window.mount(JsonTree, { text, label: 'Frame', folds: true });
    const rows = (): string[] => wrapper.findAll('[role="treeitem"]').map((row) => row.text());
    await vi.waitUntil(() => rows().length > 20);
    expect(rows()[4]).toBe('{ "name": "self.tool_0" · 2 items · 1.2 kB },');
    const tree = wrapper.get('[role="tree"]');
    await tree.trigger('keydown', { key: '*' });
    expect(rows()[5]).toBe('"name": "self.tool_0",');
    const { toggleAll } = wrapper.vm as unknown as { toggleAll: () => void };
    toggleAll();
    await nextTick();
    expect(rows()[4]).toBe('{ "name": "self.tool_0" · 2 items · 1.2 kB },');
  });

  it('shows text that is not valid JSON as it is', async () => {
    const wrapper = window.mount(JsonTree, { text: 'the device said: {', label: 'Result' });
    await vi.waitUntil(() => wrapper.text().includes('the device said: {'));
    expect(wrapper.find('[role="tree"]').exists()).toBe(false);
  });
});

describe('FrameList', () => {
  const frames: Frame[] = [
    {
      seq: 1,
      source: 'device',
      connection: 'd',
      at: 0,
      direction: 'out',
      kind: 'text',
      type: 'mcp',
      summary: 'tools/call',
      rpcId: 47,
      bytes: 318,
      text: '{"type":"mcp","id":47}',
    },
    {
      seq: 2,
      source: 'device',
      connection: 'd',
      at: 171,
      direction: 'in',
      kind: 'text',
      type: 'mcp',
      summary: 'result',
      rpcId: 47,
      bytes: 206,
      durationMs: 171,
      text: '{"type":"mcp"}',
    },
    {
      seq: 3,
      source: 'device',
      connection: 'd',
      at: 180,
      direction: 'in',
      kind: 'close',
      type: 'close',
      summary: '1006 without a close frame',
      bytes: 0,
    },
  ];

  it('lists frames with their type, id and time; arrows choose, and the chosen one is laid out', async () => {
    const wrapper = window.mount(FrameList, { frames, label: 'Wire', name: 'test' });
    await vi.waitUntil(() => wrapper.findAll('[role="option"]').length === 3);
    expect(wrapper.findAll('[role="option"]')[1]?.text()).toMatch(/received.*mcp.*result.*47.*206 B.*171 ms/s);
    await wrapper.get('[role="listbox"]').trigger('keydown', { key: 'Home' });
    expect(wrapper.emitted('update:selected')).toEqual([[1]]);
    await wrapper.setProps({ selected: 1 });
    await vi.waitUntil(() => wrapper.text().includes('"id": 47'));
    await wrapper.get('[role="listbox"]').trigger('keydown', { key: 'Escape' });
    expect(wrapper.emitted('update:selected')?.at(-1)).toEqual([null]);
  });

  it('is sorted for itself, not as the log of a connection', async () => {
    const wrapper = window.mount(FrameList, { frames, label: 'Wire', name: 'test' });
    const rows = () => wrapper.findAll('[role="option"]').map((row) => row.text());
    await vi.waitUntil(() => rows().length === 3);
    await wrapper.get('[aria-label="Sort by Duration"]').trigger('click');
    expect(rows()[0]).toContain('171 ms');
    const other = window.mount(FrameList, { frames, label: 'Wire', name: 'test' });
    await vi.waitUntil(() => other.findAll('[role="option"]').length === 3);
    expect(other.findAll('[role="option"]')[0]?.text()).toContain('tools/call');
  });

  it('a frame without text says what it was', async () => {
    const wrapper = window.mount(FrameList, { frames, label: 'Wire', name: 'test', selected: 3 });
    await vi.waitUntil(() => wrapper.find('.frame-view').exists());
    expect(wrapper.get('.frame-view').text()).toContain('1006 without a close frame');
  });
});
