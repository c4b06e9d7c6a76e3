/** What a window runs goes on over a reload of it and over a lost line, and is shown again. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watch } from 'vue';

import { useExecutor } from '../../../renderer/features/executor/executorStore.ts';
import { useMemory } from '../../../renderer/features/collections/memoryStore.ts';
import MemoryDialogs from '../../../renderer/features/collections/MemoryDialogs.vue';
import { callPlaces, type CallPlace } from '../../../renderer/features/parser/callPlaces.ts';
import { useParser } from '../../../renderer/features/parser/parserStore.ts';
import WaitingQueue from '../../../renderer/app/waiting/WaitingQueue.vue';
import { useRuns } from '../../../renderer/features/calls/runsStore.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { useToasts } from '../../../renderer/window/toasts.ts';
import { useTools } from '../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../src-core/registry/defineTool.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
/** Ends the calls of `lamp_wait`, the oldest first. */
let finish: ((value: unknown) => void)[];
let off = 0;

windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  finish = [];
  off = 0;
  const method = {
    description: 'x',
    agentCallable: true,
    inputSchema: { type: 'object', properties: { room: { type: 'integer' } } },
  };
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
      methods: [
        {
          ...method,
          name: 'wait',
          handler: (_, { signal }) =>
            new Promise((resolve, reject) => {
              finish.push(resolve);
              signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
            }),
        },
        { ...method, name: 'off', danger: 'Cuts the power.', handler: () => (off += 1) },
      ],
    }),
  );
  await ready();
});
afterEach(async () => {
  await window.use(() => useSettings()).flush();
});

async function ready(): Promise<void> {
  const tools = window.use(() => useTools());
  const settings = window.use(() => useSettings());
  await vi.waitUntil(() => tools.find('lamp_wait') !== undefined && settings.loaded);
}
const executor = () => window.use(() => useExecutor());
const parser = () => window.use(() => useParser());
const state = () => executor().run?.state.value;
const until = (condition: () => boolean) => vi.waitUntil(condition);
const block = (name: string): string => `<<<[TOOL_REQUEST]>>>\ntool_name:「始」${name}「末」\n<<<[END_TOOL_REQUEST]>>>`;

/** As after Ctrl+R: the Executor is open with the tool that it had. */
async function reload(): Promise<void> {
  await window.use(() => useSettings()).flush();
  await window.reload();
  await ready();
  executor();
}

describe('a call of the Executor', () => {
  it('is shown as running after a reload, then with its result', async () => {
    executor().open('lamp_wait', '{"room":1}');
    void executor().start({ timeoutMs: 400_000 });
    await until(() => finish.length === 1);
    const before = state();
    await reload();
    await until(() => state()?.phase === 'running');
    expect(executor().toolName).toBe('lamp_wait');
    expect(state()).toEqual({ ...before, startedAt: expect.any(Number) });
    finish[0]!('lit');
    await until(() => state()?.phase === 'done');
    expect(state()).toMatchObject({
      request: { argsJson: '{"room":1}' },
      result: { status: 'success', result: 'lit' },
    });
    expect(window.use(() => sessionStorage.getItem('runs'))).toBeNull();
    await reload();
    expect(state()).toBeUndefined();
  });

  it('that ends while the window loads is shown with its result', async () => {
    executor().open('lamp_wait');
    void executor().start();
    await until(() => finish.length === 1);
    const back = window.cut();
    finish[0]!('lit');
    await until(() => window.workbench.services.calls.running().length === 0);
    back();
    await until(() => state()?.phase === 'done');
    expect(state()).toMatchObject({ result: { result: 'lit' } });
  });

  it('runs if the storage of the window is full', async () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    executor().open('lamp_wait');
    void executor().start();
    await until(() => finish.length === 1);
    finish[0]!('lit');
    await until(() => state()?.phase === 'done');
    expect(full).toHaveBeenCalledWith('runs', expect.any(String));
    full.mockRestore();
  });

  it('is cancelled by hand after a reload', async () => {
    executor().open('lamp_wait');
    void executor().start({ rules: 'model' });
    await until(() => finish.length === 1);
    await reload();
    await until(() => state()?.phase === 'running');
    expect(state()).toMatchObject({ request: { rules: 'model' } });
    await executor().cancel();
    await until(() => state()?.phase === 'done');
    expect(state()).toMatchObject({ result: { error: { code: 'cancelled' } } });
  });

  it.each([true, false])('asks again after a reload; the answer is %s', async (yes) => {
    executor().open('lamp_off');
    void executor().start();
    await until(() => executor().asking !== undefined);
    await reload();
    await until(() => executor().asking !== undefined);
    executor().asking!.answer(yes);
    await until(() => executor().asking === undefined);
    await until(() => state()?.phase === 'done');
    expect(state()).toMatchObject({ result: yes ? { status: 'success' } : { error: { code: 'not-authorized' } } });
    expect(off).toBe(yes ? 1 : 0);
  });

  it('that the engine no longer knows is lost, with the reason', async () => {
    sessionStorage.setItem('runs', '["gone"]');
    await reload();
    expect(await window.use(() => useRuns()).ofBefore('call')).toEqual([]);
    expect(sessionStorage.getItem('runs')).toBeNull();
    const follow = () => window.connection.client.calls.follow({ callId: 'gone' });
    const events = window.use(() => useRuns()).follow('gone', { follow });
    await expect(events.next()).rejects.toThrow('There is no run "gone"');
  });
});

