/** Where the focus and the results are after a change of the text that a button makes. */
import { describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import { block, button, colon, pane, runEnded, store, useParserPane, write } from './parserWindow.ts';

useParserPane();

const editor = () => pane.get<HTMLTextAreaElement>('textarea').element;
const asking = block(['tool_name', 'lamp_off']);
const good = block(['tool_name', 'lamp_set'], ['level', '1']);

describe('the Parser after a change that a button made', () => {
  it('puts the caret where a fix changed the text', async () => {
    await write(`Note.\n${colon}\n`);
    await vi.waitUntil(() => pane.findAll('.problem .link').length === 1);
    pane.get<HTMLElement>('.problem .link').element.focus();
    await pane.get('.problem .link').trigger('click');
    await vi.waitUntil(() => document.activeElement === editor());
    const changed = store().text.indexOf('tool_name:') + 'tool_name:'.length;
    expect([editor().selectionStart, editor().selectionEnd]).toEqual([changed, changed]);
    await vi.waitUntil(() => pane.find('.call.current').exists());
  });

  it('puts the caret at the first place that “Fix all” changed', async () => {
    await write(`${good}\n${colon}\n${colon}\n`);
    await vi.waitUntil(() => pane.findAll('.problem-group .link').length === 1);
    button('Fix all 2').click();
    await vi.waitUntil(() => document.activeElement === editor());
    expect(editor().selectionStart).toBe(store().text.indexOf('tool_name:', good.length) + 'tool_name:'.length);
  });

  it('goes to the text after Clear and after an example was chosen', async () => {
    await vi.waitUntil(() => pane.text().includes('Four common mistakes'));
    button('Four common mistakes').click();
    await vi.waitUntil(() => document.activeElement === editor());
    button('Clear').focus();
    button('Clear').click();
    await vi.waitUntil(() => document.activeElement === editor());
    expect(store().text).toBe('');
  });

  it('shows the results of a cleared text again once Undo brings it back', async () => {
    await write(good);
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    button('Run all').click();
    await vi.waitUntil(() => pane.get('.call').text().includes('OK'));
    await runEnded();
    button('Clear').click();
    await vi.waitUntil(() => pane.findAll('.call').length === 0);
    await write(good);
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    expect(pane.get('.call').text()).toContain('OK');
  });

  it('keeps the results of the last run if the text changes and changes back', async () => {
    const runOnce = async (action: 'approve' | 'refuse'): Promise<void> => {
      await write(asking);
      await vi.waitUntil(() => pane.findAll('.call').length === 1);
      button('Run all').click();
      await vi.waitUntil(() => store().waiting.length === 1);
      await store().decide(store().waiting[0]!.id, { action });
      await runEnded();
    };
    await runOnce('refuse');
    button('Clear').click();
    await vi.waitUntil(() => pane.findAll('.call').length === 0);
    await runOnce('approve');
    await vi.waitUntil(() => pane.get('.call').text().includes('OK'));
    store().edit([{ start: asking.length, end: asking.length, newText: '\n' }]);
    store().edit([{ start: asking.length, end: asking.length + 1, newText: '' }]);
    await nextTick();
    expect(pane.get('.call').text()).toContain('OK');
  });
});
