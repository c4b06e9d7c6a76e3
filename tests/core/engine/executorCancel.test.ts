import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { executeToolRequests } from '../../../src-core/engine/executor.ts';
import { ToolError } from '../../../src-core/base/errors.ts';
import type { InvokeOptions, ToolOutput, ToolRegistry } from '../../../src-core/registry/types.ts';
import { makeTool } from '../registry/testTool.ts';
import { deferred, request, setUp } from './execution.ts';

const never = (): Promise<never> => new Promise(() => undefined);

describe('time-out', () => {
  test('ends a call that hangs, and tells the method by its signal', async () => {
    let reason: unknown;
    const lab = setUp([
      {
        name: 'hang',
        handler: (_, { signal }) => {
          signal.addEventListener('abort', () => (reason = signal.reason));
          return never();
        },
      },
    ]);
    const result = await lab.execute(request('lab_hang'), { config: { timeout: 5 } });
    expect(result).toMatchObject({
      status: 'error',
      result: '"lab_hang" did not answer within 5 ms.',
      error: { code: 'timeout', details: { timeoutMs: 5 } },
    });
    expect(reason).toMatchObject({ code: 'timeout' });
    expect(lab.ended).toMatchObject([{ result: { error: { code: 'timeout' } } }]);
  });

  test('progress restarts the timeout, up to ten of them; the error names the last progress', async () => {
    let report: ((progress: number) => void) | undefined;
    const lab = setUp([
      {
        name: 'hang',
        handler: (_, { onProgress }) => ((report = (progress) => onProgress?.({ progress, total: 5 })), never()),
      },
    ]);
    const due: { ms: number; run: () => void; stopped: boolean }[] = [];
    const after = (ms: number, run: () => void) => {
      const timer = { ms, run, stopped: false };
      due.push(timer);
      return () => void (timer.stopped = true);
    };
    const call = lab.execute(request('lab_hang'), { config: { timeout: 30_000 }, after });
    await vi.waitUntil(() => due.length === 1);
    report?.(4);
    expect(due.map(({ ms, stopped }) => [ms, stopped])).toEqual([
      [30_000, true],
      [30_000, false],
    ]);
    due[1]!.run();
    expect(await call).toMatchObject({
      result: '"lab_hang" did not answer within 30 s after its last progress, 4/5.',
      error: { code: 'timeout', details: { timeoutMs: 30_000, progress: '4/5' } },
    });

    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const long = lab.execute(request('lab_hang'), { config: { timeout: 30_000 }, after });
    await vi.waitUntil(() => due.length === 3);
    now.mockReturnValue(290_000);
    report?.(5);
    expect(due[3]!.ms).toBe(10_000);
    now.mockRestore();
    due[3]!.run();
    expect(await long).toMatchObject({
      result: '"lab_hang" did not answer within 300 s in all. Its last progress was 5/5.',
      error: { details: { timeoutMs: 30_000, totalMs: 300_000, progress: '5/5' } },
    });
  });

  test('progress extends no call of an MCP host or agent, whose own limit it does not extend', async () => {
    let report: ((progress: number) => void) | undefined;
    const lab = setUp([
      { name: 'hang', handler: (_, { onProgress }) => ((report = (progress) => onProgress?.({ progress })), never()) },
    ]);
    const due: (() => void)[] = [];
    const after = (_ms: number, run: () => void) => {
      due.push(run);
      return () => undefined;
    };
    const call = lab.execute(request('lab_hang'), { config: { timeout: 30_000 }, caller: 'mcp', after });
    await vi.waitUntil(() => due.length === 1);
    report?.(4);
    expect(due).toHaveLength(1);
    due[0]!();
    expect(await call).toMatchObject({
      result: '"lab_hang" did not answer within 30 s in all. Its last progress was 4.',
      error: { code: 'timeout', details: { timeoutMs: 30_000, totalMs: 30_000, progress: '4' } },
    });
  });

  test('states seconds; a time longer than a timer can take does not end the call at once', async () => {
    const lab = setUp([{ name: 'hang', handler: never }]);
    const due: { ms: number; run: () => void; stopped: boolean }[] = [];
    const after = (ms: number, run: () => void) => {
      const timer = { ms, run, stopped: false };
      due.push(timer);
      return () => void (timer.stopped = true);
    };
    const first = lab.execute(request('lab_hang'), { config: { timeout: 1_040 }, after });
    due[0]!.run();
    expect(await first).toMatchObject({ result: '"lab_hang" did not answer within 1 s.' });
    const controller = new AbortController();
    const { signal } = controller;
    const second = lab.execute(request('lab_hang'), { config: { timeout: 2 ** 40 }, after, signal });
    controller.abort();
    expect(await second).toMatchObject({ error: { code: 'cancelled' } });
    expect(due.map(({ ms, stopped }) => [ms, stopped])).toEqual([
      [1_040, true],
      [2 ** 31 - 1, true],
    ]);
  });

  test.each([
    ['user', 30_000],
    // It has a time limit of its own, which the question does not extend.
    ['mcp', 10_000],
  ] as const)('stops while the source waits for the user, and continues for a %s with %i ms', async (caller, left) => {
    const answer = deferred<ToolOutput>();
    const waits = deferred<InvokeOptions>();
    const invoke: ToolRegistry['invoke'] = (_name, _args, options) => {
      waits.resolve(options);
      return answer.promise;
    };
    const lab = setUp([], { ...makeTool('asking', [{ name: 'get' }]), invoke });
    const running = new Map<number, () => void>();
    let started = 0;
    const limits: number[] = [];
    const after = (ms: number, run: () => void) => {
      const id = (started += 1);
      running.set(id, run);
      limits.push(ms);
      return () => void running.delete(id);
    };
    const reports: unknown[] = [];
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const called = lab.execute(request('asking_get'), {
      config: { timeout: 30_000 },
      caller,
      after,
      onReport: (report) => void reports.push(report),
    });
    const { onWait } = await waits.promise;
    expect([...running.keys()]).toEqual([1]);
    now = 20_000;
    onWait?.(true);
    now = 80_000;
    expect([...running.keys()]).toEqual([]);
    onWait?.(false);
    expect([...running.keys()]).toEqual([2]);
    expect(limits).toEqual([30_000, left]);
    running.get(2)?.();
    expect(await called).toMatchObject({
      result: '"asking_get" did not answer within 30 s.',
      error: { code: 'timeout' },
      durationMs: 80_000,
    });
    onWait?.(false);
    expect([...running.keys()]).toEqual([]);
    expect(reports).toEqual([{ isWaiting: true }, { isWaiting: false }]);
  });

  test('does not hold up the calls after it', async () => {
    const lab = setUp([{ name: 'hang', handler: never }, { name: 'get' }]);
    const results = await executeToolRequests([request('lab_hang'), request('lab_get')], {
      ...lab.options,
      config: { timeout: 5 },
    });
    expect(results.map(({ error, result }) => error?.code ?? result)).toEqual(['timeout', 'get']);
  });
});