it('a series goes on over a reload and over a lost line', async () => {
  executor().open('lamp_wait');
  void executor().startSeries({ count: 3, parallel: 1 });
  await until(() => finish.length === 1);
  await reload();
  await until(() => executor().series.phase === 'running');
  finish[0]!(1);
  await until(() => finish.length === 2);
  const back = window.cut();
  finish[1]!(2);
  await until(() => finish.length === 3);
  back();
  finish[2]!(3);
  await until(() => executor().series.phase === 'done');
  expect(executor().series).toMatchObject({ request: { count: 3, parallel: 1 }, figures: { succeeded: 3 } });
});

describe('a run of the Parser', () => {
  const text = `${block('lamp_wait')}\n${block('lamp_wait')}`;
  let places: CallPlace[] = [];
  async function startRun(of: string): Promise<void> {
    parser().text = of;
    const { parser: api } = window.connection.client;
    const reading = { ...(await api.parse({ text: of })), text: of };
    places = callPlaces(reading);
    void parser().start(reading);
  }
  const results = () =>
    places.flatMap((place) => parser().resultOf(place) ?? []).map(({ state: now, result }) => result?.result ?? now);

  it('goes on over a reload, with the calls that have ended', async () => {
    await startRun(text);
    await until(() => finish.length === 1);
    finish[0]!('one');
    await until(() => finish.length === 2);
    await reload();
    await until(() => parser().run.phase === 'running' && results().length === 2);
    expect(parser().text).toBe(text);
    await until(() => results()[1] === 'running');
    expect(results()).toEqual(['one', 'running']);
    finish[1]!('two');
    await until(() => parser().run.phase === 'done');
    expect(results()).toEqual(['one', 'two']);
    expect(parser().run).toMatchObject({ results: { ok: 2, failed: 0, skipped: 0 } });
  });

  it('is cancelled by hand after a reload', async () => {
    await startRun(text);
    await until(() => finish.length === 1);
    await reload();
    await until(() => parser().run.phase === 'running');
    await parser().cancel();
    await until(() => parser().run.phase === 'done');
    await until(() => window.workbench.services.calls.running().length === 0);
    expect(finish).toHaveLength(1);
  });

  it('asks in any open window if none shows the run', async () => {
    await startRun(block('lamp_off'));
    await until(() => results()[0] === 'waiting');
    // As in another window, which does not know the run.
    sessionStorage.removeItem('runs');
    await reload();
    const questions = window.mount(WaitingQueue);
    await until(() => questions.find('.call-question').exists());
    expect(questions.text()).toContain('off asks before it runs');
    expect(questions.text()).toContain('A window that was closed or reloaded calls it on Lamp.');
    expect(questions.text()).toContain('Cuts the power.');
    await questions
      .findAll('button')
      .find((one) => one.text() === 'Run it')!
      .trigger('click');
    await until(() => off === 1);
    await until(() => !questions.find('.call-question').exists());
  });

  it('asks in the Parser alone after a reload, not first as the run of another window', async () => {
    await startRun(block('lamp_off'));
    await until(() => results()[0] === 'waiting');
    await reload();
    const { questions } = window.workbench.services.runs;
    await until(() => questions().length === 1);
    const listed: number[] = [];
    window.use(() =>
      watch(
        () => useRuns().questions.length,
        (count) => listed.push(count),
        { immediate: true },
      ),
    );
    const queue = window.mount(WaitingQueue);
    await until(() => parser().waiting.length === 1 && questions().length === 0);
    await until(() => queue.text().includes('1 waiting for you'));
    expect(listed).toEqual([0]);
  });
});

