import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { abortError } from '../../../src-core/engine/toFailure.ts';
import { untilAborted } from '../../../src-core/base/untilAborted.ts';
import { ToolError } from '../../../src-core/base/errors.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const open = (): AbortSignal => new AbortController().signal;
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

describe('work that ends', () => {
  test('its value or its error is passed on', async () => {
    expect(await untilAborted(async () => 5, open())).toBe(5);
    const broken = new Error('broken');
    const rejects = untilAborted(() => Promise.reject(broken), open());
    await expect(rejects).rejects.toBe(broken);
    const run = (): Promise<never> => {
      throw broken;
    };
    await expect(untilAborted(run, open())).rejects.toBe(broken);
  });
});

describe('an abort', () => {
  test('ends with `cancelled` at once, even if the work continues', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const work = untilAborted(never, signal, () => abortError(signal, 'The call'));
    controller.abort();
    await expect(work).rejects.toMatchObject({ code: 'cancelled', message: 'The call was cancelled.' });
  });

  test('a reason that is a ToolError is kept', async () => {
    const reason = new ToolError('timeout', 'Too late.');
    const signal = AbortSignal.abort(reason);
    await expect(untilAborted(never, signal, () => abortError(signal, 'The call'))).rejects.toBe(reason);
  });

  test('before the work begins, it does not begin', async () => {
    let ran = false;
    const run = async () => (ran = true);
    await expect(untilAborted(run, AbortSignal.abort('stopped'))).rejects.toBe('stopped');
    expect(ran).toBe(false);
  });

  test('by the work itself before it returns, ends with the first reason, even if the work throws', async () => {
    const controller = new AbortController();
    const reason = new ToolError('cancelled', 'Stopped at its start.');
    const run = (): Promise<never> => {
      controller.abort(reason);
      controller.abort(new ToolError('cancelled', 'A second reason.'));
      controller.signal.throwIfAborted();
      return never();
    };
    await expect(untilAborted(run, controller.signal)).rejects.toBe(reason);
    await settleAll();
    expect(unhandled).toEqual([]);
  });

  test('a later rejection of the work is ignored', async () => {
    const controller = new AbortController();
    const late = Promise.withResolvers<number>();
    const work = untilAborted(() => late.promise, controller.signal);
    controller.abort('stopped');
    late.reject(new Error('stopped by the signal'));
    await expect(work).rejects.toBe('stopped');
    await settleAll();
    expect(unhandled).toEqual([]);
  });
});
