/** What a window starts belongs to the engine: the window's connection is cut half-way, and another one follows the run. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { defineToolRegistry } from '../../src-core/registry/defineTool.ts';
import { createWorkbench, type Workbench } from '../../src-core/workbench.ts';
import { carriers, type Connection } from './carriers.ts';

/** Calls of `lamp_wait` that run, in order: each ends when the test says so. */
let waiting: { finish: (value: unknown) => void; signal: AbortSignal }[];
let switchedOff: unknown[];

function lamp() {
  return defineToolRegistry({
    id: 'lamp',
    name: 'Lamp',
    source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
    methods: [
      {
        name: 'wait',
        description: 'Waits.',
        agentCallable: true,
        inputSchema: { type: 'object' },
        handler: (_, { signal }) =>
          new Promise((resolve, reject) => {
            waiting.push({ finish: resolve, signal });
            signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
          }),
      },
      {
        name: 'off',
        description: 'Off.',
        agentCallable: true,
        danger: 'Cuts the power.',
        inputSchema: { type: 'object', properties: { room: { type: 'integer' } } },
        handler: (args) => {
          switchedOff.push(args);
          return 'off';
        },
      },
    ],
  });
}

const block = (name: string): string => `<<<[TOOL_REQUEST]>>>\ntool_name:「始」${name}「末」\n<<<[END_TOOL_REQUEST]>>>`;

/** Takes in a stream; what it yielded is in `events` also while it goes on. */
function take<Event>(stream: Promise<AsyncIterable<Event>>): { events: Event[]; end: Promise<unknown> } {
  const events: Event[] = [];
  const read = async (): Promise<void> => {
    for await (const event of await stream) events.push(event);
  };
  return { events, end: read().catch((error: unknown) => error) };
}

const over = { over: true };

