import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nextTick } from 'vue';

import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import ToolPicker from '../../../../renderer/features/executor/ToolPicker.vue';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { waitForSearch } from '../../waitForSearch.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

async function openPicker() {
  const tools = window.use(() => useTools());
  const executor = window.use(() => useExecutor());
  await vi.waitUntil(() => tools.loaded);
  const picker = window.mount(ToolPicker, { open: false });
  await picker.setProps({ open: true });
  const input = await vi.waitUntil(() => document.querySelector<HTMLInputElement>('.picker input'));
  const type = async (text: string): Promise<void> => {
    input.value = text;
    input.dispatchEvent(new Event('input'));
    await waitForSearch();
  };
  const press = async (key: string): Promise<void> => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await nextTick();
  };
  const rows = (): string[] =>
    [...document.querySelectorAll('.picker [role="option"]')].map((row) => row.textContent.replaceAll(/\s+/g, ' '));
  const active = (): string =>
    document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '';
  const { client } = window.connection;
  const addBoards = async (...names: string[]): Promise<void> => {
    for (const name of names) await client.devices.addVirtual({ name });
    await vi.waitUntil(() => names.every((name) => tools.list.some((tool) => tool.name === name)));
    await vi.waitUntil(() => tools.list.filter(({ source }) => source.kind === 'device').length === names.length);
  };
  return { executor, tools, type, press, rows, active, addBoards };
}

describe('the tool picker', () => {
  it('finds a device by its name, and shows the name on each row', async () => {
    const { executor, tools, type, press, rows, active, addBoards } = await openPicker();
    await addBoards('board-ok', 'board-crash', 'board-slow');
    await type('board crash volume');
    await vi.waitUntil(() => rows().length > 1);
    expect(active()).toMatch(/_self\.audio_speaker\.set_volume.*board-crash$/);
    for (const row of rows().slice(0, -1)) expect(row).toMatch(/board-crash$/);
    expect(rows().at(-1)).toBe('Use “board crash volume” anyway');
    await press('Enter');
    const board = tools.list.find(({ name }) => name === 'board-crash');
    expect(executor.toolName).toBe(`${board?.id}_self.audio_speaker.set_volume`);
  });

  it('takes what the typed text finds by Enter at once, not what an earlier one found', async () => {
    const { executor, type, press, active } = await openPicker();
    await type('clock_get_time');
    expect(active()).toContain('get_time');
    void type('clock_get_date');
    await press('Enter');
    expect(executor.toolName).toBe('clock_get_date');
  });

  it('marks the number in a board’s name, not the digits of its id', async () => {
    const { type, rows, addBoards } = await openPicker();
    await addBoards('Board 2', 'Board 3');
    await type('board 3 volume');
    await vi.waitUntil(() => rows().length > 1);
    const marks = [...document.querySelectorAll('.picker [aria-selected="true"] mark')].map((mark) => mark.textContent);
    expect(marks).toEqual(['volume', 'Board', '3']);
  });

  it('tells two devices of the same name apart by their ids', async () => {
    const { type, rows, tools, addBoards } = await openPicker();
    await addBoards('Twin', 'Twin');
    await type('twin set_volume');
    await vi.waitUntil(() => rows().length === 3);
    const ids = tools.list.filter(({ name }) => name === 'Twin').map(({ id }) => id);
    for (const id of ids)
      expect(rows().some((row) => row.startsWith(`${id}_self.audio_speaker.set_volume`))).toBe(true);
  });

  it('takes the match of a full name, in whatever case, and offers no second row for it', async () => {
    const { executor, type, press, rows } = await openPicker();
    await type('clock_get_time');
    expect(rows()).toHaveLength(1);
    await press('Enter');
    expect(executor.toolName).toBe('clock_get_time');
  });

  it.each([
    ['clock_get', /clock_get_/],
    ['clock_get_tme', /^$/],
  ])('takes “%s” as it was typed only from its own row', async (typed, marked) => {
    const { executor, type, press, active } = await openPicker();
    await type(typed);
    expect(active()).toMatch(marked);
    await press('ArrowUp');
    expect(active()).toBe(`Use “${typed}” anyway`);
    await press('Enter');
    expect(executor.toolName).toBe(typed);
  });

  it('says that similar names are no match, and what Enter takes if there are none', async () => {
    onTestFinished(() => setLanguage('en'));
    const { executor, type, press, active, rows } = await openPicker();
    const note = (): string | undefined => document.querySelector('.picker [role="status"]')?.textContent.trim();
    await type('clock_get_tme');
    expect(note()).toBe('No exact match. Results for “clock_get_time”:');
    // Enter would open a tool that nobody searched for: of another device, say.
    const before = executor.toolName;
    await press('Enter');
    expect(executor.toolName).toBe(before);
    expect(document.querySelector('.picker')).not.toBeNull();
    await press('ArrowDown');
    expect(active()).toContain('clock_get_time');
    await type('zzqx');
    expect(rows()).toHaveLength(1);
    await press('Enter');
    expect(executor.toolName).toBe(before);
    await press('ArrowDown');
    expect(active()).toBe('Use “zzqx” anyway');
    expect(note()).toBe('No matching tool.');
    setLanguage('zh');
    await nextTick();
    expect(active()).toBe('仍然使用“zzqx”');
    await type('  ');
    expect(rows().join()).toContain('clock_get_time');
    expect(rows().join()).not.toContain('仍然使用');
  });

  it('finds the tools of a disconnected device last, and opens them with their last schema', async () => {
    const { executor, tools, type, press, rows, active, addBoards } = await openPicker();
    await addBoards('Hall lamp', 'Desk lamp');
    const [gone] = tools.list.filter(({ name }) => name === 'Hall lamp');
    await window.connection.client.devices.pullPlug({ id: gone!.source.id });
    await vi.waitUntil(() => tools.list.every(({ name }) => name !== 'Hall lamp'));
    await type('lamp set_volume');
    await vi.waitUntil(() => rows().length === 3);
    expect(rows()[0]).toMatch(/Desk lamp$/);
    expect(rows()[1]).toMatch(/Disconnected ?Hall lamp$/);
    await type('hall set_volume');
    await vi.waitUntil(() => active().includes('Disconnected'));
    await press('Enter');
    expect(executor.toolName).toBe(`${gone!.id}_self.audio_speaker.set_volume`);
    expect(executor.schema.properties).toHaveProperty('volume');
  });

  it('keeps the mark on the row that was moved to if tools arrive above it', async () => {
    const { executor, type, press, rows, active, addBoards } = await openPicker();
    await type('get');
    await press('ArrowDown');
    const marked = active();
    expect(marked).toContain('clock_get_time');
    const [first] = rows();
    await addBoards('get');
    await vi.waitUntil(() => rows()[0] !== first);
    expect(active()).toBe(marked);
    await press('Enter');
    expect(executor.toolName).toBe('clock_get_time');
  });

  it('marks a tool that arrives rather than the typed text, if the mark was not moved', async () => {
    const { executor, tools, type, press, rows, active, addBoards } = await openPicker();
    await type('self.get_device_status');
    expect(rows()).toEqual(['Use “self.get_device_status” anyway']);
    await addBoards('kitchen');
    await vi.waitUntil(() => rows().length > 1);
    expect(active()).toMatch(/_self\.get_device_status.*kitchen$/);
    await press('Enter');
    const board = tools.list.find(({ name }) => name === 'kitchen');
    expect(executor.toolName).toBe(`${board?.id}_self.get_device_status`);
  });
});
