import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { RepeatInput, SeriesFigures } from '../../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../../src-core/workbench.ts';
import { dataFolder, openWorkbench } from '../../../workbench/openWorkbench.ts';

const sample = `let calls = 0, now = 0, most = 0; const waiting = [];
export default { methods: {
  count: { description: 'Tells how many run at once.', agentCallable: true, async handler() {
    calls++; most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
    return { calls, most };
  } },
  eight: { description: 'Waits until eight run.', agentCallable: true, async handler() {
    most = Math.max(most, ++now);
    await new Promise((resolve) => { waiting.push(resolve); if (waiting.length === 8) waiting.splice(0).forEach((go) => go()); });
    now--;
    return { most };
  } },
  third: { description: 'Fails every third time.', agentCallable: true, handler: () => {
    if (++calls % 3 === 0) throw new Error('third');
    return { success: calls % 3 === 1 };
  } },
  strict: { description: 'Wants a number.', agentCallable: true, inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, handler: () => 1 },
  wait: { description: 'Never ends.', agentCallable: true, handler: (args, { onProgress }) => { onProgress({ progress: 1, total: 4, message: 'step' }); return new Promise(() => {}); } },
} };`;

async function start(): Promise<Workbench> {
  const dataDir = dataFolder();
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'sample.js'), sample);
  return openWorkbench({ dataDir });
}

const series = (toolName: string, more: Partial<RepeatInput> = {}): RepeatInput => ({
  seriesId: 's',
  toolName,
  argsJson: '{}',
  origin: 'executor',
  count: 9,
  parallel: 1,
  ...more,
});

async function last(figures: AsyncIterable<SeriesFigures>): Promise<SeriesFigures | undefined> {
  let seen: SeriesFigures | undefined;
  for await (const each of figures) seen = each;
  return seen;
}

test('a series makes its calls one after the other, each in the history under its own id', async () => {
  const { services, features } = await start();
  const end = await last(features.calls.runSeries(series('sample_count')));
  expect(end).toMatchObject({ done: true, ended: 9, succeeded: 9, errors: [], cancelled: 0 });
  const { min, p50, p95, p99, max, bars } = end!.durations!;
  expect([min, p50, p95, p99, max]).toEqual([min, p50, p95, p99, max].sort((a, b) => a - b));
  expect(bars.reduce((sum, bar) => sum + bar, 0)).toBe(9);
  expect((await services.calls.get({ callId: 's.9' })).result?.result).toBe('{"calls":9,"most":1}');
  expect(await services.calls.history({ limit: 100 })).toHaveLength(9);
});

test('so many run at once as were asked for, and never more', async () => {
  const { services, features } = await start();
  await last(features.calls.runSeries(series('sample_eight', { count: 40, parallel: 8 })));
  const most = (await services.calls.history({ limit: 40 })).map(
    ({ result }) => (JSON.parse(result?.result ?? '') as { most: number }).most,
  );
  expect(Math.max(...most)).toBe(8);
});

test('failures are counted by their code with the last of each, soft ones beside them', async () => {
  const { features } = await start();
  const end = await last(features.calls.runSeries(series('sample_third')));
  expect(end).toMatchObject({
    ended: 9,
    succeeded: 6,
    softFailures: 3,
    errors: [{ code: 'tool-error', count: 3, callId: 's.9' }],
  });
});

test.each([
  ['sample_gone', 'unknown-method'],
  ['sample_strict', 'invalid-arguments'],
])('%s ends with its first call, because none can succeed', async (toolName, code) => {
  const { features } = await start();
  const end = await last(features.calls.runSeries(series(toolName, { count: 10_000 })));
  expect(end).toMatchObject({ done: true, ended: 1, stopped: { code } });
});

test('a tool that asks first asks once, before the first call', async () => {
  const { services, features } = await start();
  await services.settings.set({ dangerousTools: ['sample_count'] });
  const asked = await last(features.calls.runSeries(series('sample_count', { parallel: 4 })));
  expect(asked).toMatchObject({ done: true, succeeded: 0, stopped: { code: 'confirmation-required' } });
  expect(await services.calls.history({ limit: 10 })).toEqual([]);
  const made = await last(features.calls.runSeries(series('sample_count', { parallel: 4, confirmed: true })));
  expect(made).toMatchObject({ done: true, succeeded: 9 });
});

test('a cancel by the series’ id ends all of it, and its last figures still come', async () => {
  const { services, features } = await start();
  const repeat = features.calls.runSeries(series('sample_wait', { count: 100, parallel: 3 }));
  const end = last(repeat);
  for await (const { topics } of services.workbench.events())
    if (topics.length > 0 && services.calls.running().length === 3) break;
  expect(services.calls.cancel({ callId: 's' })).toEqual({ cancelled: true });
  expect(await end).toMatchObject({ done: true, ended: 3, cancelled: 3, succeeded: 0 });
  expect(services.calls.running()).toEqual([]);
  expect(services.calls.cancel({ callId: 's' })).toEqual({ cancelled: false });
});

test('the series ends when its caller stops reading', async () => {
  const { services, features } = await start();
  const figures = features.calls.runSeries(series('sample_wait', { count: 100, parallel: 3 }));
  await figures.next();
  await figures.return();
  expect(services.calls.running()).toEqual([]);
  expect((await services.calls.history({ limit: 10 })).map(({ result }) => result?.error?.code)).toEqual(
    new Array(3).fill('cancelled'),
  );
});

test('two series of one id do not run at once', async () => {
  const { features } = await start();
  const figures = features.calls.runSeries(series('sample_wait'));
  await figures.next();
  await expect(features.calls.runSeries(series('sample_wait')).next()).rejects.toThrow('is already running');
  await figures.return();
});

test('progress is shown at the running call, not in the history', async () => {
  const { services } = await start();
  const call = services.calls.execute({ callId: 'p', toolName: 'sample_wait', argsJson: '{}', origin: 'executor' });
  const progress = () => services.calls.running()[0]?.progress;
  for await (const { topics } of services.workbench.events()) if (topics.length > 0 && progress()) break;
  expect(progress()).toEqual({ progress: 1, total: 4, message: 'step' });
  services.calls.cancel({ callId: 'p' });
  await call;
  expect((await services.calls.get({ callId: 'p' })).progress).toBeUndefined();
});