it('an unchecked call says so if it asks in another window, and its arguments are edited without the schema', async () => {
  const leaving = new AbortController();
  const { calls } = window.workbench.services;
  const argsJson = '{"room": "cellar"}';
  const call = { callId: 'c', toolName: 'lamp_off', argsJson, origin: 'executor' as const };
  const events = calls.executeInPieces({ ...call, rules: 'unchecked' }, leaving.signal);
  expect((await events.next()).value).toMatchObject({ question: {} });
  leaving.abort();
  await events.next();
  const questions = window.mount(WaitingQueue);
  await until(() => questions.find('.call-question').exists());
  expect(questions.text()).toContain('Not validated');
  await questions.get('button[aria-label="Edit arguments"]').trigger('click');
  await until(() => questions.find('.argument-editor').exists());
  await questions
    .findAll('button')
    .find((one) => one.text().startsWith('Run with these'))!
    .trigger('click');
  await until(() => off === 1);
});

it('a call as a model takes edited arguments by the rule of the run: text that converts passes, other text is refused', async () => {
  const leaving = new AbortController();
  const { calls } = window.workbench.services;
  const call = { callId: 'c', toolName: 'lamp_off', argsJson: '{"room": "1"}', origin: 'executor' as const };
  const events = calls.executeInPieces({ ...call, rules: 'model' }, leaving.signal);
  expect((await events.next()).value).toMatchObject({ question: {} });
  leaving.abort();
  await events.next();
  const questions = window.mount(WaitingQueue);
  const toasts = window.use(() => useToasts());
  await until(() => questions.find('.call-question').exists());
  await questions.get('button[aria-label="Edit arguments"]').trigger('click');
  await until(() => questions.find('.argument-editor').exists());
  const button = (words: string) => questions.findAll('button').find((one) => one.text().startsWith(words))!;
  await button('JSON').trigger('click');
  expect(questions.text()).toContain('converted to the types of the schema');
  const area = questions.get('.argument-editor textarea');
  const run = () => button('Run with these');

  await area.setValue('{"room": "cellar"}');
  expect(run().attributes('aria-disabled')).toBeUndefined();
  await run().trigger('click');
  await until(() => toasts.list.some(({ text }) => text?.includes('room') === true));
  expect(off).toBe(0);
  await area.setValue('{"room": "2"');
  expect(run().attributes('aria-disabled')).toBe('true');
  await area.setValue('{"room": "2"}');
  await run().trigger('click');
  await until(() => off === 1);
});

it('a run of saved calls goes on over a reload, in its dialog', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-saved-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'toolwire.json'), '{"format":1,"name":"Saved"}');
  for (const name of ['a', 'b'])
    writeFileSync(join(folder, `${name}.call.json`), JSON.stringify({ name, tool: 'lamp_wait', arguments: {} }));
  await window.connection.client.collections.open({ folder });
  window.use(() => useMemory()).open({ kind: 'run', folder });
  const press = (words: RegExp): void =>
    [...document.querySelectorAll<HTMLButtonElement>('[role="dialog"] button')]
      .find((each) => words.test(each.textContent))!
      .click();
  window.mount(MemoryDialogs);
  const text = () => document.querySelector('[role="dialog"]')?.textContent ?? '';
  await until(() => /Run 2 calls/.test(text()));
  press(/Run 2 calls/);
  await until(() => finish.length === 1);
  finish[0]!(1);
  await until(() => finish.length === 2);
  await reload();
  window.use(() => useMemory());
  window.mount(MemoryDialogs);
  await until(() => text().includes('1 of 2'));
  finish[1]!(2);
  await until(() => /2 passed/.test(text()));
  rmSync(folder, { recursive: true });
});