describe('cancelling', () => {
  test('a listener of onCallStart can cancel only that call', async () => {
    let invoked = 0;
    const lab = setUp([{ name: 'hang', handler: () => ((invoked += 1), never()) }, { name: 'get' }]);
    const results = await executeToolRequests([request('lab_hang'), request('lab_get')], {
      ...lab.options,
      onCallStart(call, ending) {
        if (call.methodName === 'hang') ending.abort(new ToolError('cancelled', 'Not that one.'));
      },
    });
    expect(results.map(({ result }) => result)).toEqual(['Not that one. It did not run.', 'get']);
    expect(invoked).toBe(0);
  });

  test('half-way in series: what ran and what waits is cancelled, what ended stays', async () => {
    const controller = new AbortController();
    const running = deferred();
    const lab = setUp([{ name: 'get' }, { name: 'hang', handler: () => (running.resolve(), never()) }]);
    const requests = [request('lab_get', {}, 'a'), request('lab_hang', {}, 'b'), request('lab_get', {}, 'c')];
    const all = executeToolRequests(requests, { ...lab.options, signal: controller.signal });
    await running.promise;
    controller.abort();
    const results = await all;
    expect(results.map(({ requestId, result }) => [requestId, result])).toEqual([
      ['a', 'get'],
      ['b', '"lab_hang" was cancelled. It had already started and may have taken effect.'],
      ['c', 'The call was cancelled. It did not run.'],
    ]);
    expect(results.map(({ error }) => error?.message)).toEqual([undefined, results[1]!.result, results[2]!.result]);
    expect(lab.started.map(({ requestId }) => requestId)).toEqual(['a', 'b']);
    expect(lab.ended.map(({ requestId }) => requestId)).toEqual(['a', 'b', 'c']);
  });

  test('a call that could not have run keeps its own reason', async () => {
    const lab = setUp([{ name: 'get' }]);
    const requests = [request('lab_get'), request('lab_none')];
    const results = await executeToolRequests(requests, { ...lab.options, signal: AbortSignal.abort() });
    expect(results.map(({ error }) => error?.code)).toEqual(['cancelled', 'unknown-method']);
  });

  test('in parallel: all that run are cancelled at once', async () => {
    const controller = new AbortController();
    const both = deferred();
    let running = 0;
    const handler = () => {
      running += 1;
      if (running === 2) both.resolve();
      return never();
    };
    const lab = setUp([{ name: 'hang', handler }]);
    const options = { ...lab.options, signal: controller.signal, config: { parallelExecution: true } };
    const all = executeToolRequests([request('lab_hang'), request('lab_hang')], options);
    await both.promise;
    controller.abort(new ToolError('cancelled', 'Cancelled by hand.'));
    const result = 'Cancelled by hand. It had already started and may have taken effect.';
    expect(await all).toMatchObject([
      { error: { code: 'cancelled' }, result },
      { error: { code: 'cancelled' }, result },
    ]);
  });

  test('a call that is cancelled during its question is cancelled like the queued ones', async () => {
    const controller = new AbortController();
    const asked = deferred();
    const lab = setUp([{ name: 'get' }]);
    const all = executeToolRequests([request('lab_get', {}, 'a'), request('lab_get', {}, 'b')], {
      ...lab.options,
      signal: controller.signal,
      config: { requireConfirmation: true },
      onBeforeExecute: () => (asked.resolve(), never()),
    });
    await asked.promise;
    controller.abort();
    const result = 'The call was cancelled. It did not run.';
    expect(await all).toMatchObject([
      { result, error: { code: 'cancelled', details: { ran: false } } },
      { result, error: { code: 'cancelled', details: { ran: false } } },
    ]);
  });

  test('before it begins: nothing is asked, nothing runs', async () => {
    const lab = setUp([{ name: 'get' }]);
    let questions = 0;
    const result = await lab.execute(request('lab_get'), {
      signal: AbortSignal.abort(),
      config: { requireConfirmation: true },
      onBeforeExecute: () => ((questions += 1), true),
    });
    expect(result).toMatchObject({
      status: 'error',
      error: { code: 'cancelled', details: { ran: false } },
      durationMs: 0,
    });
    expect(questions).toBe(0);
    expect(lab.started).toEqual([]);
  });
});

