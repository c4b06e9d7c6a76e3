import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { RecentCall } from '../../../../../src-core/contract/types.ts';
import { dataFolder, openWorkbench } from '../../../workbench/openWorkbench.ts';

const sample = `let calls = 0;
export default { methods: {
  third: { description: 'Fails every third time.', agentCallable: true, handler: () => {
    if (++calls % 3 === 0) throw new Error('third');
    return { success: calls % 3 === 1 };
  } },
  long: { description: 'Says much.', agentCallable: true, handler: () => 'x'.repeat(100000) },
} };`;

test('a series is one of the last calls, with the figures of its calls, also after a restart', async () => {
  const dataDir = dataFolder();
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'sample.js'), sample);
  const first = await openWorkbench({ dataDir });
  const call = { toolName: 'sample_third', argsJson: '{}', origin: 'executor' as const };
  const figuresOf = async (seriesId: string, count: number): Promise<void> => {
    for await (const { done } of first.features.calls.runSeries({ ...call, seriesId, count, parallel: 2 }))
      if (done) return;
  };
  await first.services.calls.execute({ ...call, callId: 'before' });
  await figuresOf('one', 11);
  await first.services.calls.execute({ ...call, callId: 'after' });
  // Where a series has but one call it is a call; nor does a dot make a series.
  await figuresOf('single', 1);
  await first.services.calls.execute({ ...call, callId: 'v1.two' });

  const check = (recent: RecentCall[]): void => {
    expect(recent.map(({ call: { callId } }) => callId)).toEqual(['v1.two', 'single.1', 'after', 'one.11', 'before']);
    expect(recent.map(({ figures }) => figures?.count)).toEqual([undefined, undefined, undefined, 11, undefined]);
    const { figures } = recent[3]!;
    expect(figures).toMatchObject({
      seriesId: 'one',
      done: true,
      ended: 11,
      succeeded: 7,
      softFailures: 4,
      cancelled: 0,
    });
    expect(figures?.errors).toEqual([{ code: 'tool-error', count: 4, callId: 'one.11' }]);
    const { min, p50, p95, max } = figures!.durations!;
    expect([min, p50, p95, max]).toEqual([min, p50, p95, max].sort((a, b) => a - b));
    expect(figures?.slowest).toHaveLength(5);
    expect(figures?.slowest[0]?.durationMs).toBe(max);
    expect(figures?.elapsedMs).toBeGreaterThan(0);
  };
  check(await first.services.calls.recent({ qualifiedName: 'sample_third', limit: 10 }));
  expect(await first.services.calls.recent({ qualifiedName: 'sample_third', limit: 2 })).toHaveLength(2);
  expect(await first.services.calls.recent({ qualifiedName: 'sample', limit: 2 })).toEqual([]);
  await first.close();
  const second = await openWorkbench({ dataDir });
  check(await second.services.calls.recent({ qualifiedName: 'sample_third', limit: 10 }));
});

test('lists have the beginning of a long answer, the call itself all that was kept', async () => {
  const dataDir = dataFolder();
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'sample.js'), sample);
  const { services } = await openWorkbench({ dataDir });
  await services.calls.execute({ callId: 'a', toolName: 'sample_long', argsJson: '{}', origin: 'executor' });
  const [listed] = await services.calls.history({ limit: 1 });
  const [recent] = await services.calls.recent({ qualifiedName: 'sample_long', limit: 1 });
  for (const each of [listed, recent?.call]) expect(each?.result?.result).toBe('x'.repeat(400));
  expect((await services.calls.get({ callId: 'a' })).result?.result).toBe('x'.repeat(100000));
});
