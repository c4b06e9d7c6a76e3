/** What the desktop app names before it quits, and what keeps the computer awake. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { RepeatInput } from '../../../src-core/contract/types.ts';
import type { Workbench } from '../../../src-core/workbench.ts';
import { connectScripted } from '../features/devices/support/scriptedDevice.ts';
import { addDevice, dataFolder, openWorkbench, readyDevice, until } from './openWorkbench.ts';

/** `hold` runs until its call is cancelled. */
const sample = `export default { methods: {
  hold: { description: 'Never ends.', agentCallable: true, handler: () => new Promise(() => {}) },
  done: { description: 'Ends at once.', agentCallable: true, handler: () => 1 },
} };`;

async function openWithModule(): Promise<Workbench> {
  const dataDir = dataFolder();
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'sample.js'), sample);
  return openWorkbench({ dataDir });
}

const repeated: RepeatInput = {
  seriesId: 's',
  toolName: 'sample_hold',
  argsJson: '{}',
  origin: 'executor',
  count: 3,
  parallel: 2,
};

test('a call that runs is counted until it ends', async () => {
  const workbench = await openWithModule();
  const { calls } = workbench.services;
  const call = calls.execute({ callId: 'one', toolName: 'sample_hold', argsJson: '{}', origin: 'cli' });
  await until(workbench, () => workbench.live().calls === 1);
  expect(workbench.live()).toEqual({ devices: 0, series: 0, calls: 1 });
  calls.cancel({ callId: 'one' });
  await call;
  expect(workbench.live()).toEqual({ devices: 0, series: 0, calls: 0 });
});

test('a series is counted with its calls, and its end is announced', async () => {
  const workbench = await openWithModule();
  const { calls } = workbench.services;
  const figures = workbench.features.calls.runSeries(repeated);
  const reading = (async () => {
    for await (const each of figures) if (each.done) return;
  })();
  await until(workbench, () => workbench.live().calls === 2);
  expect(workbench.live()).toEqual({ devices: 0, series: 1, calls: 2 });
  calls.cancel({ callId: 's' });
  await until(workbench, () => workbench.live().series === 0);
  await reading;
  expect(workbench.live()).toEqual({ devices: 0, series: 0, calls: 0 });
});

test('a run of a collection is a series', async () => {
  const workbench = await openWithModule();
  const { collections } = workbench.services;
  const folder = dataFolder();
  writeFileSync(join(folder, 'toolwire.json'), '{"format":1,"name":"Two calls"}');
  for (const name of ['a', 'b'])
    writeFileSync(join(folder, `${name}.call.json`), JSON.stringify({ name, tool: 'sample_done', arguments: {} }));
  await collections.open({ folder });
  const during: number[] = [];
  for await (const report of workbench.features.collections.runCalls({ folder, confirmed: true }))
    during.push(report.verdict === 'passed' ? workbench.live().series : -1);
  expect(during).toEqual([1, 1]);
  expect(workbench.live().series).toBe(0);
});

test('counts an approved device, not a virtual one', async () => {
  const workbench = await openWorkbench();
  await addDevice(workbench);
  expect(workbench.live().devices).toBe(0);
  const board = await connectScripted(`ws://127.0.0.1:${workbench.info().device.port}/xiaozhi/v1/`);
  expect(workbench.live().devices).toBe(0);
  board.hello();
  await readyDevice(workbench, '02:00:00:aa:bb:cc');
  expect(workbench.live().devices).toBe(1);
  board.socket.terminate();
  await until(workbench, () => workbench.live().devices === 0);
});
