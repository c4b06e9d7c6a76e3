import { flushPromises } from '@vue/test-utils';
import { nextTick } from 'vue';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { CallOrigin, RecentCall } from '../../../../src-core/contract/types.ts';
import { newCallId } from '../../../../src-core/engine/newCallId.ts';
import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import AllCallsDialog from '../../../../renderer/features/collections/all/AllCallsDialog.vue';
import HistoryList from '../../../../renderer/features/executor/HistoryList.vue';
import OtherArguments from '../../../../renderer/features/executor/result/OtherArguments.vue';
import { isSameArguments } from '../../../../renderer/features/executor/result/isSameArguments.ts';
import { useCommandStore } from '../../../../renderer/window/commands/commandStore.ts';
import { button, press, until } from '../devices/acting.ts';
import { openMemory, type MemoryWindow } from '../collections/openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  await at.close();
  expect(at.window.errors).toEqual([]);
});

async function call(argsJson: string): Promise<void> {
  at.executor.open('lamp_set', argsJson);
  await at.executor.start();
  await until(() => at.executor.shown?.argsJson === argsJson);
}
const recent = () => at.window.connection.client.calls.recent({ limit: 10, qualifiedName: 'lamp_set' });

describe('comparing two calls', () => {
  it('says, once one is chosen, that another is to be; a press on its row is enough', async () => {
    await call('{"note":"one"}');
    await call('{"note":"two"}');
    const list = at.mount(HistoryList, { calls: await recent() });
    expect(list.text()).not.toContain('Choose another call');
    await press(button(list, 'Compare this result'));
    expect(list.get('[role="status"]').text()).toContain('Choose another call to compare with.');
    const [newer, older] = (await recent()).map((row) => row.call.callId);
    await list.findAll('.pick')[1]?.trigger('click');
    expect(at.memory.dialog).toEqual({ kind: 'compare', calls: [newer, older] });
    expect(list.text()).not.toContain('Choose another call');
  });

  it('of a row other than the shown one compares it with that one', async () => {
    await call('{"note":"one"}');
    await call('{"note":"two"}');
    const list = at.mount(HistoryList, { calls: await recent() });
    const [newer, older] = (await recent()).map((row) => row.call.callId);
    await press(button(list, 'Compare with the shown result'));
    expect(at.memory.dialog).toEqual({ kind: 'compare', calls: [newer, older] });
    expect(at.memory.toCompare).toBeUndefined();
  });

  it('says the same in the list of all calls', async () => {
    await call('{"note":"one"}');
    await call('{"note":"two"}');
    const all = at.mount(AllCallsDialog);
    await until(() => document.querySelector('.all-calls .foot') !== null);
    const shown = () => document.querySelector('.all-calls')?.textContent ?? '';
    const press = (label: string) =>
      [...document.querySelectorAll<HTMLElement>('.all-calls button')]
        .find((each) => each.textContent?.trim() === label)
        ?.click();
    expect(shown()).not.toContain('Choose another call');
    press('Compare this result');
    await until(() => shown().includes('Choose another call to compare with.'));
    document.querySelectorAll<HTMLElement>('.all-calls [role="option"]')[1]?.click();
    await until(() => shown().includes('Compare with the chosen result'));
    press('Compare with the chosen result');
    expect(at.memory.dialog?.kind).toBe('compare');
    all.unmount();
  });

  it('ends with Esc, while no call runs', async () => {
    await call('{"note":"one"}');
    // Until then, Esc is for the call.
    await until(() => !at.executor.busy);
    const list = at.mount(HistoryList, { calls: await recent() });
    await press(button(list, 'Compare this result'));
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', cancelable: true }));
    await flushPromises();
    expect(at.memory.toCompare).toBeUndefined();
    expect(list.text()).not.toContain('Choose another call');
  });

  it('takes the last two of a series', async () => {
    at.executor.open('lamp_set', '{"note":"often"}');
    await at.executor.startSeries({ count: 5, parallel: 1 });
    await until(() => at.executor.series.phase === 'done');
    at.mount(ExecutorPane);
    const commands = at.window.use(() => useCommandStore());
    // The pane reads the history first.
    await until(() => commands.isOffered('executor.compare') && commands.reasonOf('executor.compare') === undefined);
    commands.run('executor.compare');
    await until(() => at.memory.dialog !== undefined);
    expect(at.memory.dialog?.kind).toBe('compare');
  });
});