describe.each(carriers)('runs over $name', (carrier) => {
  let dataDir: string;
  let workbench: Workbench;
  let started: Awaited<ReturnType<typeof carrier.start>>;
  let first: Connection;
  let second: Connection;
  const errors: unknown[] = [];

  beforeEach(async () => {
    errors.length = 0;
    waiting = [];
    switchedOff = [];
    dataDir = mkdtempSync(join(tmpdir(), 'toolwire-runs-'));
    workbench = await createWorkbench({
      dataDir,
      checkOutputs: true,
      devicePort: 0,
      shell: 'terminal',
      onError: (e) => errors.push(e),
    });
    workbench.toolRegistryManager.register(lamp());
    started = await carrier.start(workbench, dataDir);
    [first, second] = [await started.connect(), await started.connect()];
  });
  afterEach(async () => {
    second.cut();
    await started.stop();
    await workbench.close();
    rmSync(dataDir, { recursive: true, force: true });
    expect(errors).toEqual([]);
  });

  const call = (toolName = 'lamp_wait') => ({
    callId: 'c',
    toolName,
    argsJson: '{"room": 1}',
    origin: 'executor' as const,
  });
  const until = (condition: () => boolean) => vi.waitUntil(condition);
  /** The first window is gone, and the engine knows. */
  async function cut(reading: { end: Promise<unknown> }): Promise<void> {
    first.cut();
    await reading.end;
    await first.closed;
  }

  test('a run takes no secrets: its arguments are shown to every window', async () => {
    const { callId, ...each } = { ...call(), secrets: { key: 'hush' } };
    const repeated = { ...each, seriesId: 's', count: 2, parallel: 1 };
    for (const stream of [
      take(first.client.calls.executeInPieces({ ...each, callId })),
      take(first.client.calls.repeat(repeated)),
    ])
      expect(await stream.end).toMatchObject({ message: expect.stringContaining('secrets') });
    expect(await second.client.runs.list({ ids: [callId, 's'] })).toEqual([]);
    expect(waiting).toEqual([]);
    first.cut();
  });

  test('a call goes on without its window, and another one gets its result', async () => {
    const lost = take(first.client.calls.executeInPieces(call()));
    await until(() => waiting.length === 1);
    await cut(lost);
    expect(await second.client.runs.list({ ids: ['c', 'x'] })).toEqual([
      {
        kind: 'call',
        id: 'c',
        startedAt: expect.any(Number),
        input: { callId: 'c', toolName: 'lamp_wait', argsJson: '{"room": 1}', origin: 'executor' },
      },
    ]);
    const followed = take(second.client.calls.follow({ callId: 'c' }));
    expect(workbench.services.calls.running()).toMatchObject([{ callId: 'c' }]);
    waiting[0]!.finish('lit');
    await followed.end;
    expect(followed.events).toMatchObject([{ result: { status: 'success', result: 'lit' } }, over]);
    // Also after the end: a window may be loading while the call ends.
    const late = take(second.client.calls.follow({ callId: 'c' }));
    await late.end;
    expect(late.events).toEqual(followed.events);
  });

  test('a call is cancelled by any window, and ends by its own time limit without one', async () => {
    const lost = take(first.client.calls.executeInPieces(call()));
    await until(() => waiting.length === 1);
    const timed = take(first.client.calls.executeInPieces({ ...call(), callId: 't', timeoutMs: 300 }));
    await until(() => waiting.length === 2);
    await cut(lost);
    await timed.end;
    expect(await second.client.calls.cancel({ callId: 'c' })).toEqual({ cancelled: true });
    // Until its end is kept it counts as running.
    await expect.poll(() => second.client.calls.cancel({ callId: 'c' })).toEqual({ cancelled: false });
    const ends = await Promise.all(
      ['c', 't'].map(async (callId) => {
        const followed = take(second.client.calls.follow({ callId }));
        await followed.end;
        return followed.events;
      }),
    );
    expect(ends).toMatchObject([
      [{ result: { error: { code: 'cancelled' } } }, over],
      [{ result: { error: { code: 'timeout' } } }, over],
    ]);
  });

  test('a series goes on', async () => {
    const { callId, ...each } = call();
    const cutOff = take(first.client.calls.repeat({ ...each, seriesId: 's', count: 2, parallel: 1 }));
    await until(() => waiting.length === 1);
    await cut(cutOff);
    const followed = take(second.client.calls.followSeries({ seriesId: 's' }));
    waiting[0]!.finish(1);
    await until(() => waiting.length === 2);
    waiting[1]!.finish(2);
    await followed.end;
    expect(followed.events.at(-1)).toEqual(over);
    expect(followed.events.at(-2)).toMatchObject({ succeeded: 2, done: true });
  });

  test('a run of the Parser goes on, and its calls are shown anew', async () => {
    const text = `${block('lamp_wait')}\n${block('lamp_wait')}`;
    const lost = take(first.client.parser.run({ runId: 'p', text }));
    await until(() => waiting.length === 1);
    waiting[0]!.finish('one');
    await until(() => waiting.length === 2);
    await cut(lost);
    expect(await second.client.runs.list({ ids: ['p'] })).toMatchObject([{ kind: 'parser', id: 'p', input: { text } }]);
    const followed = take(second.client.parser.follow({ runId: 'p' }));
    await until(() => followed.events.length === 2);
    expect(followed.events).toMatchObject([
      { kind: 'call', index: 0, call: { result: { result: 'one' } } },
      { kind: 'call', index: 1, call: { state: 'running' } },
    ]);
    waiting[1]!.finish('two');
    await followed.end;
    expect(followed.events.slice(-2)).toMatchObject([{ kind: 'end' }, over]);
  });

  test('a run of the Parser is cancelled by its id', async () => {
    const lost = take(first.client.parser.run({ runId: 'p', text: `${block('lamp_wait')}\n${block('lamp_wait')}` }));
    await until(() => waiting.length === 1);
    await cut(lost);
    expect(await second.client.calls.cancel({ callId: 'p' })).toEqual({ cancelled: true });
    const followed = take(second.client.parser.follow({ runId: 'p' }));
    await followed.end;
    expect(waiting).toHaveLength(1);
    // It may have been followed just before its end.
    expect(followed.events.filter((event) => 'kind' in event && event.kind === 'call').slice(-2)).toMatchObject([
      { call: { state: 'cancelled' } },
      { call: { state: 'cancelled' } },
    ]);
  });

  test('a run of saved calls goes on, and is stopped by its id', async () => {
    const folder = join(dataDir, 'saved');
    mkdirSync(folder);
    writeFileSync(join(folder, 'toolwire.json'), '{"format":1,"name":"Saved"}');
    for (const name of ['a', 'b', 'c'])
      writeFileSync(join(folder, `${name}.call.json`), JSON.stringify({ name, tool: 'lamp_wait', arguments: {} }));
    await first.client.collections.open({ folder });
    const lost = take(first.client.collections.run({ runId: 'r', folder }));
    await until(() => waiting.length === 1);
    waiting[0]!.finish('one');
    await until(() => waiting.length === 2);
    await cut(lost);
    const followed = take(second.client.collections.follow({ runId: 'r' }));
    await until(() => followed.events.length === 1);
    expect(followed.events).toMatchObject([{ file: 'a.call.json', verdict: 'passed' }]);
    expect(await second.client.calls.cancel({ callId: 'r' })).toEqual({ cancelled: true });
    await followed.end;
    expect(followed.events.map((event) => ('verdict' in event ? event.verdict : event))).toEqual([
      'passed',
      'failed',
      'skipped',
      over,
    ]);
  });

  test('a call that asks first asks on in another window', async () => {
    const lost = take(first.client.calls.executeInPieces(call('lamp_off')));
    await until(() => lost.events.length === 1);
    expect(lost.events).toEqual([{ question: { danger: 'Cuts the power.' } }]);
    // The window that shows it asks; no other one.
    expect(await second.client.runs.questions()).toEqual([]);
    await cut(lost);
    await until(() => workbench.services.runs.questions().length === 1);
    const [question] = await second.client.runs.questions();
    expect(question).toMatchObject({ callId: 'c', toolId: 'lamp', methodName: 'off', argsJson: '{"room": 1}' });
    expect(question!.expiresAt - question!.askedAt).toBe(600_000);
    const wrong = { callId: 'c', allowed: true, argsJson: '{"room": "x"}' };
    await expect(second.client.runs.decide(wrong)).rejects.toMatchObject({ message: expect.stringContaining('room') });
    expect(switchedOff).toEqual([]);
    const followed = take(second.client.calls.follow({ callId: 'c' }));
    await until(() => followed.events.length === 1);
    await until(() => workbench.services.runs.questions().length === 0);
    await second.client.runs.decide({ callId: 'c', allowed: true, argsJson: '{"room": 2}' });
    await followed.end;
    expect(followed.events).toMatchObject([
      { question: { danger: 'Cuts the power.' } },
      { allowed: true, at: expect.any(Number) as number },
      { result: { status: 'success', result: 'off' } },
      over,
    ]);
    expect(switchedOff).toEqual([{ room: 2 }]);
    await expect(second.client.runs.decide({ callId: 'c', allowed: true })).rejects.toThrow('no longer waits');
  });

  test.each(['refused', 'cancelled'])('a call that asks first is %s, and never runs', async (how) => {
    const asked = take(first.client.calls.executeInPieces(call('lamp_off')));
    await until(() => asked.events.length === 1);
    if (how === 'refused') await second.client.runs.decide({ callId: 'c', allowed: false });
    else await second.client.calls.cancel({ callId: 'c' });
    await asked.end;
    const refusal = { result: { status: 'error', error: { code: 'not-authorized' } } };
    expect(asked.events.slice(1)).toMatchObject([{ allowed: false }, refusal, over]);
    expect(switchedOff).toEqual([]);
    expect(await workbench.services.calls.get({ callId: 'c' })).toMatchObject(refusal);
    first.cut();
  });

  test('a series asks once, and says how often it would call', async () => {
    const { callId, ...each } = call('lamp_off');
    const lost = take(first.client.calls.repeat({ ...each, seriesId: 's', count: 3, parallel: 2 }));
    await until(() => lost.events.length === 1);
    await cut(lost);
    await until(() => workbench.services.runs.questions().length === 1);
    expect(await second.client.runs.questions()).toMatchObject([{ callId: 's', methodName: 'off', count: 3 }]);
    await second.client.runs.decide({ callId: 's', allowed: true });
    const followed = take(second.client.calls.followSeries({ seriesId: 's' }));
    await followed.end;
    expect(followed.events.at(-2)).toMatchObject({ succeeded: 3, done: true });
    expect(switchedOff).toHaveLength(3);
  });

  test('a call of the Parser that asks is asked in another window', async () => {
    const lost = take(first.client.parser.run({ runId: 'p', text: block('lamp_off') }));
    await until(() =>
      lost.events.some((event) => 'kind' in event && event.kind === 'call' && event.call.state === 'waiting'),
    );
    await cut(lost);
    await until(() => workbench.services.runs.questions().length === 1);
    const [question] = await second.client.runs.questions();
    expect(question).toMatchObject({ toolId: 'lamp', methodName: 'off', danger: 'Cuts the power.' });
    await second.client.runs.decide({ callId: question!.callId, allowed: false, reason: 'not now' });
    const followed = take(second.client.parser.follow({ runId: 'p' }));
    await followed.end;
    expect(followed.events).toMatchObject([
      { kind: 'call', call: { state: 'refused' } },
      { kind: 'end', feedback: expect.stringContaining('not now') },
      over,
    ]);
    expect(switchedOff).toEqual([]);
  });

  test('an id that is in use or unknown is refused with its reason', async () => {
    const lost = take(first.client.calls.executeInPieces(call()));
    await until(() => waiting.length === 1);
    const again = take(second.client.calls.executeInPieces(call()));
    expect(await again.end).toMatchObject({ message: expect.stringContaining('Give each run its own id') });
    for (const stream of [
      take(second.client.calls.follow({ callId: 'x' })),
      take(second.client.calls.followSeries({ seriesId: 'c' })),
      take(second.client.parser.follow({ runId: 'x' })),
    ])
      expect(await stream.end).toMatchObject({ message: expect.stringContaining('See the history') });
    waiting[0]!.finish(1);
    await lost.end;
    first.cut();
  });
});
