/** The Parser pane while calls of its text run. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nextTick } from 'vue';

import CodeEditor from '../../../../renderer/ui/editor/CodeEditor.vue';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { useCommandStore } from '../../../../renderer/window/commands/commandStore.ts';
import { useDroppedFiles } from '../../../../renderer/window/droppedFiles.ts';
import { useRuns } from '../../../../renderer/features/calls/runsStore.ts';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { block, button, colon, pane, ran, store, useParserPane, window, write } from './parserWindow.ts';

useParserPane();

describe('the Parser while its calls run', () => {
  const asking = block(['tool_name', 'lamp_off']);
  const first = block(['tool_name', 'lamp_set'], ['level', '1']);
  /** One call is done, one waits for the user. */
  async function startRun(): Promise<void> {
    await write(`${first}\n${asking}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    button('Run all').click();
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
  }

  it('takes no other text from its examples, a file, Clear, a fix or the keyboard, and says why', async () => {
    await write(`${colon}\n${first}\n${asking}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    const { text } = store();
    button('Run 2 of 3 calls').click();
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
    for (const name of ['Clear', 'Open a file']) expect(button(name).getAttribute('aria-disabled')).toBe('true');
    const palette = window.use(() => useCommandStore());
    for (const id of ['parser.clear', 'parser.openFile'] as const)
      expect(palette.reasonOf(id)).toBe(
        'Calls of this text are running. Wait for them, or press Esc to cancel, to edit the text.',
      );
    const examples = palette.objectCommands.filter(({ item }) =>
      ['One call', 'A call to a device'].includes(item.label),
    );
    expect(examples.map(({ item }) => item.disabled)).toEqual([true, true]);
    window.use(() => useDroppedFiles()).give('parser', new File(['other'], 'other.txt'));
    await vi.waitUntil(() => window.use(() => useToasts()).list.some(({ text }) => text?.includes('are running')));
    await pane.get('.refused .link').trigger('click');
    await pane.get('.problem .link').trigger('click');
    await pane.get('textarea').setValue('typed');
    expect(store().text).toBe(text);
    button('Approve').click();
    await vi.waitUntil(() => store().run.phase === 'done');
    expect(ran).toEqual([{ level: 1 }, 'off']);
  });

  it('approves the edited arguments of a call at Ctrl+Enter, and shows them as sent', async () => {
    window.use(() => useSettings()).change({ dangerousTools: ['lamp_set'] });
    await write(first);
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    button('Run all').click();
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
    button('Edit arguments').click();
    await vi.waitUntil(() => pane.find('.argument-editor input').exists());
    const level = pane.get('.argument-editor input');
    await level.setValue('43');
    (level.element as HTMLElement).focus();
    await level.trigger('keydown', { key: 'Enter', ctrlKey: true });
    await vi.waitUntil(() => ran.length === 1);
    expect(ran).toEqual([{ level: 43 }]);
    await vi.waitUntil(() => store().run.phase === 'done');
    expect(pane.findAll('.call .value').map((cell) => cell.text())).toEqual(['1', '43']);
    expect(pane.get('.call .verdict').text()).toBe('edited');
    const toggle = button('Result');
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    expect(toggle.querySelector('.lucide')).not.toBeNull();
  });

  it('shows the cards in place of the comparison, as one of them may ask', async () => {
    await write(`${first}\n${asking}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    button('Compare').click();
    await vi.waitUntil(() => pane.findAll('.compare').length === 1);
    button('Run all').click();
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
    expect(pane.findAll('.compare')).toHaveLength(0);
    expect(button('Compare').getAttribute('aria-pressed')).toBe('false');
  });

  it('keeps the text of a replay from being changed or run, and says how to end it', async () => {
    await write(`${colon}\n${first}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    const { text } = store();
    button('Replay').click();
    const palette = window.use(() => useCommandStore());
    await vi.waitUntil(() => palette.reasonOf('parser.openFile') !== undefined);
    const locked = 'This text is being replayed. Stop the replay to edit it.';
    expect([palette.reasonOf('parser.openFile'), palette.reasonOf('parser.clear')]).toEqual([locked, locked]);
    expect(pane.get('textarea').attributes('title')).toBe(locked);
    expect(palette.reasonOf('parser.runAll')).toBe('This text is being replayed. Stop the replay to run its calls.');
    window.use(() => useDroppedFiles()).give('parser', new File(['other'], 'other.txt'));
    await vi.waitUntil(() => window.use(() => useToasts()).list.some(({ text }) => text === locked));
    expect(store().text).toBe(text);
    button('Stop the replay').click();
    await vi.waitUntil(() => palette.reasonOf('parser.runAll') === undefined);
  });

  it('keeps the cards of its calls until they end if the text or a tool changes elsewhere', async () => {
    // The first call waits: its tool was looked up before the window shows the question.
    await write(`${asking}\n${first}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    button('Run all').click();
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
    store().text = block(['tool_name', 'lamp_set'], ['level', '2']);
    window.workbench.toolRegistryManager.unregister('lamp');
    await vi.waitUntil(() => window.use(() => useTools()).find('lamp_off') === undefined);
    await vi.waitUntil(() => pane.get('.problems').text().includes('Unknown tool'));
    expect(pane.findAll('.call').map((card) => card.attributes('aria-label'))).toEqual(['1. lamp_off', '2. lamp_set']);
    button('Refuse').click();
    await vi.waitUntil(() => pane.findAll('.decision form').length === 1);
    await pane.get('.decision form').trigger('submit');
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    expect(store().run.phase).toBe('idle');
    expect(pane.get('.call').find('.outcome').exists()).toBe(false);
    expect(pane.text()).not.toContain('TOOL_RESULT');
  });

  it('shows what was cancelled, as the history has it, and the text for the model', async () => {
    await startRun();
    button('Cancel').click();
    await vi.waitUntil(() => store().run.phase === 'done');
    await vi.waitUntil(() => pane.findAll('.decision').length === 0);
    expect(pane.findAll('.call')[0]!.text()).toContain('OK');
    expect(pane.findAll('.call')[1]!.get('.outcome').text()).toContain('Cancelled');
    const tags = pane.findAll('.cycle .sub .tag').map((tag) => [tag.text(), tag.classes().includes('error')]);
    expect(tags).toEqual([
      ['1 succeeded', false],
      ['1 cancelled', false],
    ]);
    const { run } = store();
    const told = run.phase === 'done' ? run.feedback : '';
    expect(told.indexOf('lamp_off')).toBeGreaterThan(told.indexOf('lamp_set'));
    expect(told).toContain('It did not run.');
    expect(ran).toEqual([{ level: 1 }]);
  });

  it('neither queues nor cancels calls that do not run, and offers no run of them', async () => {
    const unfit = block(['tool_name', 'lamp_set'], ['level', 'high']);
    const unknown = block(['tool_name', 'gone_away']);
    await write([asking, unfit, unknown, first].join('\n'));
    await vi.waitUntil(() => pane.findAll('.call').length === 4);
    button('Run 2 of 4 calls').click();
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
    const shown = (): boolean[][] =>
      pane
        .findAll('.call')
        .map((card) => [card.find('.outcome').exists(), card.findAll('button').some((one) => one.text() === 'Run')]);
    expect(shown()).toEqual([
      [true, true],
      [false, false],
      [false, false],
      [true, true],
    ]);
    button('Cancel').click();
    await vi.waitUntil(() => store().run.phase === 'done');
    expect(pane.findAll('.cycle .sub .tag').map((tag) => tag.text())).toEqual(['2 cancelled', '2 not run']);
    // The card has the reason above; what the model is told is folded.
    const told = pane.findAll('.call .outcome').map((outcome) => outcome.text());
    expect(told.slice(1, 3)).toEqual(['Not calledText for the model', 'Not calledText for the model']);
  });

  it('counts a call whose tool reports a failure apart from those that succeed', async () => {
    await write(`${first}\n${block(['tool_name', 'lamp_fail'])}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    button('Run all').click();
    await vi.waitUntil(() => store().run.phase === 'done');
    await nextTick();
    expect(pane.findAll('.cycle .sub .tag').map((tag) => tag.text())).toEqual(['1 succeeded', '1 reported failure']);
  });

  it('shows as cancelled a call that ran alone', async () => {
    await write(asking);
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    const runIt = pane.findAll('.call button').find((each) => each.text() === 'Run');
    await runIt!.trigger('click');
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
    expect(button('Run all').getAttribute('aria-disabled')).toBe('true');
    button('Cancel').click();
    await vi.waitUntil(() => store().run.phase === 'idle');
    expect(pane.get('.call .outcome').text()).toContain('Cancelled');
    expect(ran).toEqual([]);

    // In the Parser, nothing is sent to a model.
    expect(pane.get('.call .outcome .fold').text()).toBe('Text for the model');
    // The text for the model is English in every window, and marked as such.
    setLanguage('zh');
    onTestFinished(() => setLanguage('en'));
    await nextTick();
    const outcome = pane.get('.call .outcome').text();
    expect(outcome).toMatch(/工具没有执行任何操作.*给模型的文本.*It did not run\./s);
  });

  it('ends at Cancel, with the reason, if the engine is not reached', async () => {
    await startRun();
    const runs = window.use(() => useRuns());
    vi.spyOn(runs, 'cancel').mockRejectedValue(new Error('no connection'));
    button('Cancel').click();
    await vi.waitUntil(() => store().run.phase === 'failed');
    expect(pane.get('.cycle').text()).toContain('Could not cancel the calls');
    expect(pane.get('.cycle').text()).toContain('no connection The calls may still be running.');
    expect(pane.findAll('.decision')).toHaveLength(0);

    window.cut()();
    await vi.waitUntil(() => store().run.phase === 'idle');
  });
});