/** A real queue: one call at a time, each going out when the one before has ended. */
function queuedTool(run: (n: number, options: InvokeOptions) => Promise<ToolOutput>): ToolRegistry {
  let last: Promise<unknown> = Promise.resolve();
  let calls = 0;
  return {
    ...makeTool('device', [{ name: 'get' }]),
    queued: true,
    invoke(_method, _args, options) {
      const turn = last.then(() => {
        options.signal.throwIfAborted();
        options.onStart?.();
        options.onStart?.();
        return run((calls += 1), options);
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

describe('a source that queues its calls', () => {
  test('the time of a call begins when it goes out: waiting for a slow one does not end it', async () => {
    const device = queuedTool((n, { signal }) =>
      n === 1 ? untilAborted(signal) : Promise.resolve({ value: `answer ${n}` }),
    );
    const lab = setUp([], device);
    const requests = [request('device_get', {}, 'slow'), request('device_get', {}, 'next')];
    // Both have 20 ms. The first uses all of them, so the second could not succeed if its time ran meanwhile.
    const results = await executeToolRequests(requests, {
      ...lab.options,
      config: { parallelExecution: true, timeout: 20 },
    });
    expect(results.map(({ error, result }) => error?.code ?? result)).toEqual(['timeout', 'answer 2']);
  });

  test('a call that waits can be cancelled, and counts no time', async () => {
    const first = deferred<ToolOutput>();
    const lab = setUp(
      [],
      queuedTool(() => first.promise),
    );
    const controller = new AbortController();
    const running = lab.execute(request('device_get', {}, 'a'));
    const waiting = lab.execute(request('device_get', {}, 'b'), { signal: controller.signal });
    controller.abort();
    expect(await waiting).toMatchObject({
      result: '"device_get" was cancelled. It did not run.',
      durationMs: 0,
      error: { code: 'cancelled', details: { ran: false } },
    });
    first.resolve({ value: 'ok' });
    expect(await running).toMatchObject({ status: 'success', result: 'ok' });
    expect(lab.started.map(({ requestId }) => requestId)).toEqual(['a', 'b']);
  });
});
