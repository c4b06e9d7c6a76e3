import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withTimeout, type TimedWork } from '../../../src-core/engine/withTimeout.ts';
import { ToolError } from '../../../src-core/base/errors.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
});

/** Lets everything that is due happen, unhandled rejections included. */
async function settleAll(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('work that ends in time', () => {
  test('its value or its error is passed on', async () => {
    expect(await withTimeout({ run: async () => 5, timeoutMs: 1_000, what: 'Work' })).toBe(5);
    const broken = new Error('broken');
    await expect(withTimeout({ run: () => Promise.reject(broken), timeoutMs: 1_000, what: 'Work' })).rejects.toBe(
      broken,
    );
    await expect(
      withTimeout({
        run: () => {
          throw broken;
        },
        timeoutMs: 1_000,
        what: 'Work',
      }),
    ).rejects.toBe(broken);
  });

  test('nothing is left behind: no timer and no listener', async () => {
    const parent = new AbortController();
    let own: AbortSignal | undefined;
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    await withTimeout({
      run: async (signal) => (own = signal),
      timeoutMs: 60_000,
      signal: parent.signal,
      what: 'Work',
    });
    expect(timers()).toBe(before);
    parent.abort();
    expect(own?.aborted).toBe(false);
  });
});

describe('work that takes too long', () => {
  test('ends with `timeout`, and its signal aborts with the same error', async () => {
    let own: AbortSignal | undefined;
    const work = withTimeout({ run: (signal) => ((own = signal), never()), timeoutMs: 5, what: '"lab_get"' });
    const error = await work.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'timeout',
      message: '"lab_get" gave no answer within 5 ms.',
      info: { details: { timeoutMs: 5 } },
    });
    expect(own?.aborted).toBe(true);
    expect(own?.reason).toBe(error);
  });

  test('ignores a later result, without an unhandled rejection', async () => {
    const late = Promise.withResolvers<number>();
    await expect(withTimeout({ run: () => late.promise, timeoutMs: 1, what: 'Work' })).rejects.toMatchObject({
      code: 'timeout',
    });
    late.reject(new Error('too late'));
    await settleAll();
    expect(unhandled).toEqual([]);
  });

  test('the message states seconds', async () => {
    const message = withTimeout({ run: never, timeoutMs: 1_040, what: 'Work' }).catch((error: Error) => error.message);
    expect(await message).toBe('Work gave no answer within 1 s.');
  });

  test('a time longer than a timer can take does not end at once', async () => {
    const parent = new AbortController();
    const work = withTimeout({ run: never, timeoutMs: 2 ** 40, signal: parent.signal, what: 'Work' });
    await settleAll();
    parent.abort();
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('work that is cancelled', () => {
  test('ends with `cancelled` at once, though the work pays no heed', async () => {
    const parent = new AbortController();
    let own: AbortSignal | undefined;
    const work = withTimeout({
      run: (signal) => ((own = signal), never()),
      timeoutMs: Infinity,
      signal: parent.signal,
      what: 'The call',
    });
    parent.abort();
    await expect(work).rejects.toMatchObject({ code: 'cancelled', message: 'The call was cancelled.' });
    expect(own?.aborted).toBe(true);
  });

  test('a reason that is a ToolError is kept', async () => {
    const reason = new ToolError('cancelled', 'Toolwire is closing.');
    const work = withTimeout({ run: never, timeoutMs: 1_000, signal: AbortSignal.abort(reason), what: 'The call' });
    await expect(work).rejects.toBe(reason);
  });

  test('before it began, it does not begin', async () => {
    let ran = false;
    const run = async () => (ran = true);
    await expect(
      withTimeout({ run, timeoutMs: 1_000, signal: AbortSignal.abort(), what: 'Work' }),
    ).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(ran).toBe(false);
  });

  test('by itself before it returns, ends with that reason, though it throws', async () => {
    const reason = new ToolError('cancelled', 'Stopped at its start.');
    const work = withTimeout({
      run: (signal, timed): Promise<never> => {
        timed.stop(reason);
        timed.stop(new ToolError('cancelled', 'A second reason.'));
        signal.throwIfAborted();
        return never();
      },
      timeoutMs: 1_000,
      what: 'Work',
    });
    await expect(work).rejects.toBe(reason);
    await settleAll();
    expect(unhandled).toEqual([]);
  });

  test('rejecting at the abort changes nothing', async () => {
    const parent = new AbortController();
    const work = withTimeout({
      run: (signal) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped by the signal')));
        }),
      timeoutMs: 1_000,
      signal: parent.signal,
      what: 'Work',
    });
    parent.abort();
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    await settleAll();
    expect(unhandled).toEqual([]);
  });
});

describe('work that waits for its turn', () => {
  test('its time counts from its start', async () => {
    const starts = Promise.withResolvers<TimedWork>();
    const work = withTimeout({
      run: (_, work) => (starts.resolve(work), never()),
      timeoutMs: 1,
      waitForStart: true,
      what: 'Work',
    });
    let ended = false;
    const watched = work.catch((error: unknown) => ((ended = true), error));
    const timed = await starts.promise;
    // Another timer of the same length, set after: had the time begun already, both would be over.
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ended).toBe(false);
    timed.start();
    timed.start();
    expect(await watched).toMatchObject({ code: 'timeout' });
  });

  test('it can be cancelled while it waits', async () => {
    const parent = new AbortController();
    const work = withTimeout({ run: never, timeoutMs: 1, waitForStart: true, signal: parent.signal, what: 'Work' });
    parent.abort();
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
  });
});
