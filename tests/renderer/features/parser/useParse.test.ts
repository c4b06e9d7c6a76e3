import { describe, expect, it, vi } from 'vitest';
import { effectScope, nextTick, ref } from 'vue';

import { useParse } from '../../../../renderer/features/parser/useParse.ts';
import type { Client } from '../../../../src-core/rpc/client.ts';
import type { ParseReport, VcpDialect } from '../../../../src-core/contract/types.ts';

interface Ask {
  text: string;
  signal: AbortSignal | undefined;
  answer: (report?: Partial<ParseReport>) => void;
  fail: (message: string) => void;
}

/** An engine whose answers come when the test says so. */
function controlledClient() {
  const asks: Ask[] = [];
  const parse = vi.fn(
    (input: { text: string; dialect?: VcpDialect | undefined }, options?: { signal?: AbortSignal | undefined }) => {
      const { promise, resolve, reject } = Promise.withResolvers<ParseReport>();
      asks.push({
        text: input.text,
        signal: options?.signal,
        answer: (report = {}) =>
          resolve({
            dialect: input.dialect ?? 'standard',
            length: input.text.length,
            requests: [],
            calls: [],
            diagnostics: [],
            regions: [],
            ...report,
          }),
        fail: (message) => reject(new Error(message)),
      });
      return promise;
    },
  );
  // The one call that it makes, without its overloads.
  return { asks, client: { parser: { parse } } as unknown as Pick<Client, 'parser'> };
}

function start(initial: string) {
  const { asks, client } = controlledClient();
  const text = ref(initial);
  const dialect = ref<VcpDialect>('standard');
  const scope = effectScope();
  const parse = scope.run(() => useParse({ client, text, dialect, delayMs: () => 0 }))!;
  const ask = (count: number) => vi.waitUntil(() => asks.length >= count);
  return { asks, text, dialect, scope, parse, ask };
}

describe('reading as it is typed', () => {
  it('drops the answer for an older text, even where it comes last', async () => {
    const { asks, text, parse, ask, scope } = start('a');
    text.value = 'ab';
    await ask(2);
    asks[1]!.answer();
    await vi.waitUntil(() => parse.reading.value?.text === 'ab');
    asks[0]!.answer({ length: 99 });
    await nextTick();
    expect(parse.reading.value).toMatchObject({ text: 'ab', length: 2 });
    expect(parse.stale.value).toBe(false);
    scope.stop();
  });

  it('cancels the request that is no longer wanted', async () => {
    const { asks, text, ask, scope } = start('a');
    expect(asks[0]!.signal?.aborted).toBe(false);
    text.value = 'ab';
    await nextTick();
    expect(asks[0]!.signal?.aborted).toBe(true);
    await ask(2);
    scope.stop();
    expect(asks[1]!.signal?.aborted).toBe(true);
  });

  it('asks once for what is typed in one go', async () => {
    const { asks, text, ask, scope } = start('a');
    asks[0]!.answer();
    for (const more of ['ab', 'abc', 'abcd']) text.value = more;
    await ask(2);
    expect(asks[1]!.text).toBe('abcd');
    asks[1]!.answer();
    await nextTick();
    expect(asks).toHaveLength(2);
    scope.stop();
  });

  it('says why a text could not be read, shows nothing of an older one, and recovers', async () => {
    const { asks, text, parse, ask, scope } = start('a');
    asks[0]!.answer();
    await vi.waitUntil(() => parse.reading.value !== undefined);
    text.value = 'b';
    await ask(2);
    asks[1]!.fail('the engine is gone');
    await vi.waitUntil(() => parse.error.value === 'the engine is gone');
    expect(parse.reading.value).toBeUndefined();
    text.value = 'c';
    await ask(3);
    asks[2]!.answer();
    await vi.waitUntil(() => parse.reading.value?.text === 'c');
    expect(parse.error.value).toBeUndefined();
    scope.stop();
  });

  it('reads again in another dialect, and when the tools have changed', async () => {
    const { asks, dialect, parse, ask, scope } = start('a');
    dialect.value = 'aiohub';
    await ask(2);
    parse.refresh();
    await ask(3);
    expect(asks[1]!.signal?.aborted).toBe(true);
    scope.stop();
  });

  it.each([
    ['a short text that never rests is read all the same', 10, true],
    ['a long text is read once typing rests', 60_000, false],
  ])('%s', async (_name, length, meanwhile) => {
    vi.useFakeTimers();
    const { asks, client } = controlledClient();
    const text = ref('x'.repeat(length));
    const scope = effectScope();
    scope.run(() => useParse({ client, text, dialect: ref<VcpDialect>('standard'), delayMs: () => 25 }));
    asks[0]!.answer();
    await vi.advanceTimersByTimeAsync(0);
    for (let letter = 0; letter < 20; letter += 1) {
      text.value += 'y';
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(asks.length > 1).toBe(meanwhile);
    await vi.advanceTimersByTimeAsync(100);
    expect(asks.at(-1)!.text).toBe(text.value);
    scope.stop();
    vi.useRealTimers();
  });
});
