/** The Parser pane while a text is being read. */
import { afterEach, describe, expect, it, vi } from 'vitest';

import { useCommandStore } from '../../../../renderer/window/commands/commandStore.ts';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { block, button, colon, pane, ran, runEnded, store, useParserPane, window, write } from './parserWindow.ts';

const gate = vi.hoisted(() => ({
  open: Promise.resolve(),
  fail: undefined as Error | undefined,
}));
vi.mock(import('../../../../src-core/features/parser/parseReport.ts'), async (load) => {
  const { parseReport } = await load();
  return {
    parseReport: async (options) => {
      await gate.open;
      if (gate.fail !== undefined) throw gate.fail;
      return parseReport(options);
    },
  };
});

/** From now on no text is read until the returned function is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  gate.open = promise.then(() => undefined);
  return () => resolve(undefined);
}
let release = (): void => undefined;

useParserPane();
afterEach(() => {
  release();
  gate.open = Promise.resolve();
  gate.fail = undefined;
});

const region = (name: string) => pane.get(`[aria-label="${name}"][data-region]`);
const reading = 'Parsing…';

describe('the Parser while it reads another text', () => {
  const first = block(['tool_name', 'lamp_set'], ['level', '1']);
  const second = block(['tool_name', 'lamp_set'], ['level', '2']);

  async function replaceText(text: string): Promise<void> {
    await write(first);
    await vi.waitUntil(() => pane.findAll('.call').length === 1 && pane.text().includes('No problems'));
    release = hold();
    await write(text);
  }

  it('says so, marks the old lists and shows no verdict', async () => {
    await replaceText(`${colon}\n${second}`);
    await vi.waitUntil(() => region('Problems').text().includes(reading));
    expect(pane.text()).not.toContain('No problems');
    for (const name of ['Calls', 'Problems']) {
      expect(region(name).attributes('aria-busy')).toBe('true');
      expect(region(name).get('h2').text()).toBe(name);
    }
    expect(region('Calls').get('.sub').text()).toContain(reading);
    expect(pane.get('.call').element.closest('.stale')).not.toBeNull();
    for (const name of ['Run all', 'Run']) expect(button(name).getAttribute('aria-disabled')).toBe('true');
    release();
    await vi.waitUntil(() => region('Problems').text().includes('Malformed field'));
    expect(region('Calls').attributes('aria-busy')).toBeUndefined();
    expect(pane.findAll('.stale')).toHaveLength(0);
    expect(button('Run 1 of 2 calls').getAttribute('aria-disabled')).toBeNull();
  });

  it('runs nothing, and answers Run all and the Run of an old card with the reason', async () => {
    await replaceText(second);
    const palette = window.use(() => useCommandStore());
    const toasts = window.use(() => useToasts());
    await pane.get('.call header .btn').trigger('click');
    await vi.waitUntil(() => toasts.list.length === 1);
    palette.run('parser.runAll');
    await vi.waitUntil(() => toasts.list.every(({ text }) => text === reading));
    expect(palette.reasonOf('parser.runAll')).toBe(reading);
    expect(store().run.phase).toBe('idle');
    release();
    await vi.waitUntil(() => palette.reasonOf('parser.runAll') === undefined);
    palette.run('parser.runAll');
    await vi.waitUntil(() => ran.length === 1);
    await runEnded();
    expect(ran).toEqual([{ level: 2 }]);
  });

  it('does not show the empty pane in place of a text that is read for the first time', async () => {
    release = hold();
    await write(first);
    await vi.waitUntil(() => region('Calls').text().includes(reading));
    expect(region('Calls').text()).not.toContain('Paste a reply');
    release();
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
  });

  it('stops saying so if the text cannot be read', async () => {
    await replaceText(second);
    gate.fail = new Error('no room');
    await vi.waitUntil(() => region('Problems').text().includes(reading));
    release();
    await vi.waitUntil(() => region('Problems').text().includes('Could not parse the text'));
    expect(pane.text()).not.toContain(reading);
    expect(region('Calls').attributes('aria-busy')).toBeUndefined();
    window.errors.length = 0;
  });
});

describe('the comparison of hosts', () => {
  const text = `${block(['tool_name', 'lamp_set'], ['level', '1'])}\n`.repeat(40);

  it('opened during a replay compares what has come, and goes on', async () => {
    await write(text);
    await vi.waitUntil(() => pane.findAll('.call').length > 0);
    button('Replay').click();
    await vi.waitUntil(() => pane.findAll('.replay').length === 1);
    button('Compare').click();
    await vi.waitUntil(() => button('Compare').getAttribute('aria-pressed') === 'true');
    const hosts = () => region('Comparison of hosts');
    await vi.waitUntil(() => hosts().findAll('tbody tr').length > 0);
    expect(hosts().findAll('thead th')).toHaveLength(5);
    expect(hosts().findAll('tbody tr').length).toBeLessThan(40);
    expect(pane.findAll('.replay')).toHaveLength(1);
  });

  it('says that the text is being read until the first comparison is there', async () => {
    await write(text);
    release = hold();
    button('Compare').click();
    await vi.waitUntil(() => button('Compare').getAttribute('aria-pressed') === 'true');
    await vi.waitUntil(() => region('Comparison of hosts').text().includes(reading));
    expect(pane.findAll('.compare')).toHaveLength(0);
    release();
    await vi.waitUntil(() => pane.findAll('.compare tbody tr').length === 40);
    expect(region('Comparison of hosts').text()).not.toContain(reading);
  });
});