it('says that a result does not match the outputSchema of its tool', async () => {
  await write(block(['tool_name', 'lamp_read']));
  await vi.waitUntil(() => pane.findAll('.call').length === 1);
  button('Run all').click();
  await vi.waitUntil(() => store().run.phase === 'done');
  const outcome = pane.get('.call .outcome').text();
  expect(outcome).toContain('Does not match the tool’s outputSchema');
  expect(outcome).toContain('$.level');
});

describe('the results of calls', () => {
  const call = (level: string) => block(['tool_name', 'lamp_set'], ['level', level]);
  const shown = () =>
    pane.findAll('.call').map((card) => [card.get('.value').text(), card.find('.outcome').exists()] as const);
  async function runAll(text: string): Promise<void> {
    await write(text);
    await vi.waitUntil(() => pane.findAll('.call').length === text.split('END_TOOL_REQUEST').length - 1);
    button('Run all').click();
    await vi.waitUntil(() => store().run.phase === 'done');
    expect(shown().every(([, hasResult]) => hasResult)).toBe(true);
  }

  it('are not shown on the equal calls of another text', async () => {
    await runAll(`First reply.\n${call('1')}`);
    store().text = `Another reply.\n${call('1')}`;
    await vi.waitUntil(() => shown()[0]?.[1] === false && !pane.find('.stale').exists());
    expect(shown()).toEqual([['1', false]]);
  });

  it('are not shown on an equal call that is pasted over the text, or before the one that ran', async () => {
    await runAll(call('1'));
    const editor = pane.findComponent(CodeEditor);
    const paste = (end: number, newText: string): void => {
      editor.vm.$emit('edits', [{ start: 0, end, newText }]);
      editor.vm.$emit('update:modelValue', newText + store().text.slice(end));
    };
    paste(0, `${call('1')}\n`);
    await vi.waitUntil(() => shown().length === 2);
    expect(shown().map(([, has]) => has)).toEqual([false, true]);
    paste(store().text.length, `And.\n${call('1')}`);
    await vi.waitUntil(() => shown().length === 1);
    expect(shown().map(([, has]) => has)).toEqual([false]);
  });

  it('stay while the tool is gone', async () => {
    await runAll(call('1'));
    window.workbench.toolRegistryManager.unregister('lamp');
    await vi.waitUntil(() => pane.get('.problems').text().includes('Unknown tool'));
    expect(pane.get('.call .outcome').text()).toContain('OK');
  });

  it('stay on the calls that an edit or a fix does not touch', async () => {
    await runAll([call('1'), call('2'), call('3')].join('\n'));
    await write(`Here they are:\n${store().text}`);
    await write(`${store().text}\nDone.`);
    await write(store().text.replace(call('2'), call('4')));
    await vi.waitUntil(() => shown()[1]?.[0] === '4');
    expect(shown().map(([, has]) => has)).toEqual([true, false, true]);
    const level = store().text.indexOf('「始」4') + 3;
    store().edit([
      { start: 0, end: 4, newText: 'See' },
      { start: 2, end: 6, newText: 'this is left out' },
      { start: level, end: level + 1, newText: '5' },
      { start: store().text.length - 1, end: store().text.length, newText: '!' },
    ]);
    expect(store().text).toMatch(/^See they.*Done!$/s);
    await vi.waitUntil(() => shown()[1]?.[0] === '5');
    expect(shown().map(([, has]) => has)).toEqual([true, false, true]);
  });
});