describe('a row', () => {
  /** A call that has ended, as the history lists it. */
  const ended = (callId: string, origin: CallOrigin): RecentCall => ({
    call: {
      callId,
      origin,
      toolId: 'lamp',
      methodName: 'set',
      qualifiedName: 'lamp_set',
      source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
      argsJson: '{}',
      startedAt: 0,
      timeoutMs: 1000,
      result: { requestId: callId, toolName: 'lamp_set', status: 'success', result: 'ok', durationMs: 1 },
    },
  });
  const ids = (calls: RecentCall[]) =>
    at
      .mount(HistoryList, { calls })
      .findAll('.id')
      .map((id) => id.text());

  it('of a tool that failed begins its text', () => {
    const failed = ended(newCallId(), 'model');
    const message = 'Invoice A-99\ndoes not exist.';
    failed.call.result = {
      ...failed.call.result!,
      status: 'error',
      result: message,
      error: { code: 'tool-error', message },
    };
    expect(at.mount(HistoryList, { calls: [failed] }).text()).toContain('Invoice A-99 does not exist.');
  });

  it('shows an id that differs from those of the other calls of one run of the engine', () => {
    const [first, second] = [newCallId(), newCallId()];
    const shown = ids([ended(first, 'parser'), ended(second, 'model')]);
    expect(shown).toEqual([first, second].map((id) => `#${id.slice(0, 4)}-${id.split('-').at(-1)}`));
    expect(new Set(shown).size).toBe(2);
  });

  it('shows the beginning of an id of the window, with its number in a series', () => {
    const id = crypto.randomUUID();
    expect(ids([ended(id, 'executor'), ended(`${id}.3`, 'executor')])).toEqual([
      `#${id.slice(0, 8)}`,
      `#${id.slice(0, 8)}.3`,
    ]);
  });

  it.each([
    ['parser', 'from the Parser'],
    ['cli', 'from the terminal'],
    ['model', 'from Chat'],
    ['gateway', 'from the Gateway'],
    ['realtime', 'from Realtime'],
  ] as const)('names the source of a call: %s', (origin, words) => {
    expect(at.mount(HistoryList, { calls: [ended('a', origin)] }).text()).toContain(words);
  });

  it('names the host that made a call', () => {
    const { call } = ended('a', 'host');
    expect(at.mount(HistoryList, { calls: [{ call: { ...call, host: 'My editor' } }] }).text()).toContain(
      'from My editor',
    );
  });

  it('says nothing of that for a call of the Executor', () => {
    expect(at.mount(HistoryList, { calls: [ended('a', 'executor')] }).text()).not.toContain('from ');
  });
});

describe('a result of other arguments than the form has', () => {
  it('says so, and puts them into the form', async () => {
    await call('{"note":"one","level":1}');
    const shown = at.executor.shown!;
    const line = at.mount(OtherArguments, { call: shown });
    expect(line.text()).toBe('');
    at.executor.text = '{"level": 1, "note": "one"}';
    await flushPromises();
    expect(line.text()).toBe('');
    at.executor.text = '{"note":"two"}';
    await flushPromises();
    expect(line.text()).toContain('Called with other arguments');
    await line.get('button').trigger('click');
    expect(at.executor.text).toBe('{"note":"one","level":1}');
    expect(line.text()).toBe('');
    expect(at.executor.shown?.callId).toBe(shown.callId);
  });

  it('compares values to the last digit, not their notation', () => {
    expect(isSameArguments('{"a":1,"b":[2]}', '{ "b": [2], "a": 1.0 }')).toBe(true);
    expect(isSameArguments('{"a":9007199254740993}', '{"a": 9007199254740993}')).toBe(true);
    expect(isSameArguments('{"a":9007199254740993}', '{"a":9007199254740992}')).toBe(false);
    expect(isSameArguments('{"a":', '{"a":1}')).toBe(false);
  });
});

it('lists no call of the tool before once another one is in the form', async () => {
  await call('{"note":"one"}');
  const pane = at.mount(ExecutorPane);
  await until(() => pane.findAll('.item').length === 1);
  at.executor.open('lamp_wait');
  await nextTick();
  expect(pane.findAll('.item')).toEqual([]);
  at.executor.open('lamp_set');
  await until(() => pane.findAll('.item').length === 1);
});
